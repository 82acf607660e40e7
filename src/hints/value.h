// From what a user wrote to a hint's value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hints/table.h"

namespace weir::hints {

// A hint's value. `text` is the form that MPI_File_get_info returns; empty when there is none and
// weir decides. `number` is the number of kBytes, kCount and kOctal, 0 or 1 of kBoolean, the place
// among the words of kWord; 0 when there is none.
struct Value {
  std::string text;
  std::int64_t number = 0;

  bool operator==(const Value&) const = default;
};

enum class Reading : std::uint8_t {
  kGood,      // taken as it is
  kAdjusted,  // out of range: replaced by the default or the nearest value; the note says which
  kBad,       // not a value of this hint; the note says what would be
};

struct Parsed {
  Reading reading = Reading::kBad;
  Value value;       // empty when kBad
  std::string note;  // empty when kGood
};

// Reads `given` as a value of `row`. Blanks around it are dropped, letters of words and units may
// be of either case. "auto" stands for the default where it is not a value itself. Never fails but
// by kBad.
Parsed parse(const Row& row, std::string_view given);

// The default of `row`.
Value default_value(const Row& row);

// What may be given, for messages and the manual, e.g. "1 to 64" or "auto, true or false".
std::string allowed_values(const Row& row);

// `given` for a message: the first 40 characters, control characters replaced; in_quotes() adds
// quotes.
std::string printable(std::string_view given);
std::string in_quotes(std::string_view given);

}  // namespace weir::hints

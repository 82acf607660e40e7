// Users' hints into a HintSet, with an answer to every one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hints/hint_set.h"

namespace weir::hints {

// The call that brought the hints.
enum class When : std::uint8_t { kOpen, kSetView, kSetInfo };

enum class Outcome : std::uint8_t {
  kAccepted,  // the value holds now
  kAdjusted,  // another value holds now; the note says which and why
  kRejected,  // not a value of this hint: the old one still holds; the note says what would be
  kIgnored,   // known, and nothing done; the note says why
  kUnknown,   // no hint of that name; the note may suggest one
};

// What became of one pair.
struct Change {
  std::string key;            // as given
  std::string value;          // as given
  std::optional<Id> id = {};  // empty when kUnknown, or a key of another MPI object
  Outcome outcome = Outcome::kUnknown;
  std::string note = {};  // empty when kAccepted

  bool operator==(const Change&) const = default;
};
using Changes = std::vector<Change>;  // one per pair, in their order

// Puts `pairs` into `hints`. Never fails: a pair that cannot be taken leaves the old value. When
// pairs name one hint several times, the canonical name wins over aliases, then the last pair; the
// others are kIgnored. A hint that only open takes may be repeated later with the value it has.
Changes apply(HintSet& hints, std::span<const Pair> pairs, When when);

// One line for a report, e.g. `hint cb_node=4: unknown, did you mean cb_nodes?`.
std::string sentence(const Change& change);

const char* name(Outcome outcome);

}  // namespace weir::hints

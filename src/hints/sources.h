// Hints from outside the program: the text of a ROMIO_HINTS file, and WEIR_HINTS as `weir run
// --hint` sets it. Reading the file and the environment is done elsewhere, on one rank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hints/hint_set.h"

namespace weir::hints {

struct ParsedPairs {
  Pairs pairs;
  std::vector<std::string> complaints;  // one line for each part that could not be taken
};

// A ROMIO hints file: one `key value` per line, separated by blanks; blank lines and lines that
// begin with '#' mean nothing. As with ROMIO, a line of one word or of more than two is not taken,
// and the first line of a key counts; unlike ROMIO, there is a complaint, with the line's number.
ParsedPairs parse_hint_file(std::string_view text);

// "key=value;key=value". Blanks around keys and values are dropped; a value may hold '=' but not
// ';'. When a key comes twice, the last counts.
ParsedPairs parse_hint_list(std::string_view text);

}  // namespace weir::hints

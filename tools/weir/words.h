// Small helpers for words of command lines and messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace weir::tool {

using Words = std::vector<std::string>;

// weir::split() as words of their own.
Words split(std::string_view text, char separator);

std::string join(const Words& words, std::string_view separator);

// `words` as a POSIX shell would have to read them to get the same words back.
std::string shell_quoted(const Words& words);

// A failure that the user can mend: `text` says what is wrong and what to do.
Status cannot(std::string text);

// The last component of a path.
std::string base_name(std::string_view path);

// The entry of `known` with the smallest edit distance to `word`, or an empty string when none is
// near enough to be a likely slip of the keyboard (a third of the word's length, at least 2).
std::string nearest(std::string_view word, const Words& known);

}  // namespace weir::tool

// Small helpers for words of command lines and messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hints/suggest.h"

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

using hints::nearest;

}  // namespace weir::tool

// Small helpers for text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir {

// The non-empty parts of `text` between separators. The views point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

// `text` with ASCII capitals made small; no locale.
std::string lower(std::string_view text);

}  // namespace weir

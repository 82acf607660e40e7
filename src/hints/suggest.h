// "Did you mean ...?" for words that nobody knows, and for keys that no hint has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::hints {

// How many single-letter mistakes (one inserted, left out, replaced, or two neighbours swapped)
// turn `a` into `b` (optimal string alignment). Case and the difference between '-' and '_' do not
// count.
std::size_t distance(std::string_view a, std::string_view b);

// The entry of `known` that takes the fewest mistakes, or an empty string when none is near enough to be a likely slip
// of the keyboard (a third of the word's length, at least 2).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// The name or alias of the hint that `key` probably means: within one mistake for short keys, three
// for long ones, or the same but for a missing prefix such as "romio_". Empty when nothing is near.
// Among equally near ones the first of the table.
std::string_view suggestion(std::string_view key);

}  // namespace weir::hints

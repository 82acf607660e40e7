#include "hints/suggest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "hints/value.h"

namespace weir::hints {

namespace {

// Keys longer than any hint by this much are no misspelling of one.
constexpr std::size_t kLongestKey = 64;

std::string normalised(std::string_view name) {
  std::string text = lower(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::size_t allowed_mistakes(std::size_t key_chars) {
  if (key_chars < 3) return 0;
  if (key_chars < 6) return 1;
  return key_chars < 12 ? 2 : 3;
}

// A forgotten "romio_", "weir_" or "IBM_" counts as one mistake.
bool lacks_prefix(std::string_view key, std::string_view name) {
  const std::size_t prefix_end = name.find('_');
  return prefix_end != name.npos && !key.empty() && normalised(name.substr(prefix_end + 1)) == normalised(key);
}

class Nearest {
 public:
  explicit Nearest(std::string_view key) : key_(key), best_(allowed_mistakes(key.size()) + 1) {}

  void consider(std::string_view name) {
    const std::size_t mistakes = lacks_prefix(key_, name) ? 1 : distance(key_, name);
    if (mistakes >= best_) return;
    best_ = mistakes;
    name_ = name;
  }
  std::string_view name() const { return name_; }

 private:
  std::string_view key_;
  std::string_view name_;
  std::size_t best_;
};

}  // namespace

std::size_t distance(std::string_view a, std::string_view b) {
  const std::string from = normalised(a);
  const std::string to = normalised(b);
  std::vector<std::size_t> before(to.size() + 1), above(to.size() + 1), current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({above[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, current);
  }
  return above[to.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t mistakes = distance(word, candidate);
    if (mistakes >= fewest || mistakes >= candidate.size()) continue;
    best = candidate;
    fewest = mistakes;
  }
  return best;
}

std::string_view suggestion(std::string_view key) {
  if (key.size() > kLongestKey) return {};
  Nearest nearest(key);
  for (const Row& row : table()) {
    if (row.name.ends_with('*')) continue;
    nearest.consider(row.name);
    for (std::string_view alias : split(row.aliases, ' ')) nearest.consider(alias);
  }
  return nearest.name();
}

}  // namespace weir::hints

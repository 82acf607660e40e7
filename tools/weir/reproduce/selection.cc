#include "reproduce/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "workloads/sizes.h"

namespace weir::tool::reproduce {

namespace {

bool is_meant(const Claim& claim, const std::string& word) {
  return word == claim.name || word == claim.paper || word == std::to_string(claim.number);
}

Status unknown(const std::string& word) {
  if (bench::whole_number(word).has_value()) {
    return cannot(fmt::format("there is no claim {}: they are numbered 1 to {}", word, all_claims().size()));
  }
  Words names;
  for (const Claim& claim : all_claims()) {
    names.emplace_back(claim.name);
    names.emplace_back(claim.paper);
  }
  const std::string near = nearest(word, names);
  return cannot(fmt::format("there is no claim {}{}; `weir reproduce --list` shows them all", word,
                            near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

}  // namespace

Result<std::vector<const Claim*>> select(const Words& words) {
  std::set<int> meant;
  for (const std::string& word : words) {
    bool known = false;
    for (const Claim& claim : all_claims()) {
      if (!is_meant(claim, word)) continue;
      known = true;
      meant.insert(claim.number);
    }
    if (!known) return unknown(word);
  }
  std::vector<const Claim*> selected;
  for (const Claim& claim : all_claims()) {
    if (words.empty() || meant.contains(claim.number)) selected.push_back(&claim);
  }
  return selected;
}

std::vector<int> explained_in(const std::string& text) {
  constexpr std::string_view kHeading = "### Claim ";
  std::vector<int> numbers;
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with(kHeading)) continue;
    const std::size_t end = line.find_first_not_of("0123456789", kHeading.size());
    const auto number = bench::whole_number(line.substr(kHeading.size(), end - kHeading.size()));
    if (number.has_value()) numbers.push_back(static_cast<int>(*number));
  }
  return numbers;
}

}  // namespace weir::tool::reproduce

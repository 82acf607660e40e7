#include "hints/hint_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace weir::hints {

namespace {

// FNV-1a, written out so that the number is the same everywhere.
class Hash {
 public:
  void add(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

HintSet::HintSet() {
  for (const Row& row : table()) assign(row.id, default_value(row));
}

Status HintSet::set(Id id, std::string_view value) {
  Parsed parsed = parse(row(id), value);
  if (parsed.reading != Reading::kGood) {
    return {ErrorClass::kInfo, fmt::format("hint {}: {}", row(id).name, parsed.note)};
  }
  assign(id, std::move(parsed.value));
  return {};
}

void HintSet::assign(Id id, Value value) { values_[static_cast<std::size_t>(id)] = std::move(value); }

void HintSet::remember_alias(Id id, std::string_view alias) {
  for (std::string_view known : split(row(id).aliases, ' ')) {
    const std::pair entry{id, known};
    const auto place = std::lower_bound(aliases_.begin(), aliases_.end(), entry);
    if (known == alias && (place == aliases_.end() || *place != entry)) aliases_.insert(place, entry);
  }
}

std::uint64_t HintSet::hash() const {
  Hash hash;
  for (const Value& value : values_) {
    for (char c : value.text) hash.add(static_cast<unsigned char>(c));
    hash.add(0);  // ends one value: parse() lets no zero byte into a text
  }
  return hash.state();
}

Pairs HintSet::describe(std::size_t longest_value) const {
  Pairs pairs;
  for (const Row& row : table()) {
    const std::string& value = text(row.id);
    if (row.effect == Effect::kIgnored || value.empty() || value.size() > longest_value) continue;
    pairs.emplace_back(row.name, value);
    for (const auto& [id, alias] : aliases_) {
      if (id == row.id) pairs.emplace_back(alias, value);
    }
  }
  return pairs;
}

}  // namespace weir::hints

#include "hints/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "hints/lookup.h"
#include "hints/value.h"

namespace weir::hints {

namespace {

constexpr std::size_t kLengthBytes = 8;

// Little end first, whatever the machine.
void put_length(std::vector<std::byte>& bytes, std::uint64_t length) {
  for (std::size_t i = 0; i < kLengthBytes; ++i) bytes.push_back(static_cast<std::byte>(length >> (8 * i)));
}

void put_text(std::vector<std::byte>& bytes, const std::string& text) {
  put_length(bytes, text.size());
  const auto first = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), first, first + text.size());
}

// Takes values off the front of the bytes; once something is missing, stays failed.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint64_t length() {
    std::uint64_t length = 0;
    const auto bytes = take(kLengthBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    return length;
  }
  std::string text() {
    const auto bytes = take(length());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> take(std::uint64_t byte_count) {
    if (failed_ || byte_count > rest_.size()) {
      failed_ = true;
      return {};
    }
    const auto taken = rest_.first(byte_count);
    rest_ = rest_.subspan(byte_count);
    return taken;
  }

  std::span<const std::byte> rest_;
  bool failed_ = false;
};

std::string_view canonical(std::string_view key) {
  const Row* row = find(key);
  return row == nullptr || row->name.ends_with('*') ? key : row->name;
}

bool same_hint(std::string_view a, std::string_view b) { return canonical(a) == canonical(b); }

bool names(std::span<const Pair> pairs, std::string_view key) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return same_hint(pair.first, key); });
}

// The values that count, by canonical name: what apply() would take.
Pairs effective(std::span<const Pair> pairs) {
  Pairs result;
  for (const auto& [key, value] : pairs) {
    const Row* row = find(key);
    if (row != nullptr && row->effect == Effect::kIgnored) continue;
    const std::string_view canonical_key = canonical(key);
    const bool outranked = key != canonical_key && std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                             return pair.first == canonical_key;
                           });
    if (outranked) continue;
    std::erase_if(result, [&](const Pair& pair) { return pair.first == canonical_key; });
    Parsed parsed = row == nullptr ? Parsed{} : parse(*row, value);
    const bool normal = parsed.reading != Reading::kBad && !parsed.value.text.empty();
    result.emplace_back(canonical_key, normal ? parsed.value.text : value);
  }
  return result;
}

std::optional<std::string> value_of(const Pairs& pairs, std::string_view key) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.first == key; });
  if (found == pairs.end()) return std::nullopt;
  return found->second;
}

}  // namespace

std::vector<std::byte> encode(std::span<const Pair> pairs) {
  std::vector<std::byte> bytes;
  put_length(bytes, pairs.size());
  for (const auto& [key, value] : pairs) {
    put_text(bytes, key);
    put_text(bytes, value);
  }
  return bytes;
}

Result<Pairs> decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Pairs pairs;
  const std::uint64_t pair_count = reader.length();
  for (std::uint64_t i = 0; i < pair_count && !reader.failed(); ++i) {
    std::string key = reader.text();
    std::string value = reader.text();
    pairs.emplace_back(std::move(key), std::move(value));
  }
  if (reader.failed() || !reader.at_end()) {
    return Status(ErrorClass::kInfo, fmt::format("{} bytes do not encode a list of hints", bytes.size()));
  }
  return pairs;
}

Pairs merge(std::span<const Pair> weak, std::span<const Pair> strong) {
  Pairs merged;
  for (const Pair& pair : weak) {
    if (!names(strong, pair.first)) merged.push_back(pair);
  }
  merged.insert(merged.end(), strong.begin(), strong.end());
  return merged;
}

std::vector<Difference> compare(std::span<const Pair> rank0, std::span<const Pair> mine) {
  const Pairs theirs = effective(rank0);
  const Pairs ours = effective(mine);
  std::vector<Difference> differences;
  for (const auto& [key, value] : theirs) {
    auto own = value_of(ours, key);
    if (own != value) differences.push_back({key, value, std::move(own)});
  }
  for (const auto& [key, value] : ours) {
    if (!value_of(theirs, key)) differences.push_back({key, std::nullopt, value});
  }
  return differences;
}

std::string sentence(const Difference& difference) {
  const auto shown = [](const std::optional<std::string>& value) { return value ? in_quotes(*value) : "none"; };
  return fmt::format("hint {} differs between ranks: rank 0 has {}, this rank {}; rank 0's value is used",
                     printable(difference.key), shown(difference.rank0), shown(difference.mine));
}

}  // namespace weir::hints

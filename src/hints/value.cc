#include "hints/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/text.h"

namespace weir::hints {

namespace {

// Words that mean the same, whichever of them a row uses.
constexpr std::array<std::string_view, 3> kSynonyms = {
    "auto|automatic|default",
    "true|enable|enabled|yes|on|1",
    "false|disable|disabled|no|off|0",
};

bool is_control(unsigned char c) { return c < ' ' || c == 0x7f; }

bool contains(std::string_view words, std::string_view word) {
  const auto parts = split(words, '|');
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

bool same_meaning(std::string_view a, std::string_view b) {
  return a == b || std::any_of(kSynonyms.begin(), kSynonyms.end(),
                               [&](std::string_view group) { return contains(group, a) && contains(group, b); });
}

Parsed good(std::string text, std::int64_t number) { return {Reading::kGood, {std::move(text), number}, ""}; }

Parsed bad(const Row& row, std::string_view given) {
  return {Reading::kBad, {}, fmt::format("{} is not {}", in_quotes(given), allowed_values(row))};
}

// The place of `given` among `words`, by spelling before meaning.
std::optional<std::size_t> place_among(std::string_view words, std::string_view given) {
  const std::string small = lower(given);
  const auto parts = split(words, '|');
  auto found = std::find(parts.begin(), parts.end(), small);
  if (found == parts.end()) {
    found = std::find_if(parts.begin(), parts.end(), [&](std::string_view word) { return same_meaning(word, small); });
  }
  if (found == parts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parts.begin());
}

Parsed parse_word(const Row& row, std::string_view words, std::string_view given) {
  const auto place = place_among(words, given);
  if (!place) return bad(row, given);
  return good(std::string(split(words, '|')[*place]), static_cast<std::int64_t>(*place));
}

Parsed parse_permissions(const Row& row, std::string_view given) {
  const std::string_view digits = given.starts_with("0o") ? given.substr(2) : given;
  const auto number = read_number(digits, 8);
  if (!number || *number < row.least || *number > row.most) return bad(row, given);
  return good(fmt::format("{:o}", *number), *number);
}

Parsed parse_number(const Row& row, std::string_view given) {
  const auto number = row.type == Type::kBytes ? read_bytes(given) : read_number(given);
  if (!number) return bad(row, given);
  if (*number < row.least) {
    Value value = default_value(row);
    std::string note = fmt::format("{} is less than {}; {}", in_quotes(given), row.least,
                                   value.text.empty() ? "weir decides" : value.text + " is used");
    return {Reading::kAdjusted, std::move(value), std::move(note)};
  }
  if (*number > row.most) {
    std::string note = fmt::format("{0} is more than {1}; {1} is used", in_quotes(given), row.most);
    return {Reading::kAdjusted, {fmt::to_string(row.most), row.most}, std::move(note)};
  }
  return good(fmt::to_string(*number), *number);
}

Parsed parse_text(const Row& row, std::string_view given) {
  if (given.empty() || std::any_of(given.begin(), given.end(), is_control)) return bad(row, given);
  return good(std::string(given), 0);
}

Parsed parse_trimmed(const Row& row, std::string_view given) {
  switch (row.type) {
    case Type::kBytes:
    case Type::kCount: return parse_number(row, given);
    case Type::kOctal: return parse_permissions(row, given);
    case Type::kBoolean: return parse_word(row, "false|true", given);
    case Type::kWord: return parse_word(row, row.words, given);
    case Type::kText: return parse_text(row, given);
  }
  return bad(row, given);
}

std::string joined_with_or(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

Parsed parse(const Row& row, std::string_view given) {
  const std::string_view inner = trimmed(given);
  Parsed parsed = parse_trimmed(row, inner);
  if (row.type != Type::kText && parsed.reading == Reading::kBad && same_meaning("auto", lower(inner))) {
    return {Reading::kGood, default_value(row), ""};
  }
  return parsed;
}

Value default_value(const Row& row) {
  if (row.default_text.empty()) return {};
  return parse_trimmed(row, row.default_text).value;
}

std::string allowed_values(const Row& row) {
  switch (row.type) {
    case Type::kBytes: return fmt::format("{} to {} bytes (k, m, g allowed)", row.least, row.most);
    case Type::kCount: return fmt::format("{} to {}", row.least, row.most);
    case Type::kOctal: return fmt::format("octal {:o} to {:o}", row.least, row.most);
    case Type::kBoolean: return "true or false";
    case Type::kWord: return joined_with_or(split(row.words, '|'));
    case Type::kText: return "printable text";
  }
  return {};
}

std::string printable(std::string_view given) {
  constexpr std::size_t kShown = 40;
  std::string shown(given.substr(0, kShown));
  std::replace_if(shown.begin(), shown.end(), is_control, '?');
  return given.size() > kShown ? shown + "..." : shown;
}

std::string in_quotes(std::string_view given) { return fmt::format("\"{}\"", printable(given)); }

}  // namespace weir::hints

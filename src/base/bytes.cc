#include "base/bytes.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/text.h"

namespace weir {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// A number at the beginning of a text, and what stands behind it.
struct Leading {
  std::int64_t number = 0;  // saturated
  std::string_view rest;
};

std::optional<Leading> leading_number(std::string_view text, int base) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) number = text.starts_with('-') ? -kLargest : kLargest;
  return Leading{number, {end, static_cast<std::size_t>(text.data() + text.size() - end)}};
}

// The power of two that a unit multiplies by: "k", "kb" and "kib" are 2^10, ...
std::optional<int> unit_shift(std::string_view unit) {
  if (unit.empty() || unit == "b") return 0;
  constexpr std::string_view kLetters = "kmgt";
  const std::size_t place = kLetters.find(unit.front());
  const std::string_view rest = unit.substr(1);
  if (place == kLetters.npos || !(rest.empty() || rest == "b" || rest == "ib")) return std::nullopt;
  return static_cast<int>(place + 1) * 10;
}

}  // namespace

std::optional<std::int64_t> read_number(std::string_view text, int base) {
  const auto leading = leading_number(text, base);
  if (!leading || !leading->rest.empty()) return std::nullopt;
  return leading->number;
}

std::optional<std::int64_t> read_bytes(std::string_view text) {
  const auto leading = leading_number(text, 10);
  if (!leading) return std::nullopt;
  const auto shift = unit_shift(lower(trimmed(leading->rest)));
  if (!shift) return std::nullopt;
  const std::int64_t most = kLargest >> *shift;
  if (leading->number > most) return kLargest;
  if (leading->number < -most) return -kLargest;
  return leading->number * (std::int64_t{1} << *shift);
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 10 * 1024) return fmt::format("{} B", bytes);
  constexpr std::string_view kLetters = "KMGTPE";
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t letter = 0;
  for (; amount >= 1024 && letter + 1 < kLetters.size(); ++letter) amount /= 1024;
  return fmt::format("{:.1f} {}iB", amount, kLetters[letter]);
}

}  // namespace weir

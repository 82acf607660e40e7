#include "bench/amount.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "doctor/doctor.h"
#include "words.h"

namespace weir::tool::bench {

namespace {

// Powers of 1024 that a unit stands for; -1 for what is no unit.
int power_of(std::string_view unit) {
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  if (unit.empty()) return 0;
  if (unit.size() > 1) return -1;
  const auto place = std::string_view("KMGTkmgt").find(unit[0]);
  return place == std::string_view::npos ? -1 : static_cast<int>(place % 4) + 1;
}

}  // namespace

Result<std::int64_t> parse_bytes(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const int power = power_of(std::string_view(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)));
  const std::int64_t unit = std::int64_t{1} << (10 * std::max(power, 0));
  if (parsed.ec != std::errc() || power < 0 || number < 1 || number > std::numeric_limits<std::int64_t>::max() / unit)
    return cannot(fmt::format("{} is no size; write it as 4096, 64K, 16M or 1G", text));
  return number * unit;
}

Result<std::vector<int>> parse_numbers(const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& word : split(text, ',')) {
    int number = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() || number < 1)
      return cannot(fmt::format("{} is no list of whole numbers such as 4,16", text));
    numbers.push_back(number);
  }
  if (numbers.empty()) return cannot("a list of whole numbers such as 4,16 is needed");
  return numbers;
}

std::string bytes_text(std::int64_t bytes) { return doctor::readable_bytes(static_cast<double>(bytes)); }

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace weir::tool::bench

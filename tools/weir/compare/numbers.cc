#include "compare/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "words.h"

namespace weir::tool::compare {

Result<std::int64_t> parse_bytes(const std::string& text) {
  const auto bytes = read_bytes(text);
  if (!bytes || *bytes < 1 || *bytes == std::numeric_limits<std::int64_t>::max())
    return cannot(fmt::format("{} is no size; write it as 4096, 64K, 16M or 1G", text));
  return *bytes;
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

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double spread(const std::vector<double>& values) {
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  return (*largest - *smallest) / median(values);
}

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace weir::tool::compare

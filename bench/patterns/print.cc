#include "print.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {
namespace {

const char* name_of(Direction direction) { return direction == Direction::kWrite ? "write" : "read"; }

const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRight: return "yes";
    case Verdict::kWrong: return "NO";
    case Verdict::kNotChecked: return "-";
  }
  return "";
}

const char* json_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRight: return "true";
    case Verdict::kWrong: return "false";
    case Verdict::kNotChecked: return "null";
  }
  return "";
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string key(const char* name) { return std::string("\"") + name + "\": "; }

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string list(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value);
  return "[" + text + "]";
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double spread(const std::vector<double>& values) {
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  return (*largest - *smallest) / median(values);
}

std::string text_head() {
  return "pattern     dir        MiB  repeats   call ms      B ms   call/B  spread  whole ms  whole B ms  verified";
}

std::string text_line(const Measurement& m) {
  std::array<char, 256> text{};
  const double calls = median(m.times.calls);
  const double block = median(m.block.calls);
  std::snprintf(text.data(), text.size(), "%-11s %-5s %8.1f %8zu %9.2f %9.2f %8.2f %6.0f%% %9.2f %11.2f  %s",
                m.pattern.c_str(), name_of(m.direction), static_cast<double>(m.bytes) / (1 << 20), m.times.calls.size(),
                1e3 * calls, 1e3 * block, calls / block, 100 * spread(m.times.calls), 1e3 * median(m.times.whole),
                1e3 * median(m.block.whole), word_for(m.verdict));
  return text.data() + (m.note.empty() ? "" : "  (" + m.note + ")");
}

std::string json_line(const Measurement& m) {
  return "{" + key("pattern") + quoted(m.pattern) + ", " + key("direction") + quoted(name_of(m.direction)) + ", " +
         key("ranks") + std::to_string(m.ranks) + ", " + key("bytes") + std::to_string(m.bytes) + ", " +
         key("seconds") + list(m.times.calls) + ", " + key("block_seconds") + list(m.block.calls) + ", " +
         key("whole_seconds") + list(m.times.whole) + ", " + key("block_whole_seconds") + list(m.block.whole) + ", " +
         key("median") + number(median(m.times.calls)) + ", " + key("block_median") + number(median(m.block.calls)) +
         ", " + key("ratio") + number(median(m.times.calls) / median(m.block.calls)) + ", " + key("spread") +
         number(spread(m.times.calls)) + ", " + key("verified") + json_for(m.verdict) + ", " + key("note") +
         quoted(m.note) + "}";
}

}  // namespace bench

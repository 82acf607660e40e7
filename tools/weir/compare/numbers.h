// Amounts on the command line, and the few numbers that say what repeated measurements have in common. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool::compare {

// As read_bytes() takes it: "4096", "64K", "16M", "1GiB". Failure: anything else, zero, and what is too large.
Result<std::int64_t> parse_bytes(const std::string& text);

// "4,16,64": whole numbers of at least 1. Failure: anything else, and an empty list.
Result<std::vector<int>> parse_numbers(const std::string& text);

// "1:05" for 65 seconds, "2:00:00" for two hours.
std::string clock_text(double seconds);

// The middle value, or the mean of the two in the middle. REQUIRES: not empty.
double median(std::vector<double> values);

// (largest - smallest) / median. REQUIRES: not empty, median > 0.
double spread(const std::vector<double>& values);

// REQUIRES: not empty, all > 0.
double geometric_mean(const std::vector<double>& values);

}  // namespace weir::tool::compare

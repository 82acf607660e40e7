// Measurements as text for people and as JSON for programs.

#ifndef WEIR_BENCH_PATTERNS_PRINT_H_
#define WEIR_BENCH_PATTERNS_PRINT_H_

#include <string>
#include <vector>

#include "measure.h"

namespace bench {

// The middle value. REQUIRES: not empty.
double median(std::vector<double> values);

// (largest - smallest) / median. REQUIRES: not empty.
double spread(const std::vector<double>& values);

// The head of the table that text_line() makes.
std::string text_head();

// One line, without its end.
std::string text_line(const Measurement& measurement);

// One JSON object on one line, without its end.
std::string json_line(const Measurement& measurement);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_PRINT_H_

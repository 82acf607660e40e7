// The few numbers that say what repeated measurements have in common. Pure.
#pragma once

#include <vector>

namespace weir::tool::bench {

// The middle value, or the mean of the two in the middle. REQUIRES: not empty.
double median(std::vector<double> values);

// (largest - smallest) / median. REQUIRES: not empty, median > 0.
double spread(const std::vector<double>& values);

// REQUIRES: not empty, all > 0.
double geometric_mean(const std::vector<double>& values);

}  // namespace weir::tool::bench

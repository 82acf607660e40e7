// Steps: the time a call is predicted to take, by what it is spent on.
#pragma once

#include <algorithm>
#include <string>

namespace weir::plan {

// In microseconds. Zero where nothing was predicted.
struct Steps {
  double inspect_us = 0;   // telling each other what is asked for
  double copy_us = 0;      // in memory, inside nodes
  double exchange_us = 0;  // between nodes
  double file_us = 0;
  double overlap = 0;  // of file access and what is before or behind it, the part that goes on at the same time

  double total_us() const {
    const double moving = copy_us + exchange_us;
    return inspect_us + moving + file_us - overlap * std::min(moving, file_us);
  }
  bool operator==(const Steps&) const = default;
};

// "24 us", "3.5 ms", "1.9 s".
std::string time_text(double us);

}  // namespace weir::plan

// One line that tells how far a long run is.
#pragma once

#include <chrono>
#include <string>

namespace weir::tool::bench {

// On a terminal the line is written over itself; elsewhere each step is a line of its own.
class Progress {
 public:
  explicit Progress(int steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The next step begins.
  void step(const std::string& text);

  // A line that stays, between those of the steps.
  void remark(const std::string& text);

 private:
  void clear_line() const;

  int steps_;
  int done_ = -1;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace weir::tool::bench

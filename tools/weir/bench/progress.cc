#include "bench/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "bench/amount.h"

namespace weir::tool::bench {

Progress::Progress(int steps) : steps_(steps), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear_line(); }

void Progress::step(const std::string& text) {
  ++done_;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::string line = fmt::format("[{}/{}] {}", done_ + 1, steps_, text);
  if (done_ > 0) line += fmt::format(", about {} left", clock_text(seconds / done_ * (steps_ - done_)));
  clear_line();
  fmt::print(stderr, "{}{}", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::remark(const std::string& text) {
  clear_line();
  fmt::print(stderr, "{}\n", text);
}

void Progress::clear_line() const {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace weir::tool::bench

// A thread that another can watch fall asleep: orders threads by what they do, not by time.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace weir::sys {

// Announced by a thread of this process; then others may wait until it sleeps. What it sleeps in is for the test to
// know: it should do nothing else that sleeps after it has announced itself.
class Sleeper {
 public:
  void announce() { number_ = static_cast<int>(syscall(SYS_gettid)); }
  void wait_until_asleep() const {
    while (number_ == 0 || state() != 'S') std::this_thread::yield();
  }

 private:
  // The letter behind the name in parentheses.
  char state() const {
    std::ifstream file("/proc/self/task/" + std::to_string(number_) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    return name_end == std::string::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
  }

  std::atomic<int> number_ = 0;
};

}  // namespace weir::sys

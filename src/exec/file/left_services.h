// LeftServices: what a rank goes on doing for others after it has closed a file alone.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace weir::exec {

// Shared file pointers and I/O agents of files that their ranks did not close together: other ranks may ask for them
// until they close too. LOCAL; thread-safe.
class LeftServices {
 public:
  // `stay` waits until nobody asks any more, and may be the last owner of what it needs for that.
  void keep(std::function<void()> stay);

  // Waits until all ranks have closed all of these files. REQUIRED before the host's end.
  void end();

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> services_;
};

// Of this process. Never destroyed.
LeftServices& left_services();

}  // namespace weir::exec

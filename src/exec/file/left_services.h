// LeftServices: what a rank goes on doing for others after it has closed a file alone.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "comm/comm.h"
#include "comm/shared_counter.h"

namespace weir::exec {

// Shared file pointers of files whose ranks have lost step: other ranks may ask for them until they close too. LOCAL;
// thread-safe.
class LeftServices {
 public:
  // REQUIRES that `counter` uses `channel`.
  void keep(std::unique_ptr<comm::Comm> channel, std::unique_ptr<comm::SharedCounter> counter);

  // Waits until all ranks have closed all of these files. REQUIRED before the host's end.
  void end();

 private:
  struct Service {
    std::unique_ptr<comm::Comm> channel;
    std::unique_ptr<comm::SharedCounter> counter;
  };
  std::mutex mutex_;
  std::vector<Service> services_;
};

// Of this process. Never destroyed.
LeftServices& left_services();

}  // namespace weir::exec

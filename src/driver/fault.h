// FaultDriver: another driver that fails where a plan says so. For tests of what happens next.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/file_driver.h"

namespace weir::driver {

// What can fail. A transfer is counted twice: as kTransfer, and as kRead or kWrite.
enum class Operation : std::uint8_t {
  kOpen,
  kTransfer,
  kRead,
  kWrite,
  kSize,
  kResize,
  kPreallocate,
  kSync,
  kLock,
  kClose,
  kRemove,
  kPrefetch,  // takes nothing when it fails
};
inline constexpr int kOperationCount = 12;

// Calls number `first_call` to `first_call + call_count - 1` of this operation fail with this errno; calls are counted
// from 0, over all files of the driver object. The wrapped driver does not see them, except that a transfer moves its
// first `bytes_before` bytes, and a close closes.
struct Fault {
  Operation operation = Operation::kTransfer;
  std::int64_t first_call = 0;
  int error_number = 0;
  std::int64_t bytes_before = 0;
  std::int64_t call_count = 1;

  bool operator==(const Fault&) const = default;
};

struct FaultPlan {
  std::vector<Fault> faults = {};               // where two apply, the first one counts
  std::chrono::microseconds transfer_delay{0};  // every transfer takes at least this long
};

// Thread-safe.
class FaultDriver final : public FileDriver {
 public:
  // REQUIRES: `wrapped` outlives this driver.
  FaultDriver(FileDriver& wrapped, FaultPlan plan);

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, bool* created) override;
  Status remove(const std::string& path) override;

  // How often the operation was called so far, failed calls included.
  std::int64_t calls(Operation operation) const;

  // How many faults have struck so far. A sweep over first_call is complete when a run strikes none.
  std::int64_t strikes() const;

 private:
  class Script;
  class FaultFile;
  FileDriver& wrapped_;
  std::shared_ptr<Script> script_;
};

}  // namespace weir::driver

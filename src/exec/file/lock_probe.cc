#include "exec/file/lock_probe.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "comm/agree.h"

namespace weir::exec {

Status probe_locks(comm::Comm& comm, driver::File& file, bool writes, const std::string& path) {
  constexpr Extent kProbe = {std::int64_t{1} << 61, (std::int64_t{1} << 61) + 1};
  Status status;
  std::unique_ptr<driver::RangeLock> held;
  if (comm.rank() == 0) {
    auto lock = file.lock(kProbe, writes ? driver::LockKind::kExclusive : driver::LockKind::kShared);
    status = lock.status();
    if (lock.ok()) held = std::move(lock).value();
  }
  status = comm::agree(comm, status);
  if (!status.ok()) return status;
  const std::vector<int>& node_of = comm.topology().node_of;
  if (writes && node_of[static_cast<std::size_t>(comm.rank())] != node_of[0]) {
    Result<bool> locked = file.locked_by_other(kProbe);
    status = locked.status();
    if (locked.ok() && !locked.value()) {
      status = Status(ErrorClass::kUnsupportedOperation,
                      fmt::format("atomic mode cannot hold: locks on '{}' do not reach other nodes", path));
    }
  }
  return comm::agree(comm, status);
}

}  // namespace weir::exec

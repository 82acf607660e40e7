#include "driver/uncached_reads.h"

#include <fcntl.h>
#include <fmt/format.h>

namespace weir::driver {

namespace {

// Who opens a file for reading only has nobody beside it who writes.
bool may_be_misplaced(const KnownStorage& storage, const OpenMode& mode) {
  return mode.read && mode.write && mode.striping.sharers.nodes > 1 && storage.mounted().misplaces_bytes &&
         storage.mount_type().starts_with("fuse");
}

}  // namespace

UncachedReads::UncachedReads(const Port& port, const KnownStorage& storage, const OpenMode& mode)
    : port_(port),
      wanted_(may_be_misplaced(storage, mode)),
      file_{-1, port.file.path},
      uncached_{port.system, file_, port.counters} {}

// Where it fails, reads are as those of any program.
void UncachedReads::open() {
  const std::string itself = fmt::format("/proc/self/fd/{}", port_.file.fd);
  file_.fd =
      retried(port_.system, [&] { return port_.system.open(itself.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT, 0); });
}

IoOutcome UncachedReads::move(std::span<const IoRequest> requests) {
  IoOutcome outcome = transfer_vectored(uncached_, Direction::kRead, requests);
  port_.counters.count_direct(outcome.bytes_moved);
  return outcome;
}

void UncachedReads::close() {
  if (file_.fd >= 0) port_.system.close(file_.fd);
  file_.fd = -1;
}

}  // namespace weir::driver

// UncachedReads: reads of one file past the page cache, of the bytes that are asked for and no others.
#pragma once

#include <mutex>
#include <span>

#include "driver/storage.h"
#include "driver/vectored.h"

namespace weir::driver {

// For clients that may put bytes in a wrong place of the page cache (FileSystem::misplaces_bytes), where ranks of
// several nodes write the file. The kernel asks such clients for any bytes with O_DIRECT, at whatever offset.
// Thread-safe, but for close().
class UncachedReads {
 public:
  // REQUIRES that the storage outlives this, and that the file is open.
  UncachedReads(const Port& port, const KnownStorage& storage, const OpenMode& mode);
  UncachedReads(const UncachedReads&) = delete;
  UncachedReads& operator=(const UncachedReads&) = delete;

  // Whether reads have to go this way, and can. The first one to ask opens the file once more, by its descriptor.
  bool serve() {
    if (wanted_) std::call_once(opened_, [this] { open(); });
    return file_.fd >= 0;
  }
  // As transfer_vectored(). REQUIRES: serve().
  IoOutcome move(std::span<const IoRequest> requests);
  const Port& port() const { return uncached_; }
  void close();

 private:
  void open();

  const Port port_;
  const bool wanted_;
  std::once_flag opened_;
  OpenDescriptor file_;  // the second one
  const Port uncached_;
};

}  // namespace weir::driver

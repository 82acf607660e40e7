// PosixDriver: files of the local operating system, by preadv, pwritev and open-file-description locks.
#pragma once

#include <memory>
#include <string>

#include "driver/file_driver.h"
#include "driver/io_ways.h"
#include "driver/syscalls.h"

namespace weir::driver {

// Opens never truncate, are closed on exec, create with the permissions asked for under the umask, and stay write-only
// when asked to.
// Directories, FIFOs and sockets are refused with kBadFile, before an open could wait for a peer. Creating through a
// dangling symbolic link makes the file it points to.
// Where the file system cannot preallocate, zeros are written beyond the current end of file; then nobody else may be
// extending the file meanwhile.
// Large transfers of memory that is badly placed, on this machine, for the kernel's copy go through a bounce buffer.
// Bytes go as IoWays says; a way that was asked for and cannot be had is replaced, and io_replaced() says why.
// Thread-safe.
class PosixDriver final : public FileDriver {
 public:
  PosixDriver() : PosixDriver(std::make_shared<Syscalls>()) {}
  explicit PosixDriver(std::shared_ptr<Syscalls> system, IoTools tools = {})
      : system_(std::move(system)), tools_(std::move(tools)) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, bool* created) override;
  Status remove(const std::string& path) override;
  std::string lasting_name(const std::string& path) const override;

 private:
  std::shared_ptr<Syscalls> system_;
  IoTools tools_;
};

}  // namespace weir::driver

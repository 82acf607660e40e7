// AccessMode: how a file is opened, as MPI_File_open's amode says it.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "driver/file_driver.h"

namespace weir::exec {

struct AccessMode {
  bool read_only = false;
  bool write_only = false;
  bool read_write = false;
  bool create = false;
  bool exclusive = false;
  bool delete_on_close = false;
  bool unique_open = false;
  bool sequential = false;
  bool append = false;
  bool unknown_bits = false;

  bool reads() const { return read_only || read_write; }
  bool writes() const { return write_only || read_write; }
  bool operator==(const AccessMode&) const = default;
};

// Ok when the bits may stand together (MPI standard, "Opening a File"); kAmode otherwise.
Status check(const AccessMode& mode);

// One number that differs when any bit differs, for comparing modes between ranks.
std::int64_t code_of(const AccessMode& mode);

driver::OpenMode open_mode_of(const AccessMode& mode);

}  // namespace weir::exec

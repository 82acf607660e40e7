#include "exec/file/access_mode.h"

namespace weir::exec {

Status check(const AccessMode& mode) {
  if (mode.unknown_bits) return {ErrorClass::kAmode, "amode has bits that are no MPI_MODE_ constant"};
  if (mode.read_only + mode.write_only + mode.read_write != 1) {
    return {ErrorClass::kAmode, "amode needs exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR"};
  }
  if (mode.read_only && (mode.create || mode.exclusive)) {
    return {ErrorClass::kAmode, "MPI_MODE_CREATE and MPI_MODE_EXCL do not go with MPI_MODE_RDONLY"};
  }
  if (mode.read_write && mode.sequential) {
    return {ErrorClass::kAmode, "MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR"};
  }
  return {};
}

std::int64_t code_of(const AccessMode& mode) {
  const bool bits[] = {mode.read_only,       mode.write_only,  mode.read_write, mode.create, mode.exclusive,
                       mode.delete_on_close, mode.unique_open, mode.sequential, mode.append, mode.unknown_bits};
  std::int64_t code = 0;
  for (bool bit : bits) code = 2 * code + (bit ? 1 : 0);
  return code;
}

driver::OpenMode open_mode_of(const AccessMode& mode) {
  driver::OpenMode open_mode;
  open_mode.read = mode.reads();
  open_mode.write = mode.writes();
  open_mode.create = mode.create;
  open_mode.exclusive = mode.exclusive;
  return open_mode;
}

}  // namespace weir::exec

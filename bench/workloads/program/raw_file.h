// A file without MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "workloads/program/options.h"

namespace bench {

// LOCAL. Whatever fails throws JobFailure, with the path and the reason.
class RawFile {
 public:
  // `flags` as for open(2).
  RawFile(std::string path, int flags);
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  ~RawFile();

  std::int64_t bytes() const;

  // Writes all of the bytes at `position`, or reads them, however little the file system moves at a time. A file that
  // ends before is a failure.
  void move(Direction direction, std::int64_t position, std::span<std::byte> bytes) const;

 private:
  std::string path_;
  int descriptor_;
};

}  // namespace bench

// The file of a pattern type, or of this rank for type 2, and the MPI-IO calls that each type makes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "hints_file.h"
#include "pattern.h"

namespace beffio {

class TypeFile {
 public:
  // LOCAL. `path` is that of the type; type 2 adds the rank.
  TypeFile(Type type, Method method, const std::string& path, MPI_Comm comm);

  const std::string& path() const { return path_; }

  // COLLECTIVE.
  weir::Status open(const Hints& hints);
  weir::Status close();
  weir::Status sync();

  // COLLECTIVE. Lets the next call begin where the pattern begins. `begin` is in bytes of all ranks for types 0 and 1,
  // of one rank for the others; `segment_bytes` matters for types 3 and 4.
  weir::Status begin_pattern(const Pattern& pattern, std::int64_t begin, std::int64_t segment_bytes,
                             const Hints& hints);

  // COLLECTIVE for the collective types. Moves the pattern's L bytes; fewer are a failure.
  weir::Status write(const std::byte* memory, const Pattern& pattern);
  weir::Status read(std::byte* memory, const Pattern& pattern);

  // LOCAL. What the MPI library says; 0 where it says nothing. REQUIRES an open file.
  std::int64_t striping_unit() const;

 private:
  MPI_Offset displacement(const Pattern& pattern, std::int64_t begin, std::int64_t segment_bytes) const;
  weir::Status moved(int code, const MPI_Status& status, const Pattern& pattern) const;

  Type type_;
  Method method_;
  MPI_Comm comm_;
  std::string path_;
  int rank_ = 0;
  int ranks_ = 1;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace beffio

// The datatypes of views and memory, as MPI makes them.
#pragma once

#include <mpi.h>

#include "programs/program.h"

namespace weir::programs {

// A datatype, committed; freed at the end of the scope.
class MpiType {
 public:
  MpiType() = default;
  ~MpiType();
  MpiType(MpiType&& other) noexcept;
  MpiType& operator=(MpiType&& other) noexcept;
  MpiType(const MpiType&) = delete;
  MpiType& operator=(const MpiType&) = delete;
  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor)

  static MpiType etype(std::int64_t bytes);
  static MpiType filetype(const View& view);
  // What a call with this share passes: the type, and in `count` how many of it.
  static MpiType memory(const Share& share, std::int64_t etype_bytes, int* count);

 private:
  MpiType(MPI_Datatype type, bool derived);
  MPI_Datatype type_ = MPI_BYTE;
  bool derived_ = false;
};

}  // namespace weir::programs

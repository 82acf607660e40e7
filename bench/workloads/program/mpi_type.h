// From a described type to the MPI datatype an application would make.
#pragma once

#include <mpi.h>

#include "workloads/type_spec.h"

namespace bench {

// A committed datatype; frees it unless it is a predefined one.
class MpiType {
 public:
  MpiType(MPI_Datatype handle, bool predefined);
  MpiType(MpiType&& other) noexcept;
  MpiType(const MpiType&) = delete;
  MpiType& operator=(const MpiType&) = delete;
  MpiType& operator=(MpiType&&) = delete;
  ~MpiType();

  MPI_Datatype get() const { return handle_; }

 private:
  MPI_Datatype handle_;
  bool predefined_;
};

MpiType mpi_type(const Element& element);

// The type of one instance; for Plain, of one element.
MpiType mpi_type(const TypeSpec& type);

// How many of mpi_type(type) make one instance: 1, or the count of Plain.
int mpi_count(const TypeSpec& type);

}  // namespace bench

// What a datatype was made from, in one form for hosts with and without large counts.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "base/status.h"

namespace weir::mpi {

// The child types are the caller's for as long as this lives; derived ones are freed with it.
struct TypeContents {
  TypeContents() = default;
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;
  TypeContents(TypeContents&&) = default;
  TypeContents& operator=(TypeContents&&) = delete;
  ~TypeContents();

  int combiner = MPI_COMBINER_NAMED;
  // In the order of the constructor's own arguments, lengths of lists included.
  std::vector<std::int64_t> arguments;
  std::vector<MPI_Datatype> children;
};

// Named types have neither arguments nor children. REQUIRES a valid datatype.
Result<TypeContents> contents_of(MPI_Datatype type);

// Types that belong to the host (named ones, and those of MPI_Type_create_f90_*) are never freed.
bool is_predefined_type(MPI_Datatype type);

}  // namespace weir::mpi

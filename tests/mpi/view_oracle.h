// Accesses through views, checked byte by byte against type models.
#pragma once

#include <string>

#include "access_ops.h"
#include "mpi_test.h"
#include "type_model.h"

namespace mpi_test {

// What one rank does in a call: the view it sets, and which part of it meets which memory.
struct ViewAccess {
  TypeModel etype;
  TypeModel file_type;
  MPI_Offset displacement = 0;
  MPI_Offset first_etype = 0;  // the same on all ranks for functions that use the shared pointer
  TypeModel memory_type;
  int memory_count = 0;  // its bytes are a whole number of etypes

  MPI_Offset bytes() const { return memory_count * memory_type.bytes(); }
  std::string text() const;
};

// COLLECTIVE. Makes the file with `old`, writes through `op` and checks that exactly the right bytes changed.
// All ranks write different bytes. REQUIRES accesses of different ranks not to overlap.
void check_write(const char* path, const AccessOp& op, const ViewAccess& access, const Bytes& old);

// COLLECTIVE. Makes the file with `content`, reads through `op` and checks memory and count, also past its end.
void check_read(const char* path, const AccessOp& op, const ViewAccess& access, const Bytes& content);

// Where the two differ first, in words; "" when they are equal.
std::string first_difference(const Bytes& found, const Bytes& expected);

}  // namespace mpi_test

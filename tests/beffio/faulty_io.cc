// Preloaded ahead of an MPI-IO, to see what b_eff_io makes of its faults. FAULT in the environment:
//   corrupt   noncollective reads flip a bit in the middle
//   short     noncollective reads report one byte less than asked for
//   desert    on rank 1 collective writes fail without taking part, so that the other ranks wait for ever
#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace {

bool fault_is(const char* name) {
  const char* fault = std::getenv("FAULT");
  return fault != nullptr && std::strcmp(fault, name) == 0;
}

}  // namespace

extern "C" int MPI_File_read(MPI_File file, void* memory, int count, MPI_Datatype type, MPI_Status* status) {
  const int code = PMPI_File_read(file, memory, count, type, status);
  if (fault_is("corrupt")) static_cast<char*>(memory)[count / 2] ^= 1;
  if (fault_is("short")) PMPI_Status_set_elements(status, type, count - 1);
  return code;
}

extern "C" int MPI_File_write_all(MPI_File file, const void* memory, int count, MPI_Datatype type, MPI_Status* status) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && fault_is("desert")) return MPI_ERR_IO;
  return PMPI_File_write_all(file, memory, count, type, status);
}

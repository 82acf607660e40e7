// What the tests of the access functions share: where a call lands, for each kind of file pointer.
#pragma once

#include <numeric>
#include <vector>

#include "access_ops.h"
#include "mpi_test.h"

namespace mpi_test {

// Element `index` of call `call` of rank `of_rank`: tells where it came from.
inline int element(int of_rank, int call, int index) { return of_rank * 1000000 + call * 10000 + index; }

inline std::vector<int> record(int of_rank, int call, int elements) {
  std::vector<int> values(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) values[static_cast<std::size_t>(i)] = element(of_rank, call, i);
  return values;
}

// Where, in elements, the record of a call lies: explicit and ordered functions lay record (call, rank) in rank
// order call by call, and so are the individual pointers set before each call.
inline MPI_Offset record_offset(int of_rank, int call, int elements) {
  return (static_cast<MPI_Offset>(call) * size() + of_rank) * elements;
}

// Sets the pointers for call `call`: only the individual one needs it.
inline void aim(const AccessOp& op, MPI_File file, int call, int elements) {
  if (op.pointer == Pointer::kIndividual) {
    EXPECT_OK(MPI_File_seek(file, record_offset(rank(), call, elements), MPI_SEEK_SET));
  }
}

// The whole file that `calls` calls on all ranks should leave, in the order described above.
inline std::vector<int> all_records(int calls, int elements) {
  std::vector<int> values;
  for (int call = 0; call < calls; ++call) {
    for (int r = 0; r < size(); ++r) {
      const std::vector<int> one = record(r, call, elements);
      values.insert(values.end(), one.begin(), one.end());
    }
  }
  return values;
}

// COLLECTIVE. A view of etype `etype` (its own file type) from byte `displacement` on.
inline void set_plain_view(MPI_File file, MPI_Datatype etype, MPI_Offset displacement = 0) {
  EXPECT_OK(MPI_File_set_view(file, displacement, etype, etype, "native", MPI_INFO_NULL));
}

// Whether `found` lies between `least` and `most`: where a read that met the end of the file leaves its pointer is
// up to the library.
inline testing::AssertionResult between(MPI_Offset least, MPI_Offset found, MPI_Offset most) {
  if (least <= found && found <= most) return testing::AssertionSuccess();
  return testing::AssertionFailure() << found << " is not between " << least << " and " << most;
}

}  // namespace mpi_test

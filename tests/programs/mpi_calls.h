// The data access functions of MPI as a table.
#pragma once

#include <mpi.h>

#include "programs/program.h"

namespace weir::programs {

struct CallArguments {
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset offset = 0;
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Status* status = MPI_STATUS_IGNORE;
  MPI_Request* request = nullptr;
};

// The call that a step makes; of a split one: the begin. What it returns.
int call_access(const Step& step, const CallArguments& arguments);
int call_end(const Step& step, MPI_File file, void* data, MPI_Status* status);

}  // namespace weir::programs

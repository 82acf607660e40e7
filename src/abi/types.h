// The types of MPI 5.0's standard ABI that weir uses.
#pragma once

#include <cstdint>

using MPI_Aint = std::intptr_t;
using MPI_Offset = std::int64_t;
using MPI_Count = std::int64_t;

using MPI_Comm = struct MPI_ABI_Comm*;
using MPI_Datatype = struct MPI_ABI_Datatype*;
using MPI_Errhandler = struct MPI_ABI_Errhandler*;
using MPI_File = struct MPI_ABI_File*;
using MPI_Group = struct MPI_ABI_Group*;
using MPI_Info = struct MPI_ABI_Info*;
using MPI_Op = struct MPI_ABI_Op*;
using MPI_Request = struct MPI_ABI_Request*;
using MPI_Session = struct MPI_ABI_Session*;

struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
};

extern "C" {
using MPI_Comm_copy_attr_function = int(MPI_Comm, int, void*, void*, void*, int*);
using MPI_Comm_delete_attr_function = int(MPI_Comm, int, void*, void*);
using MPI_Type_copy_attr_function = int(MPI_Datatype, int, void*, void*, void*, int*);
using MPI_Type_delete_attr_function = int(MPI_Datatype, int, void*, void*);
using MPI_File_errhandler_function = void(MPI_File*, int*, ...);
using MPI_Datarep_conversion_function = int(void*, MPI_Datatype, int, void*, MPI_Offset, void*);
using MPI_Datarep_conversion_function_c = int(void*, MPI_Datatype, MPI_Count, void*, MPI_Offset, void*);
using MPI_Datarep_extent_function = int(MPI_Datatype, MPI_Aint*, void*);
using MPI_Grequest_query_function = int(void*, MPI_Status*);
using MPI_Grequest_free_function = int(void*);
using MPI_Grequest_cancel_function = int(void*, int);
}

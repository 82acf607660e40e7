// The host MPI's own versions of functions that weir defines too. Everything else of the host is called by its
// PMPI_ name; these would lead back into weir and are therefore looked up behind it.
#pragma once

#include <mpi.h>

// Not every header that weir is compiled with knows sessions; every library may be used with a host that has them.
#ifndef MPI_SESSION_NULL
struct ompi_instance_t;
#endif

namespace weir::host {

// Whether the host is any MPI with the standard ABI: which one it is, is not known before the program runs, and nothing
// that only one of them has may be relied upon.
#ifdef WEIR_STANDARD_ABI
inline constexpr bool kStandardAbi = true;
#else
inline constexpr bool kStandardAbi = false;
#endif

#ifdef MPI_SESSION_NULL
using Session = MPI_Session;
#else
using Session = ompi_instance_t*;
#endif

// A list of requests that is looked at only: some hosts of MPI 4.1 declare it without const.
#if !defined(WEIR_STANDARD_ABI) && (MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1))
template <typename List>
List list_of(int (*)(int, List, int*, int*, MPI_Status*));
using RequestList = decltype(list_of(&PMPI_Request_get_status_any));
#else
using RequestList = const MPI_Request*;
#endif

struct Functions {
  decltype(&PMPI_Init) Init;
  decltype(&PMPI_Init_thread) Init_thread;
  decltype(&PMPI_Wait) Wait;
  decltype(&PMPI_Waitany) Waitany;
  decltype(&PMPI_Waitsome) Waitsome;
  decltype(&PMPI_Waitall) Waitall;
  decltype(&PMPI_Test) Test;
  decltype(&PMPI_Testany) Testany;
  decltype(&PMPI_Testsome) Testsome;
  decltype(&PMPI_Testall) Testall;
  decltype(&PMPI_Request_get_status) Request_get_status;
  decltype(&PMPI_Errhandler_free) Errhandler_free;
  decltype(&PMPI_File_create_errhandler) File_create_errhandler;
};

// What only some hosts have: null where they do not. Older headers do not declare the newer ones, and newer headers
// call their predecessors deprecated; so all are looked up, whatever weir was compiled with.
struct Extras {
  // MPI 4.0
  int (*Session_init)(MPI_Info, MPI_Errhandler, Session*);
  int (*Session_finalize)(Session*);
  int (*Session_get_info)(Session, MPI_Info*);
  int (*Info_get_string)(MPI_Info, const char*, int*, char*, int*);
  int (*Status_set_elements_c)(MPI_Status*, MPI_Datatype, MPI_Count);
  int (*Type_get_envelope_c)(MPI_Datatype, MPI_Count*, MPI_Count*, MPI_Count*, MPI_Count*, int*);
  int (*Type_get_contents_c)(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int*, MPI_Aint*, MPI_Count*,
                             MPI_Datatype*);
  // MPI 4.1
  int (*Request_get_status_any)(int, RequestList, int*, int*, MPI_Status*);
  int (*Request_get_status_some)(int, RequestList, int*, int*, MPI_Status*);
  int (*Request_get_status_all)(int, RequestList, int*, MPI_Status*);
  // Before MPI 4.0
  int (*Info_get_valuelen)(MPI_Info, const char*, int*, int*);
  int (*Info_get)(MPI_Info, const char*, int, char*, int*);
  int (*Status_set_elements_x)(MPI_Status*, MPI_Datatype, MPI_Count);
};

// Looked up once, on first use. A host that lacks one of them ends the program with a message: nothing could work.
const Functions& next();
const Extras& extras();

}  // namespace weir::host

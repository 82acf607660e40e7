// The host MPI's own versions of functions that weir defines too. Everything else of the host is called by its
// PMPI_ name; these would lead back into weir and are therefore looked up behind it.
#pragma once

#include <mpi.h>

namespace weir::host {

// Whether the host is any MPI with the standard ABI: which one it is, is not known before the program runs, and nothing
// that only one of them has may be relied upon.
#ifdef WEIR_STANDARD_ABI
inline constexpr bool kStandardAbi = true;
#else
inline constexpr bool kStandardAbi = false;
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

// Looked up once, on first use. A host that lacks one of them ends the program with a message: nothing could work.
const Functions& next();

}  // namespace weir::host

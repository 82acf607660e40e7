#include "comm/mpi/host.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace weir::host {

namespace {

template <typename Function>
void look_up(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "weir: the MPI library behind weir has no %s; was libweir.so preloaded for another MPI?\n",
               name);
  std::abort();
}

Functions look_up_all() {
  Functions functions{};
  look_up(functions.Init, "PMPI_Init");
  look_up(functions.Init_thread, "PMPI_Init_thread");
  look_up(functions.Wait, "PMPI_Wait");
  look_up(functions.Waitany, "PMPI_Waitany");
  look_up(functions.Waitsome, "PMPI_Waitsome");
  look_up(functions.Waitall, "PMPI_Waitall");
  look_up(functions.Test, "PMPI_Test");
  look_up(functions.Testany, "PMPI_Testany");
  look_up(functions.Testsome, "PMPI_Testsome");
  look_up(functions.Testall, "PMPI_Testall");
  look_up(functions.Request_get_status, "PMPI_Request_get_status");
  look_up(functions.Errhandler_free, "PMPI_Errhandler_free");
  look_up(functions.File_create_errhandler, "PMPI_File_create_errhandler");
  return functions;
}

}  // namespace

const Functions& next() {
  static const Functions functions = look_up_all();
  return functions;
}

}  // namespace weir::host

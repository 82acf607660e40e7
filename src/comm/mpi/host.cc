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

template <typename Function>
void look_up_extra(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

Extras look_up_extras() {
  Extras extras{};
  look_up_extra(extras.Session_init, "PMPI_Session_init");
  look_up_extra(extras.Session_finalize, "PMPI_Session_finalize");
  look_up_extra(extras.Session_get_info, "PMPI_Session_get_info");
  look_up_extra(extras.Info_get_string, "PMPI_Info_get_string");
  look_up_extra(extras.Status_set_elements_c, "PMPI_Status_set_elements_c");
  look_up_extra(extras.Type_get_envelope_c, "PMPI_Type_get_envelope_c");
  look_up_extra(extras.Type_get_contents_c, "PMPI_Type_get_contents_c");
  look_up_extra(extras.Request_get_status_any, "PMPI_Request_get_status_any");
  look_up_extra(extras.Request_get_status_some, "PMPI_Request_get_status_some");
  look_up_extra(extras.Request_get_status_all, "PMPI_Request_get_status_all");
  look_up_extra(extras.Info_get_valuelen, "PMPI_Info_get_valuelen");
  look_up_extra(extras.Info_get, "PMPI_Info_get");
  look_up_extra(extras.Status_set_elements_x, "PMPI_Status_set_elements_x");
  return extras;
}

}  // namespace

const Extras& extras() {
  static const Extras extras = look_up_extras();
  return extras;
}

const Functions& next() {
  static const Functions functions = look_up_all();
  return functions;
}

}  // namespace weir::host

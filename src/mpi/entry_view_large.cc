// Large-count forms of the functions about extents and data representations. Always there: a program that calls them
// has them from its own MPI.
#include "mpi/entry.h"
#include "mpi/library.h"
#include "mpi/raise.h"

namespace {

// MPI_Datarep_conversion_function_c, which older headers do not have.
using LargeConversion = int(void*, MPI_Datatype, MPI_Count, void*, MPI_Offset, void*);

weir::mpi::DatarepFunctions::Conversion conversion_of(LargeConversion* function, void* extra_state) {
  if (function == nullptr) return {};
  return [=](void* buffer, MPI_Datatype type, std::int64_t values, void* file) {
    return function(buffer, type, values, file, 0, extra_state);
  };
}

}  // namespace

WEIR_ENTRY(int, MPI_File_get_type_extent_c, MPI_File fh, MPI_Datatype datatype, MPI_Count* extent) {
  return weir::mpi::on_file(fh, [&](weir::mpi::MpiFile& file) -> weir::Status {
    auto layout = file.datarep()->file_layout(datatype);
    if (layout.ok()) *extent = layout.value().extent();
    return layout.status();
  });
}

WEIR_ENTRY(int, MPI_Register_datarep_c, const char* name, LargeConversion* read, LargeConversion* write,
           MPI_Datarep_extent_function* extent, void* extra_state) {
  return weir::mpi::raise(
      nullptr, weir::mpi::guarded([&] {
        return weir::mpi::Library::get().datareps.add(
            name, {conversion_of(read, extra_state), conversion_of(write, extra_state), extent, extra_state});
      }));
}

// Views, file pointers and data representations.
#include <climits>

#include "mpi/entry.h"
#include "mpi/library.h"
#include "mpi/raise.h"

namespace {

using weir::ErrorClass;
using weir::Result;
using weir::Status;
using weir::exec::Whence;
using weir::mpi::MpiFile;
using weir::mpi::on_file;

Result<Whence> whence_of(int whence) {
  switch (whence) {
    case MPI_SEEK_SET: return Whence::kSet;
    case MPI_SEEK_CUR: return Whence::kCurrent;
    case MPI_SEEK_END: return Whence::kEnd;
    default: return Status(ErrorClass::kArgument, "whence is not MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END");
  }
}

// Hands out the value a query found.
template <typename To>
Status give(const Result<std::int64_t>& found, To* to) {
  if (found.ok()) *to = static_cast<To>(found.value());
  return found.status();
}

Result<std::int64_t> file_extent(MpiFile& file, MPI_Datatype type) {
  Result<weir::layout::SizedLayout> layout = file.datarep()->file_layout(type);
  if (!layout.ok()) return layout.status();
  return layout.value().extent();
}

// A conversion function with int counts, as one for any count.
weir::mpi::DatarepFunctions::Conversion conversion_of(MPI_Datarep_conversion_function* function, void* extra_state) {
  if (function == nullptr) return {};
  return [=](void* buffer, MPI_Datatype type, std::int64_t values, void* file) {
    if (values > INT_MAX) return MPI_ERR_COUNT;
    return function(buffer, type, static_cast<int>(values), file, 0, extra_state);
  };
}

}  // namespace

WEIR_ENTRY(int, MPI_File_set_view, MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
           const char* datarep, MPI_Info info) {
  return on_file(fh, [&](MpiFile& file) { return file.set_view(disp, etype, filetype, datarep, info); });
}

WEIR_ENTRY(int, MPI_File_get_view, MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
           char* datarep) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    file.get_view(disp, etype, filetype, datarep);
    return {};
  });
}

WEIR_ENTRY(int, MPI_File_seek, MPI_File fh, MPI_Offset offset, int whence) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    Result<Whence> from = whence_of(whence);
    return from.ok() ? file.open_file().seek(offset, from.value()) : from.status();
  });
}

WEIR_ENTRY(int, MPI_File_seek_shared, MPI_File fh, MPI_Offset offset, int whence) {
  return on_file(fh, [&](MpiFile& file) -> Status { return file.open_file().seek_shared(offset, whence_of(whence)); });
}

WEIR_ENTRY(int, MPI_File_get_position, MPI_File fh, MPI_Offset* offset) {
  return on_file(fh, [&](MpiFile& file) { return give(file.open_file().position(), offset); });
}

WEIR_ENTRY(int, MPI_File_get_position_shared, MPI_File fh, MPI_Offset* offset) {
  return on_file(fh, [&](MpiFile& file) { return give(file.open_file().shared_position(), offset); });
}

WEIR_ENTRY(int, MPI_File_get_byte_offset, MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  return on_file(fh, [&](MpiFile& file) { return give(file.open_file().byte_offset(offset), disp); });
}

WEIR_ENTRY(int, MPI_File_get_type_extent, MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  return on_file(fh, [&](MpiFile& file) { return give(file_extent(file, datatype), extent); });
}

WEIR_ENTRY(int, MPI_Register_datarep, const char* name, MPI_Datarep_conversion_function* read,
           MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent, void* extra_state) {
  return weir::mpi::raise(
      nullptr, weir::mpi::guarded([&] {
        return weir::mpi::Library::get().datareps.add(
            name, {conversion_of(read, extra_state), conversion_of(write, extra_state), extent, extra_state});
      }));
}

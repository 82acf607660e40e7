// Persistent collective access: include/weir/persistent.h.
#include <memory>

#include "mpi/data_access.h"
#include "mpi/entry.h"
#include "mpi/raise.h"
#include "mpi/request_table.h"
#include "weir/persistent.h"

using weir::Direction;
using weir::ErrorClass;
using weir::Status;
using weir::driver::IoOutcome;
using weir::exec::Positioning;
using weir::mpi::Buffer;
using weir::mpi::Call;
using weir::mpi::MpiFile;

// What MPIX_File_operation points to.
struct weir_file_operation {
  std::shared_ptr<MpiFile> file;
  Call call;
  MPI_Offset offset = 0;
  weir::mpi::KeptType type;
  Buffer buffer;  // of that type
  std::shared_ptr<weir::exec::HeldCall> held = std::make_shared<weir::exec::HeldCall>();
  std::shared_ptr<weir::exec::Promise> running = nullptr;
};

namespace {

int init(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer, MPIX_File_operation* operation) {
  return weir::mpi::on_file(handle, [&](MpiFile& file) -> Status {
    Status usable;
    if (operation == nullptr) {
      usable = Status(ErrorClass::kArgument, "the operation to be returned is a null pointer");
    } else {
      *operation = nullptr;
      usable = weir::mpi::check_type(file.communicator(), buffer.type);
    }
    usable = file.open_file().agree_on(std::move(usable));
    if (!usable.ok()) return usable;
    weir::mpi::KeptType kept(buffer.type);
    buffer.type = kept.get();
    *operation = new weir_file_operation{weir::mpi::find_file(handle), call, offset, std::move(kept), buffer};
    return {};
  });
}

Status start(weir_file_operation& operation) {
  weir::exec::OpenFile& file = operation.file->open_file();
  if (operation.running) {  // others may not have started it: they are not left waiting
    weir::exec::Access nothing = make_access(*operation.file, operation.call, 0, {nullptr, 0, MPI_BYTE});
    nothing.refused = Status(ErrorClass::kRequest, "the operation was started and not waited for");
    return file.run(nothing).status;
  }
  weir::exec::Access access = make_access(*operation.file, operation.call, operation.offset, operation.buffer);
  access.held = operation.held;
  access.manner = weir::exec::Manner::kPersistent;
  auto promise = std::make_shared<weir::exec::Promise>();
  operation.running = promise;
  file.start(std::move(access), [promise](IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return {};
}

Status wait(weir_file_operation& operation, MPI_Status* status) {
  IoOutcome outcome;
  if (operation.running) outcome = operation.running->take(operation.file->open_file().company());
  operation.running.reset();
  weir::mpi::fill_status(status, outcome.bytes_moved);
  return std::move(outcome.status);
}

Status null_operation() { return {ErrorClass::kRequest, "the operation is a null pointer"}; }

}  // namespace

WEIR_EXPORT int MPIX_File_write_all_init(MPI_File file, const void* buffer, int count, MPI_Datatype type,
                                         MPIX_File_operation* operation) {
  return init(file, {Direction::kWrite, Positioning::kIndividual, true}, 0, {const_cast<void*>(buffer), count, type},
              operation);
}

WEIR_EXPORT int MPIX_File_read_all_init(MPI_File file, void* buffer, int count, MPI_Datatype type,
                                        MPIX_File_operation* operation) {
  return init(file, {Direction::kRead, Positioning::kIndividual, true}, 0, {buffer, count, type}, operation);
}

WEIR_EXPORT int MPIX_File_write_at_all_init(MPI_File file, MPI_Offset offset, const void* buffer, int count,
                                            MPI_Datatype type, MPIX_File_operation* operation) {
  return init(file, {Direction::kWrite, Positioning::kExplicit, true}, offset, {const_cast<void*>(buffer), count, type},
              operation);
}

WEIR_EXPORT int MPIX_File_read_at_all_init(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                                           MPIX_File_operation* operation) {
  return init(file, {Direction::kRead, Positioning::kExplicit, true}, offset, {buffer, count, type}, operation);
}

WEIR_EXPORT int MPIX_File_start(MPIX_File_operation operation) {
  if (operation == nullptr) return weir::mpi::raise(nullptr, null_operation());
  return weir::mpi::raise(operation->file.get(), weir::mpi::guarded([&] { return start(*operation); }));
}

WEIR_EXPORT int MPIX_File_wait(MPIX_File_operation operation, MPI_Status* status) {
  if (operation == nullptr) return weir::mpi::raise(nullptr, null_operation());
  return weir::mpi::raise(operation->file.get(), weir::mpi::guarded([&] { return wait(*operation, status); }));
}

WEIR_EXPORT int MPIX_File_operation_free(MPIX_File_operation* operation) {
  if (operation == nullptr || *operation == nullptr) return weir::mpi::raise(nullptr, null_operation());
  const std::shared_ptr<MpiFile> file = (*operation)->file;
  return weir::mpi::raise(file.get(), weir::mpi::guarded([&]() -> Status {
                            if ((*operation)->running) {
                              return {ErrorClass::kRequest, "the operation was started and not waited for"};
                            }
                            delete *operation;
                            *operation = nullptr;
                            return {};
                          }));
}

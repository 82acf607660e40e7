#include "mpi/mpi_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/guarded.h"
#include "layout/check_view.h"
#include "mpi/info.h"
#include "mpi/library.h"
#include "trace/deliver.h"

namespace weir::mpi {

std::shared_ptr<MpiFile> find_file(MPI_File handle) { return Library::get().files.find(handle); }

FileUse use_file(MPI_File handle) { return Library::get().files.use(handle); }

MpiFile::MpiFile(std::unique_ptr<exec::OpenFile> open_file, std::shared_ptr<comm::CommGroup> group, std::string report)
    : open_file_(std::move(open_file)),
      group_(std::move(group)),
      report_(std::move(report)),
      error_handler_(Library::get().hold_default_handler()),
      view_{KeptType(MPI_BYTE), KeptType(MPI_BYTE), Library::get().datareps.find("native")} {}

MpiFile::~MpiFile() {
  int error = MPI_SUCCESS;
  Library::get().error_handlers.release(error_handler_, &error);
}

MPI_Errhandler MpiFile::hold_error_handler() const {
  std::scoped_lock lock(mutex_);
  Library::get().error_handlers.retain(error_handler_);
  return error_handler_;
}

bool MpiFile::set_error_handler(MPI_Errhandler handler) {
  ErrorHandlers& handlers = Library::get().error_handlers;
  if (!handlers.retain(handler)) return false;
  std::unique_lock lock(mutex_);
  std::swap(error_handler_, handler);
  lock.unlock();
  int error = MPI_SUCCESS;
  handlers.release(handler, &error);
  return true;
}

Result<layout::FileView> MpiFile::make_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                                            const Datarep* datarep) {
  if (datarep == nullptr) {
    return Status(ErrorClass::kUnsupportedDatarep,
                  "the data representation is not native, internal, external32 or a registered one");
  }
  const exec::AccessMode& mode = open_file_->mode();
  if (mode.sequential) {
    if (displacement != MPI_DISPLACEMENT_CURRENT) {
      return Status(ErrorClass::kArgument, "a sequential file's displacement must be MPI_DISPLACEMENT_CURRENT");
    }
    Result<std::int64_t> current = open_file_->current_displacement();
    if (!current.ok()) return current.status();
    displacement = current.value();
  }
  if (displacement < 0) {
    return Status(ErrorClass::kArgument, fmt::format("the view's displacement {} is negative", displacement));
  }
  Status usable = check_type(communicator(), etype).or_else(check_type(communicator(), filetype));
  if (!usable.ok()) return usable;
  Result<layout::SizedLayout> elementary = datarep->file_layout(etype);
  if (!elementary.ok()) return elementary.status();
  Result<layout::SizedLayout> tile = datarep->file_layout(filetype);
  if (!tile.ok()) return tile.status();
  Status status = layout::check_view(elementary.value(), tile.value(), mode.writes());
  if (!status.ok()) return status;
  const std::int64_t etype_bytes = std::max<std::int64_t>(elementary.value().layout.data_bytes(), 1);
  return layout::FileView(displacement, etype_bytes, tile.value().layout, tile.value().extent());
}

Status MpiFile::set_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep,
                         MPI_Info info) {
  std::shared_ptr<const Datarep> representation;
  layout::FileView wanted;
  std::int64_t signature = 0;
  Status mine = guarded([&]() -> Status {
    const std::string datarep_name = datarep != nullptr ? datarep : "";
    representation = Library::get().datareps.find(datarep_name);
    Result<layout::FileView> view = make_view(displacement, etype, filetype, representation.get());
    if (!view.ok()) return view.status();
    wanted = std::move(view).value();
    signature = static_cast<std::int64_t>(std::hash<std::string>{}(datarep_name) >> 2) ^ wanted.etype_bytes();
    return {};
  });
  Status status = open_file_->set_view(std::move(mine), wanted, signature, changed_hints(info));
  if (!status.ok()) return status;
  View made{KeptType(etype), KeptType(filetype), std::move(representation)};
  std::scoped_lock lock(mutex_);
  std::swap(view_, made);
  converts_ = view_.datarep->converts();
  return {};
}

void MpiFile::get_view(MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) const {
  std::scoped_lock lock(mutex_);
  if (displacement != nullptr) *displacement = open_file_->view().displacement();
  if (etype != nullptr) *etype = view_.etype.copy();
  if (filetype != nullptr) *filetype = view_.filetype.copy();
  if (datarep != nullptr) std::strcpy(datarep, view_.datarep->name().c_str());
}

std::shared_ptr<const Datarep> MpiFile::datarep() const {
  std::scoped_lock lock(mutex_);
  return view_.datarep;
}

Status MpiFile::set_info(MPI_Info info) { return open_file_->settle_hints(changed_hints(info), hints::When::kSetInfo); }

Status MpiFile::close() {
  if (trace::report_wanted(report_)) {
    guarded([&]() -> Status {
      deliver_report();
      return {};
    }).ignore();  // the other ranks wait for this one to close
  }
  return open_file_->close();
}

// One rank writes, and says so where it cannot.
void MpiFile::deliver_report() {
  Result<trace::FileReport> report = open_file_->report();
  if (open_file_->rank() != 0) return;
  Status status = report.ok() ? trace::deliver(report.value(), report_) : report.status();
  if (!status.ok()) Library::get().tell({fmt::format("no report (WEIR_REPORT={}): {}", report_, status.text())});
}

void MpiFile::close_at_finalize() {
  Status status = open_file_->abandon();
  if (!status.ok()) Library::get().tell({fmt::format("closing a file left open: {}", status.text())});
}

}  // namespace weir::mpi

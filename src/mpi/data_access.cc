#include "mpi/data_access.h"

#include <fmt/format.h>

#include <optional>

#include "comm/mpi/courier.h"
#include "mpi/library.h"
#include "mpi/named_types.h"
#include "mpi/raise.h"

namespace weir::mpi {

namespace {

using driver::IoOutcome;

// No program has data on the first page: a layout that begins there was given a null pointer.
constexpr std::uintptr_t kFirstPage = 4096;

// Where the data is while it is on its way: the program's buffer, or a converted copy of it.
struct Staging {
  Buffer buffer;
  std::shared_ptr<const Datarep> datarep;
  std::vector<std::byte> converted;  // empty when the representation does not convert
};

Status check_buffer(MPI_Comm comm, const Buffer& buffer) {
  if (buffer.instances < 0) return {ErrorClass::kCount, fmt::format("count {} is negative", buffer.instances)};
  return check_type(comm, buffer.type);
}

Status check_address(const layout::Memory& memory) {
  auto first = reinterpret_cast<std::uintptr_t>(memory.base) + static_cast<std::uintptr_t>(memory.layout.span().begin);
  if (memory.layout.data_bytes() == 0 || first >= kFirstPage) return {};
  return {ErrorClass::kBuffer, "the buffer is a null pointer"};
}

Result<layout::Memory> memory_of(const Buffer& buffer) {
  auto type_layout = layout_of(buffer.type);
  if (!type_layout.ok()) return type_layout.status();
  const layout::SizedLayout& sized = *type_layout.value();
  layout::Memory memory =
      layout::Memory::of(static_cast<std::byte*>(buffer.address), sized.layout, sized.extent(), buffer.instances);
  if (memory.layout.overflowed()) return Status(ErrorClass::kCount, "count times datatype exceeds 64 bits");
  Status status = check_address(memory);
  if (!status.ok()) return status;
  return memory;
}

// The memory that the engine moves: the program's own, or the converted copy, filled already when writing.
Result<layout::Memory> stage(Direction direction, Staging& staging) {
  Status status;
  Result<layout::Memory> memory = memory_of(staging.buffer);
  if (!memory.ok() || !staging.datarep->converts()) return memory;
  Result<layout::SizedLayout> in_file = staging.datarep->file_layout(staging.buffer.type);
  if (!in_file.ok()) return in_file.status();
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(in_file.value().layout.data_bytes(), staging.buffer.instances, &bytes)) {
    return Status(ErrorClass::kCount, "count times datatype exceeds 64 bits");
  }
  staging.converted.resize(static_cast<std::size_t>(bytes));
  if (direction == Direction::kWrite) status = staging.datarep->to_file(staging.buffer, staging.converted);
  if (!status.ok()) return status;
  return layout::Memory::of(staging.converted.data(), bytes);
}

// What the program learns: the bytes of its own memory that were moved. REQUIRES a converted copy.
IoOutcome unstage(Direction direction, const Staging& staging, IoOutcome outcome) {
  std::int64_t memory_bytes = 0;
  auto moved = std::span(staging.converted).first(static_cast<std::size_t>(outcome.bytes_moved));
  if (direction == Direction::kRead) {
    Status status = staging.datarep->from_file(moved, staging.buffer, &memory_bytes);
    outcome.status = std::move(outcome.status).or_else(std::move(status));
  } else if (outcome.bytes_moved == std::ssize(staging.converted)) {
    auto type_layout = layout_of(staging.buffer.type);
    if (type_layout.ok()) memory_bytes = type_layout.value()->layout.data_bytes() * staging.buffer.instances;
  }
  outcome.bytes_moved = memory_bytes;
  return outcome;
}

// Bytes from one instance to the next of a type without gaps; 0 where it has some, or cannot be used.
std::int64_t flat_bytes(MPI_Comm comm, MPI_Datatype type) {
  if (const std::int64_t bytes = gapless_bytes(type)) return bytes;
  if (!check_type(comm, type).ok()) return 0;
  auto type_layout = layout_of(type);
  if (!type_layout.ok()) return 0;
  const layout::SizedLayout& sized = *type_layout.value();
  const bool flat = sized.layout.is_contiguous() && sized.layout.first() == 0;
  return flat && sized.extent() == sized.layout.data_bytes() ? sized.extent() : 0;
}

// A call for memory without gaps, where it is one request to the file. Nothing otherwise, also where the call is to be
// refused: then nothing was done.
std::optional<IoOutcome> access_flat(MpiFile& file, Call call, MPI_Offset offset, const Buffer& buffer) {
  if (call.collective || buffer.instances <= 0 || file.converts()) return std::nullopt;
  if (reinterpret_cast<std::uintptr_t>(buffer.address) < kFirstPage) return std::nullopt;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(buffer.instances, flat_bytes(file.communicator(), buffer.type), &bytes)) {
    return std::nullopt;
  }
  return file.open_file().run_flat(
      {call.direction, call.positioning, offset, static_cast<std::byte*>(buffer.address), bytes});
}

exec::SplitKind split_kind(Call call) { return {call.direction, call.positioning}; }

}  // namespace

exec::Access make_access(MpiFile& file, Call call, MPI_Offset offset, const Buffer& buffer) {
  auto staging = std::make_shared<Staging>(Staging{buffer, file.datarep(), {}});
  exec::Access access;
  Status refused = guarded([&]() -> Status {
    Status status = check_buffer(file.communicator(), buffer);
    if (!status.ok()) return status;
    Result<layout::Memory> memory = stage(call.direction, *staging);
    if (!memory.ok()) return memory.status();
    exec::Transfer transfer{call.direction, call.positioning, call.collective, 0, std::move(memory).value()};
    if (call.positioning == exec::Positioning::kExplicit) transfer.offset = offset;
    access = file.open_file().prepare(transfer);
    return {};
  });
  if (!refused.ok()) {
    access = {};
    access.direction = call.direction;
    access.collective = call.collective;
    access.positioning = call.positioning;
    access.refused = std::move(refused);
  }
  if (access.refused.ok() && !staging->converted.empty()) {
    access.finish = [staging, direction = call.direction](IoOutcome outcome) {
      comm::Courier::get().call([&] { outcome = unstage(direction, *staging, std::move(outcome)); });
      return outcome;
    };
  }
  return access;
}

int access_blocking(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer, MPI_Status* status) {
  return on_file(handle, [&](MpiFile& file) -> Status {
    if (std::optional<IoOutcome> flat = access_flat(file, call, offset, buffer)) {
      fill_status(status, flat->bytes_moved);
      return std::move(flat->status);
    }
    exec::Access access = make_access(file, call, offset, buffer);
    IoOutcome outcome = file.open_file().run(access);
    fill_status(status, outcome.bytes_moved);
    return std::move(outcome.status);
  });
}

int access_nonblocking(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer, MPI_Request* request) {
  std::shared_ptr<MpiFile> owner = find_file(handle);
  *request = MPI_REQUEST_NULL;
  return on_file(handle, [&](MpiFile& file) -> Status {
    exec::Access access = make_access(file, call, offset, buffer);
    if (!call.collective && !access.refused.ok()) return access.refused;
    access.manner = exec::Manner::kNonblocking;
    Library& library = Library::get();
    std::shared_ptr<IoRequestState> state;
    Status started = guarded([&]() -> Status {
      int error = library.requests.start(owner, request, &state);
      return error == MPI_SUCCESS ? Status() : comm::status_of_mpi(error, "MPI_Grequest_start");
    });
    if (!started.ok() && !call.collective) return started;
    if (!started.ok()) {  // the other ranks have a request, and wait for its outcome
      access.refused = std::move(access.refused).or_else(std::move(started));
      return file.open_file().run(access).status;
    }
    file.open_file().start(std::move(access),
                           [state](IoOutcome outcome) { Library::get().requests.complete(state, std::move(outcome)); });
    return {};
  });
}

int access_begin(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer) {
  return on_file(handle, [&](MpiFile& file) -> Status {
    return file.open_file().begin_split(split_kind(call), make_access(file, call, offset, buffer));
  });
}

int access_end(MPI_File handle, Call call, MPI_Status* status) {
  return on_file(handle, [&](MpiFile& file) -> Status {
    IoOutcome outcome = file.open_file().end_split(split_kind(call));
    fill_status(status, outcome.bytes_moved);
    return std::move(outcome.status);
  });
}

}  // namespace weir::mpi

#include "programs/mpi_backend.h"

#include <algorithm>
#include <utility>

#include "programs/mpi_calls.h"

namespace weir::programs {

namespace {

std::size_t index(int value) { return static_cast<std::size_t>(value); }

Outcome answer_of(int code, MPI_Offset answer) {
  Outcome outcome = mpi_outcome(code);
  outcome.moved_bytes = answer;
  return outcome;
}

int amode_of(const Mode& mode) {
  int amode = mode.reads && mode.writes ? MPI_MODE_RDWR : mode.reads ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
  if (mode.create) amode |= MPI_MODE_CREATE;
  if (mode.exclusive) amode |= MPI_MODE_EXCL;
  if (mode.delete_on_close) amode |= MPI_MODE_DELETE_ON_CLOSE;
  if (mode.unique_open) amode |= MPI_MODE_UNIQUE_OPEN;
  if (mode.append) amode |= MPI_MODE_APPEND;
  return amode;
}

MPI_Comm make_communicator(const Communicator& spec, int rank) {
  MPI_Comm made = MPI_COMM_WORLD;
  if (spec.kind == Communicator::Kind::kSelf) made = MPI_COMM_SELF;
  if (spec.kind == Communicator::Kind::kDup) MPI_Comm_dup(MPI_COMM_WORLD, &made);
  if (spec.kind == Communicator::Kind::kSplit) MPI_Comm_split(MPI_COMM_WORLD, spec.colours[index(rank)], rank, &made);
  return made;
}

}  // namespace

Outcome mpi_outcome(int code) {
  if (code == MPI_SUCCESS) return {};
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  Outcome outcome;
  MPI_Error_class(code, &outcome.error);
  outcome.text = text;
  return outcome;
}

Outcome mpi_outcome(int code, const MPI_Status& status) {
  Outcome outcome = mpi_outcome(code);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  outcome.moved_bytes = bytes;
  return outcome;
}

MpiBackend::MpiBackend(const Program& program, std::string directory, bool keep_types)
    : program_(program), directory_(std::move(directory)), keep_types_(keep_types) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  for (const Communicator& spec : program.communicators) communicators_.push_back(make_communicator(spec, rank_));
}

MpiBackend::~MpiBackend() {
  for (MPI_Comm& communicator : communicators_) {
    if (communicator != MPI_COMM_WORLD && communicator != MPI_COMM_SELF) MPI_Comm_free(&communicator);
  }
}

std::string MpiBackend::path(int file) const {
  return directory_ + "/" + file_name(file, program_.communicator_of(file).colours[index(rank_)]);
}

Outcome MpiBackend::open(const Step& step) {
  MPI_Info info = MPI_INFO_NULL;
  if (!step.hints.empty()) MPI_Info_create(&info);
  for (const auto& [key, value] : step.hints) MPI_Info_set(info, key.c_str(), value.c_str());
  MPI_Comm communicator = communicators_[index(program_.files[index(step.file)].communicator)];
  MPI_File file = MPI_FILE_NULL;
  const int code = MPI_File_open(communicator, path(step.file).c_str(), amode_of(step.mode), info, &file);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  files_[step.file] = file;
  etypes_[step.file] = 1;
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);  // nothing else of the program makes sense
  return mpi_outcome(code);
}

Outcome MpiBackend::close(int file) { return mpi_outcome(MPI_File_close(&at(file))); }

Outcome MpiBackend::set_view(int file, const View& view) {
  const MpiType etype = MpiType::etype(view.etype_bytes);
  const MpiType filetype = MpiType::filetype(view);
  etypes_[file] = view.etype_bytes;
  return mpi_outcome(MPI_File_set_view(at(file), view.displacement, etype, filetype, "native", MPI_INFO_NULL));
}

Outcome MpiBackend::seek(int file, std::int64_t offset, Whence whence) {
  const int how = whence == Whence::kSet ? MPI_SEEK_SET : whence == Whence::kCurrent ? MPI_SEEK_CUR : MPI_SEEK_END;
  return mpi_outcome(MPI_File_seek(at(file), offset, how));
}

Outcome MpiBackend::seek_shared(int file, std::int64_t offset) {
  return mpi_outcome(MPI_File_seek_shared(at(file), offset, MPI_SEEK_SET));
}

Outcome MpiBackend::sync(int file) { return mpi_outcome(MPI_File_sync(at(file))); }
Outcome MpiBackend::set_size(int file, std::int64_t bytes) { return mpi_outcome(MPI_File_set_size(at(file), bytes)); }
Outcome MpiBackend::preallocate(int file, std::int64_t bytes) {
  return mpi_outcome(MPI_File_preallocate(at(file), bytes));
}
Outcome MpiBackend::set_atomic(int file, bool atomic) {
  return mpi_outcome(MPI_File_set_atomicity(at(file), atomic ? 1 : 0));
}

Outcome MpiBackend::size(int file) {
  MPI_Offset answer = 0;
  const int code = MPI_File_get_size(at(file), &answer);
  return answer_of(code, answer);
}

Outcome MpiBackend::position(int file) {
  MPI_Offset answer = 0;
  const int code = MPI_File_get_position(at(file), &answer);
  return answer_of(code, answer);
}

Outcome MpiBackend::shared_position(int file) {
  MPI_Offset answer = 0;
  const int code = MPI_File_get_position_shared(at(file), &answer);
  return answer_of(code, answer);
}

Outcome MpiBackend::access(const Step& step, Buffer& buffer) {
  const Share& share = step.shares[index(rank_)];
  CallArguments arguments;
  MpiType type = MpiType::memory(share, etypes_.at(step.file), &arguments.count);
  MPI_Status status = {};
  MPI_Request request = MPI_REQUEST_NULL;
  arguments.file = at(step.file);
  arguments.offset = share.offset;
  arguments.data = buffer.data();
  arguments.type = type;
  arguments.status = &status;
  arguments.request = &request;
  const int code = call_access(step, arguments);
  if (keep_types_) kept_types_.push_back(std::move(type));
  if (step.manner == Manner::kBlocking) return mpi_outcome(code, status);
  if (step.manner == Manner::kNonblocking) accesses_[step.id] = request;
  if (step.manner == Manner::kSplit) split_buffers_[step.id] = buffer.data();
  return mpi_outcome(code);
}

Outcome MpiBackend::end(const Step& step) {
  MPI_Status status = {};
  const int code = call_end(step, at(step.file), split_buffers_.at(step.id), &status);
  return mpi_outcome(code, status);
}

void MpiBackend::barrier(int communicator) { MPI_Barrier(communicators_[index(communicator)]); }

void MpiBackend::isend(int id, const Buffer& data) {
  const Message& message = program_.messages[index(id)];
  MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, message.to, id, MPI_COMM_WORLD, &messages_[id]);
}

void MpiBackend::irecv(int id, Buffer& data) {
  const Message& message = program_.messages[index(id)];
  MPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, message.from, id, MPI_COMM_WORLD, &messages_[id]);
}

void MpiBackend::send(int id, const Buffer& data) {
  MPI_Send(data.data(), static_cast<int>(data.size()), MPI_BYTE, program_.messages[index(id)].to, id, MPI_COMM_WORLD);
}

void MpiBackend::recv(int id, Buffer& data) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_BYTE, program_.messages[index(id)].from, id, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

}  // namespace weir::programs

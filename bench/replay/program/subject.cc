#include "replay/program/subject.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "replay/distinct.h"
#include "replay/program/structure_type.h"
#include "workloads/program/job.h"
#include "workloads/program/raw_file.h"
#include "workloads/program/values.h"

namespace bench {
namespace {

namespace capture = weir::capture;
using capture::Op;
using capture::OpKind;
using capture::Seen;

constexpr std::int64_t kAlignment = 16;       // of each access's memory
constexpr std::size_t kMostRunning = 64;      // nonblocking accesses of a file
constexpr std::int64_t kPartBytes = 1 << 20;  // of a file, looked at together

bool begins_nonblocking(const Op& op) {
  return op.manner == weir::Manner::kNonblocking || op.manner == weir::Manner::kPersistent;
}

// Calls visit(file offset, bytes in memory) for the pieces of the first `bytes` bytes of an access.
template <typename Visit>
void for_each_slice(const weir::layout::RequestList& requests, std::int64_t bytes, Visit visit) {
  auto slices = requests.slices();
  for (std::int64_t left = bytes; left > 0;) {
    const weir::layout::Slice slice = slices.next(left);
    if (slice.bytes == 0) return;
    visit(slice.file_offset, std::span(slice.memory, static_cast<std::size_t>(slice.bytes)));
    left -= slice.bytes;
  }
}

MPI_Info info_of(const weir::hints::Pairs& captured, const std::map<std::string, std::string>& more) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  for (const auto& [key, value] : captured) MPI_Info_set(info, key.c_str(), value.c_str());
  for (const auto& [key, value] : more) MPI_Info_set(info, key.c_str(), value.c_str());
  return info;
}

// Places are taken from the capture: files may be opened for more than they were, and pointers need not move.
int amode_of(unsigned mode) {
  const bool reads = (mode & capture::kReads) != 0;
  const bool writes = (mode & capture::kWrites) != 0;
  int amode = reads && writes ? MPI_MODE_RDWR : writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
  if ((mode & capture::kCreates) != 0) amode |= MPI_MODE_CREATE;
  if ((mode & capture::kUniqueOpen) != 0) amode |= MPI_MODE_UNIQUE_OPEN;
  return amode;
}

// What a read may bring: what was there, what is written by anyone, or nothing at all.
bool may_be(std::int64_t offset, std::span<const std::byte> found, std::uint32_t salt) {
  std::vector<std::byte> written(found.size());
  std::vector<std::byte> before(found.size());
  put_values(offset, salt, written);
  put_values(offset, kUntouched, before);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != written[i] && found[i] != before[i] && found[i] != std::byte{0}) return false;
  }
  return true;
}

}  // namespace

ReplaySubject::ReplaySubject(const capture::Capture& capture, Places places, const Meeting& meeting)
    : capture_(capture), places_(std::move(places)), meeting_(meeting), files_(files_of(capture)) {
  make_groups();
  make_types();
  place_accesses();
}

ReplaySubject::~ReplaySubject() {
  for (MPI_Comm& group : groups_) {
    if (group != MPI_COMM_NULL && group != MPI_COMM_WORLD && group != MPI_COMM_SELF) MPI_Comm_free(&group);
  }
}

// In the order of the table on all ranks.
void ReplaySubject::make_groups() {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (std::size_t number = 0; number < capture_.groups.size(); ++number) {
    const capture::Group& ranks = capture_.groups[number];
    MPI_Comm& made = groups_.emplace_back(MPI_COMM_NULL);
    if (std::ranges::find(ranks, own_rank()) == ranks.end()) continue;
    MPI_Group group = MPI_GROUP_NULL;
    check_mpi(MPI_Group_incl(world, to_int(std::ssize(ranks)), ranks.data(), &group), "MPI_Group_incl");
    check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, group, static_cast<int>(number), &made), "MPI_Comm_create_group");
    MPI_Group_free(&group);
  }
  MPI_Group_free(&world);
}

void ReplaySubject::make_types() {
  capture::walk(capture_, own_rank(), [&](const Seen& seen) {
    if (seen.number > 0) return;
    if (seen.op.kind == OpKind::kAccess && seen.op.what != capture::kNothing) {
      const auto key = std::pair(seen.op.what, seen.op.first);
      if (shapes_.contains(key)) return;
      const weir::layout::Layout memory = distinct(seen.memory);
      shapes_.emplace(key, Shape{memory, structure_type(memory)});
    }
    if (seen.op.kind == OpKind::kSetView) {
      views_.emplace(&seen.op,
                     std::pair(bytes_type(seen.op.etype_bytes), tile_type(seen.view.filetype(), seen.op.extent)));
    }
  });
}

void ReplaySubject::place_accesses() {
  std::int64_t end = 0;
  capture::walk(capture_, own_rank(), [&](const Seen& seen) {
    if (seen.op.kind != OpKind::kAccess) return;
    accesses_.push_back({.begin = end});
    if (seen.bytes() == 0) return;
    end += (shape_of(seen.op).layout.span().bytes() + kAlignment - 1) / kAlignment * kAlignment;
    moved_bytes_ += seen.bytes();
  });
  memory_.resize(static_cast<std::size_t>(end));
}

const ReplaySubject::Shape& ReplaySubject::shape_of(const Op& op) const { return shapes_.at({op.what, op.first}); }

weir::layout::RequestList ReplaySubject::requests_of(const Seen& seen, std::size_t access) {
  const weir::layout::Layout& memory = shape_of(seen.op).layout;
  std::byte* base = memory_.data() + accesses_[access].begin - memory.span().begin;
  return weir::layout::RequestList::in_file(seen.wanted(), {base, memory});
}

std::string ReplaySubject::path_of(std::size_t file) const {
  return places_.directory + "/replayed-" + std::to_string(file);
}

std::int64_t ReplaySubject::file_bytes() const {
  std::int64_t bytes = 0;
  for (const ReplayedFile& file : files_.all) bytes += file.end_bytes;
  return bytes;
}

// Those that were there are made again, with values that no call writes.
void ReplaySubject::reset_file(std::size_t file) const {
  ::unlink(path_of(file).c_str());
  if (files_.all[file].begin_bytes == 0) return;
  make_file(path_of(file));
  const RawFile raw(path_of(file), O_WRONLY);
  std::vector<std::byte> values;
  for (std::int64_t offset = 0; offset < files_.all[file].begin_bytes; offset += kPartBytes) {
    values.resize(static_cast<std::size_t>(std::min(kPartBytes, files_.all[file].begin_bytes - offset)));
    put_values(offset, kUntouched, values);
    raw.move(bench::Direction::kWrite, offset, values);
  }
}

void ReplaySubject::fill_accesses(std::uint32_t salt) {
  clear_memory(memory_);
  std::size_t access = 0;
  capture::walk(capture_, own_rank(), [&](const Seen& seen) {
    if (seen.op.kind != OpKind::kAccess) return;
    const std::size_t number = access++;
    if (seen.op.direction != weir::Direction::kWrite || seen.bytes() == 0) return;
    for_each_slice(requests_of(seen, number), seen.bytes(),
                   [&](std::int64_t offset, std::span<std::byte> bytes) { put_values(offset, salt, bytes); });
  });
}

void ReplaySubject::prepare(std::uint32_t salt) {
  meeting_.wait();
  for (std::size_t file = 0; file < files_.all.size() && own_rank() == 0; ++file) reset_file(file);
  fill_accesses(salt);
  meeting_.wait();
}

double ReplaySubject::run() {
  std::vector<File> files;
  std::size_t access = 0;
  const Stretch stretch(meeting_);
  capture::walk(capture_, own_rank(), [&](const Seen& seen) { call(seen, files, access); });
  for (File& file : files) {
    if (file.handle == MPI_FILE_NULL) continue;  // the program left it open: so far, all ranks of it have
    finish(file);
    check_mpi(MPI_File_close(&file.handle), "closing");
  }
  return stretch.end();
}

void ReplaySubject::call(const Seen& seen, std::vector<File>& files, std::size_t& access) {
  if (seen.op.kind == OpKind::kOpen) return open(seen, files);
  File& file = files[static_cast<std::size_t>(seen.op.file)];
  end_split(file);
  if (seen.op.kind == OpKind::kAccess) return start_access(seen, file, access++);
  if (seen.op.kind != OpKind::kEndSplit) finish(file);
  switch (seen.op.kind) {
    case OpKind::kSetView: return set_view(seen, file);
    case OpKind::kSync: return check_mpi(MPI_File_sync(file.handle), "MPI_File_sync");
    case OpKind::kSetSize: return check_mpi(MPI_File_set_size(file.handle, seen.place), "MPI_File_set_size");
    case OpKind::kPreallocate: return check_mpi(MPI_File_preallocate(file.handle, seen.place), "MPI_File_preallocate");
    case OpKind::kSetAtomicity:
      return check_mpi(MPI_File_set_atomicity(file.handle, static_cast<int>(seen.place)), "MPI_File_set_atomicity");
    case OpKind::kClose: return check_mpi(MPI_File_close(&file.handle), "MPI_File_close");
    default: return;
  }
}

void ReplaySubject::open(const Seen& seen, std::vector<File>& files) {
  static const weir::hints::Pairs kNone;
  const capture::Open& open = seen.open;
  const bool hinted = open.hints != capture::kNothing;
  MPI_Info info = info_of(hinted ? capture_.hints[static_cast<std::size_t>(open.hints)] : kNone, places_.hints);
  const std::string path = path_of(files_.of(own_rank(), seen.op));
  File& file = files.emplace_back();
  check_mpi(MPI_File_open(groups_[static_cast<std::size_t>(open.ranks)], path.c_str(), amode_of(open.mode), info,
                          &file.handle),
            "opening", path);
  MPI_Info_free(&info);
}

void ReplaySubject::set_view(const Seen& seen, File& file) {
  const auto& [etype, filetype] = views_.at(&seen.op);
  check_mpi(MPI_File_set_view(file.handle, seen.place, etype.get(), filetype.get(), "native", MPI_INFO_NULL),
            "MPI_File_set_view");
}

void ReplaySubject::start_access(const Seen& seen, File& file, std::size_t access) {
  const Op& op = seen.op;
  const bool empty = op.what == capture::kNothing;
  const MPI_Datatype type = empty ? MPI_BYTE : shape_of(op).type.get();
  const int count = empty ? 0 : 1;
  std::byte* buffer = memory_.data() + accesses_[access].begin - (empty ? 0 : shape_of(op).layout.span().begin);
  const bool writing = op.direction == weir::Direction::kWrite;
  MPI_Status status;
  if (begins_nonblocking(op)) {
    if (file.running.size() >= kMostRunning) finish(file);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto write = op.collective ? MPI_File_iwrite_at_all : MPI_File_iwrite_at;
    const auto read = op.collective ? MPI_File_iread_at_all : MPI_File_iread_at;
    check_mpi(writing ? write(file.handle, seen.place, buffer, count, type, &request)
                      : read(file.handle, seen.place, buffer, count, type, &request),
              "a nonblocking access");
    file.running.emplace_back(request, access);
  } else if (op.manner == weir::Manner::kSplit) {
    check_mpi(writing ? MPI_File_write_at_all_begin(file.handle, seen.place, buffer, count, type)
                      : MPI_File_read_at_all_begin(file.handle, seen.place, buffer, count, type),
              "a split access");
    file.split = &op;
    file.split_access = access;
  } else {
    const auto write = op.collective ? MPI_File_write_at_all : MPI_File_write_at;
    const auto read = op.collective ? MPI_File_read_at_all : MPI_File_read_at;
    check_mpi(writing ? write(file.handle, seen.place, buffer, count, type, &status)
                      : read(file.handle, seen.place, buffer, count, type, &status),
              writing ? "writing" : "reading");
    note(access, status);
  }
}

void ReplaySubject::note(std::size_t access, MPI_Status& status) {
  MPI_Count bytes = 0;
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  accesses_[access].moved = bytes == MPI_UNDEFINED ? 0 : bytes;
}

void ReplaySubject::end_split(File& file) {
  if (file.split == nullptr) return;
  MPI_Status status;
  std::byte* buffer = memory_.data() + accesses_[file.split_access].begin;
  const bool writing = file.split->direction == weir::Direction::kWrite;
  check_mpi(writing ? MPI_File_write_at_all_end(file.handle, buffer, &status)
                    : MPI_File_read_at_all_end(file.handle, buffer, &status),
            "the end of a split access");
  note(file.split_access, status);
  file.split = nullptr;
}

void ReplaySubject::finish(File& file) {
  end_split(file);
  for (auto& [request, access] : file.running) {
    MPI_Status status;
    check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
    note(access, status);
  }
  file.running.clear();
}

bool ReplaySubject::is_right(std::uint32_t salt) {
  meeting_.wait();
  bool right = reads_are_right(salt);
  for (std::size_t file = 0; file < files_.all.size(); ++file) right = file_is_right(file, salt) && right;
  return on_all_ranks(right);
}

// A file that only grows has all that it had at the begin.
bool ReplaySubject::reads_are_right(std::uint32_t salt) {
  bool right = true;
  std::size_t access = 0;
  capture::walk(capture_, own_rank(), [&](const Seen& seen) {
    if (seen.op.kind != OpKind::kAccess) return;
    const std::size_t number = access++;
    if (seen.op.direction != weir::Direction::kRead || seen.bytes() == 0) return;
    const weir::layout::RequestList requests = requests_of(seen, number);
    const ReplayedFile& file = files_.all[files_.of(own_rank(), seen.op)];
    const std::int64_t moved = accesses_[number].moved;
    const bool was_there = !file.shrinks && seen.wanted().span().end <= file.begin_bytes;
    right = right && (!was_there || moved == seen.bytes());
    for_each_slice(requests, moved, [&](std::int64_t offset, std::span<std::byte> bytes) {
      right = right && may_be(offset, bytes, salt);
    });
  });
  return right;
}

// Each rank looks at every so-many-th part.
bool ReplaySubject::file_is_right(std::size_t file, std::uint32_t salt) const {
  const RawFile raw(path_of(file), O_RDONLY);
  const std::int64_t size = files_.all[file].end_bytes;
  if (raw.bytes() != size) return false;
  std::vector<std::byte> found;
  for (std::int64_t begin = own_rank() * kPartBytes; begin < size; begin += all_ranks() * kPartBytes) {
    const weir::Extent part{begin, std::min(begin + kPartBytes, size)};
    const std::vector<Content> content = content_of(capture_, files_, file, part);
    found.resize(content.size());
    raw.move(bench::Direction::kRead, part.begin, found);
    std::vector<std::byte> written(found.size());
    std::vector<std::byte> before(found.size());
    put_values(part.begin, salt, written);
    put_values(part.begin, kUntouched, before);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::byte wanted = content[i] == Content::kWritten    ? written[i]
                               : content[i] == Content::kAsBefore ? before[i]
                                                                  : std::byte{0};
      if (found[i] != wanted) return false;
    }
  }
  return true;
}

void ReplaySubject::remove_files() const {
  meeting_.wait();
  for (std::size_t file = 0; file < files_.all.size() && own_rank() == 0; ++file) ::unlink(path_of(file).c_str());
  meeting_.wait();
}

}  // namespace bench

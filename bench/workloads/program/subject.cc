#include "workloads/program/subject.h"

#include <unistd.h>

#include <array>
#include <utility>
#include <variant>

#include "workloads/program/job.h"

namespace bench {
namespace {

// Seconds from when the first rank begins until the last one has finished. Each rank's own duration would not do: with
// more ranks than cores they take turns, and a rank that has not begun yet does not count the others' time. So every
// rank waits for the last one before it looks at its clock, which needs no clock common to all.
class Stretch {
 public:
  // COLLECTIVE.
  Stretch() {
    MPI_Barrier(MPI_COMM_WORLD);
    begin_ = MPI_Wtime();
  }

  // COLLECTIVE. Equal on all ranks.
  double end() const {
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - begin_;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }

 private:
  double begin_ = 0;
};

// Where call `number` begins, in elements of the view.
MPI_Offset offset_of(const Access& access, int number) {
  const bool plain = std::holds_alternative<Plain>(access.file);
  const std::int64_t bytes =
      plain ? call_origin(access, number) - access.displacement : number * data_bytes(access.file);
  return bytes / element_of(access.file).bytes();
}

std::map<std::string, std::string> hints_of(MPI_File file) {
  std::map<std::string, std::string> hints;
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return hints;
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    MPI_Info_get_nthkey(info, i, key.data());
    MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &found);
    if (found != 0) hints[key.data()] = value.data();
  }
  MPI_Info_free(&info);
  return hints;
}

}  // namespace

Subject::Subject(FileUse use, Share share, const std::function<Share(int)>& share_of_rank)
    : use_(std::move(use)), share_(std::move(share)), memory_(static_cast<std::size_t>(memory_bytes(share_))) {
  for (const Access& access : share_.accesses) {
    types_.push_back({mpi_type(element_of(access.file)), mpi_type(access.file), mpi_type(access.memory)});
  }
  remove_file();
  if (!share_.holes || use_.direction == Direction::kRead) return;
  const FilePart part = part_of(own_rank() + 1);
  for (int rank = 0; rank < all_ranks(); ++rank) cover(part, share_of_rank(rank), coverage_);
  write_file(kUntouched);
}

// Each rank looks at what another one has written, as far as that can be told.
FilePart Subject::part_of(int rank) const {
  return {.path = use_.path, .file_bytes = share_.file_bytes, .part = rank % all_ranks(), .parts = all_ranks()};
}

// The file is made by one rank: when the job is ended, no other makes it again.
void Subject::write_file(std::uint32_t salt) const {
  if (own_rank() == 0) make_file(use_.path);
  MPI_Barrier(MPI_COMM_WORLD);
  write_part(part_of(own_rank()), salt);
  MPI_Barrier(MPI_COMM_WORLD);
}

void Subject::prepare(std::uint32_t salt) {
  if (use_.direction == Direction::kWrite) {
    fill_memory(share_, salt, memory_);
    return;
  }
  clear_memory(memory_);
  write_file(salt);
}

MPI_File Subject::open() const {
  const int mode = use_.direction == Direction::kWrite ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
  MPI_File file = MPI_FILE_NULL;
  check_mpi(MPI_File_open(MPI_COMM_WORLD, use_.path.c_str(), mode, use_.hints, &file), "opening", use_.path);
  return file;
}

void Subject::set_view(MPI_File file, std::size_t access) const {
  check_mpi(MPI_File_set_view(file, share_.accesses[access].displacement, types_[access].etype.get(),
                              types_[access].file.get(), "native", MPI_INFO_NULL),
            "setting a view of", use_.path);
}

void Subject::call(MPI_File file, std::size_t access, int number, std::byte* memory) const {
  const MPI_Offset offset = offset_of(share_.accesses[access], number);
  const int count = mpi_count(share_.accesses[access].memory);
  const MPI_Datatype type = types_[access].memory.get();
  if (use_.direction == Direction::kWrite) {
    const auto write = share_.collective ? MPI_File_write_at_all : MPI_File_write_at;
    check_mpi(write(file, offset, memory, count, type, MPI_STATUS_IGNORE), "writing", use_.path);
  } else {
    const auto read = share_.collective ? MPI_File_read_at_all : MPI_File_read_at;
    check_mpi(read(file, offset, memory, count, type, MPI_STATUS_IGNORE), "reading", use_.path);
  }
}

double Subject::timed_calls(MPI_File file, std::size_t access, std::byte* memory) const {
  const std::int64_t step = span_bytes(share_.accesses[access].memory);
  const Stretch stretch;
  for (int number = 0; number < share_.accesses[access].calls; ++number) {
    call(file, access, number, memory + number * step);
  }
  return stretch.end();
}

Stopwatch Subject::run() {
  std::byte* memory = memory_.data();
  Stopwatch spent;
  const Stretch stretch;
  MPI_File file = open();
  for (std::size_t access = 0; access < share_.accesses.size(); ++access) {
    set_view(file, access);
    spent.calls += timed_calls(file, access, memory);
    memory += share_.accesses[access].calls * span_bytes(share_.accesses[access].memory);
  }
  if (hints_.empty()) hints_ = hints_of(file);
  check_mpi(MPI_File_close(&file), "closing", use_.path);
  spent.whole = stretch.end();
  return spent;
}

bool Subject::is_right(std::uint32_t salt) {
  if (use_.direction == Direction::kRead) return on_all_ranks(memory_is_right(share_, salt, memory_));
  return on_all_ranks(part_is_right(part_of(own_rank() + 1), salt, coverage_));
}

void Subject::remove_file() const {
  MPI_Barrier(MPI_COMM_WORLD);
  if (own_rank() == 0) ::unlink(use_.path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace bench

#include "subject.h"

#include <unistd.h>

#include <utility>
#include <variant>

#include "mpi_check.h"
#include "values.h"

namespace bench {
namespace {

int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int all_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

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

// COLLECTIVE.
bool on_all_ranks(bool right) {
  int all = right ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

// Where call `number` begins, in elements of the view.
MPI_Offset offset_of(const Access& access, int number) {
  const bool plain = std::holds_alternative<Plain>(access.file);
  const std::int64_t step = plain ? access.stride_bytes : data_bytes(access.file);
  return number * step / element_of(access.file).bytes();
}

}  // namespace

Subject::Subject(std::string path, Workload workload, MPI_Info hints)
    : path_(std::move(path)),
      workload_(std::move(workload)),
      hints_(hints),
      memory_(static_cast<std::size_t>(memory_bytes(workload_))) {
  for (const Access& access : workload_.accesses) {
    types_.push_back({mpi_type(element_of(access.file)), mpi_type(access.file), mpi_type(access.memory)});
  }
}

void Subject::prepare(Direction direction, std::uint32_t salt) {
  if (direction == Direction::kWrite) {
    fill_memory(workload_, salt, memory_);
    return;
  }
  clear_memory(memory_);
  if (!write_part({path_, workload_.file_bytes, own_rank(), all_ranks()}, salt)) end_job("cannot write " + path_);
  MPI_Barrier(MPI_COMM_WORLD);
}

MPI_File Subject::open(Direction direction) const {
  const int mode = direction == Direction::kWrite ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
  MPI_File file = MPI_FILE_NULL;
  check(MPI_File_open(MPI_COMM_WORLD, path_.c_str(), mode, hints_, &file), "MPI_File_open");
  return file;
}

void Subject::set_view(MPI_File file, std::size_t access) const {
  check(MPI_File_set_view(file, workload_.accesses[access].displacement, types_[access].etype.get(),
                          types_[access].file.get(), "native", MPI_INFO_NULL),
        "MPI_File_set_view");
}

void Subject::call(MPI_File file, std::size_t access, int number, std::byte* memory, Direction direction) const {
  const MPI_Offset offset = offset_of(workload_.accesses[access], number);
  const int count = mpi_count(workload_.accesses[access].memory);
  const MPI_Datatype type = types_[access].memory.get();
  if (direction == Direction::kWrite) {
    const auto write = workload_.collective ? MPI_File_write_at_all : MPI_File_write_at;
    check(write(file, offset, memory, count, type, MPI_STATUS_IGNORE), "writing");
  } else {
    const auto read = workload_.collective ? MPI_File_read_at_all : MPI_File_read_at;
    check(read(file, offset, memory, count, type, MPI_STATUS_IGNORE), "reading");
  }
}

double Subject::timed_calls(MPI_File file, std::size_t access, std::byte* memory, Direction direction) const {
  const std::int64_t step = span_bytes(workload_.accesses[access].memory);
  const Stretch stretch;
  for (int number = 0; number < workload_.accesses[access].calls; ++number) {
    call(file, access, number, memory + number * step, direction);
  }
  return stretch.end();
}

void Subject::run(Direction direction, Times* times) {
  std::byte* memory = memory_.data();
  double calls = 0;
  const Stretch stretch;
  MPI_File file = open(direction);
  for (std::size_t access = 0; access < workload_.accesses.size(); ++access) {
    set_view(file, access);
    calls += timed_calls(file, access, memory, direction);
    memory += workload_.accesses[access].calls * span_bytes(workload_.accesses[access].memory);
  }
  check(MPI_File_close(&file), "MPI_File_close");
  const double whole = stretch.end();
  if (times == nullptr) return;
  times->calls.push_back(calls);
  times->whole.push_back(whole);
}

bool Subject::is_right(Direction direction, std::uint32_t salt) {
  if (direction == Direction::kRead) return on_all_ranks(memory_is_right(workload_, salt, memory_));
  const int other = (own_rank() + 1) % all_ranks();
  return on_all_ranks(part_is_right({path_, workload_.file_bytes, other, all_ranks()}, salt));
}

void Subject::remove_file() const {
  MPI_Barrier(MPI_COMM_WORLD);
  if (own_rank() == 0) ::unlink(path_.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace bench

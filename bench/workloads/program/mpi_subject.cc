#include "workloads/program/mpi_subject.h"

#include <array>
#include <utility>
#include <variant>

#include "workloads/program/job.h"

namespace bench {
namespace {

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

Memory memory_of(const Share& share) { return Memory::as_programs_have(memory_bytes(share)); }

}  // namespace

MpiSubject::MpiSubject(FileUse use, MPI_Info hints, const std::function<Share(int)>& share_of_rank,
                       const Meeting& meeting)
    : Subject(std::move(use), share_of_rank(own_rank()), memory_of, meeting), hints_(hints) {
  for (const Access& access : share().accesses) {
    types_.push_back({mpi_type(element_of(access.file)), mpi_type(access.file), mpi_type(access.memory)});
  }
  if (!share().holes || this->use().direction == Direction::kRead) return;
  Coverage coverage;
  for (int rank = 0; rank < all_ranks(); ++rank) cover(looked_at(), share_of_rank(rank), coverage);
  set_coverage(std::move(coverage));
  write_file(kUntouched);
}

MPI_File MpiSubject::open() const {
  const int mode = use().direction == Direction::kWrite ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
  MPI_File file = MPI_FILE_NULL;
  check_mpi(MPI_File_open(MPI_COMM_WORLD, use().path.c_str(), mode, hints_, &file), "opening", use().path);
  return file;
}

void MpiSubject::set_view(MPI_File file, std::size_t access) const {
  check_mpi(MPI_File_set_view(file, share().accesses[access].displacement, types_[access].etype.get(),
                              types_[access].file.get(), "native", MPI_INFO_NULL),
            "setting a view of", use().path);
}

void MpiSubject::call(MPI_File file, std::size_t access, int number, std::byte* memory) const {
  const MPI_Offset offset = offset_of(share().accesses[access], number);
  const int count = mpi_count(share().accesses[access].memory);
  const MPI_Datatype type = types_[access].memory.get();
  if (use().direction == Direction::kWrite) {
    const auto write = share().collective ? MPI_File_write_at_all : MPI_File_write_at;
    check_mpi(write(file, offset, memory, count, type, MPI_STATUS_IGNORE), "writing", use().path);
  } else {
    const auto read = share().collective ? MPI_File_read_at_all : MPI_File_read_at;
    check_mpi(read(file, offset, memory, count, type, MPI_STATUS_IGNORE), "reading", use().path);
  }
}

double MpiSubject::timed_calls(MPI_File file, std::size_t access, std::byte* memory) const {
  const std::int64_t step = span_bytes(share().accesses[access].memory);
  const Stretch stretch(meeting());
  for (int number = 0; number < share().accesses[access].calls; ++number) {
    call(file, access, number, memory + number * step);
  }
  return stretch.end();
}

Stopwatch MpiSubject::run() {
  std::byte* next = memory().data();
  Stopwatch spent;
  const Stretch stretch(meeting());
  MPI_File file = open();
  for (std::size_t access = 0; access < share().accesses.size(); ++access) {
    set_view(file, access);
    spent.calls += timed_calls(file, access, next);
    next += share().accesses[access].calls * span_bytes(share().accesses[access].memory);
  }
  if (found_hints_.empty()) found_hints_ = hints_of(file);
  const Stretch closing(meeting());
  check_mpi(MPI_File_close(&file), "closing", use().path);
  if (share().to_close && use().direction == Direction::kWrite) spent.calls += closing.end();
  spent.whole = stretch.end();
  return spent;
}

}  // namespace bench

#include "view_oracle.h"

#include <algorithm>

namespace mpi_test {

namespace {

constexpr std::uint8_t kUntouched = 0xEE;

std::uint8_t value_of(int of_rank, std::size_t index) {
  return static_cast<std::uint8_t>(static_cast<std::size_t>(of_rank) * 37 + index * 101 + index / 256 + 1);
}

// Memory for `count` items of a type whose pieces may lie before the buffer's address.
class Memory {
 public:
  Memory(const TypeModel& type, int count) : offsets_(memory_offsets(type, count)) {
    const auto [least, most] = std::minmax_element(offsets_.begin(), offsets_.end());
    before_ = offsets_.empty() ? 0 : std::max<MPI_Aint>(0, -*least);
    bytes_.assign(static_cast<std::size_t>(before_ + (offsets_.empty() ? 0 : *most + 1)) + 8, kUntouched);
  }

  void* address() { return bytes_.data() + before_; }
  const Bytes& bytes() const { return bytes_; }
  std::size_t data_bytes() const { return offsets_.size(); }
  std::uint8_t& data(std::size_t index) { return bytes_[static_cast<std::size_t>(before_ + offsets_[index])]; }

 private:
  std::vector<MPI_Aint> offsets_;
  MPI_Aint before_ = 0;
  Bytes bytes_;
};

void set_view(MPI_File file, const AccessOp& op, const ViewAccess& access) {
  EXPECT_OK(MPI_File_set_view(file, access.displacement, access.etype.type(), access.file_type.type(), "native",
                              MPI_INFO_NULL))
      << access.text();
  if (op.pointer == Pointer::kIndividual) {
    EXPECT_OK(MPI_File_seek(file, access.first_etype, MPI_SEEK_SET));
  } else if (op.shared()) {
    EXPECT_OK(MPI_File_seek_shared(file, access.first_etype, MPI_SEEK_SET));
  }
}

// COLLECTIVE. The file offsets of this rank's bytes.
std::vector<MPI_Offset> target_offsets(const AccessOp& op, const ViewAccess& access) {
  MPI_Offset first = access.first_etype * access.etype.bytes();
  if (op.shared()) {
    MPI_Offset bytes = access.bytes();
    MPI_Offset before = 0;
    MPI_Exscan(&bytes, &before, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);
    first += rank() == 0 ? 0 : before;
  }
  return view_offsets(access.file_type, access.displacement, first, access.bytes());
}

// COLLECTIVE. `old` with all ranks' bytes in place, on rank 0.
Bytes with_all_writes(Bytes old, const std::vector<MPI_Offset>& offsets, Memory& memory) {
  std::vector<MPI_Offset> mine;  // offset and value in one
  for (std::size_t i = 0; i < offsets.size(); ++i) mine.push_back(offsets[i] * 256 + memory.data(i));
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(size()));
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> starts(counts.size(), 0);
  for (std::size_t r = 1; r < counts.size(); ++r) starts[r] = starts[r - 1] + counts[r - 1];
  std::vector<MPI_Offset> all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Gatherv(mine.data(), count, MPI_OFFSET, all.data(), counts.data(), starts.data(), MPI_OFFSET, 0, MPI_COMM_WORLD);
  for (const MPI_Offset entry : all) {
    const auto offset = static_cast<std::size_t>(entry / 256);
    if (offset >= old.size()) old.resize(offset + 1, 0);
    old[offset] = static_cast<std::uint8_t>(entry % 256);
  }
  return old;
}

}  // namespace

std::string ViewAccess::text() const {
  return "rank " + std::to_string(rank()) + ": etype " + etype.text() + "\n  file type " + file_type.text() +
         "\n  displacement " + std::to_string(displacement) + ", first etype " + std::to_string(first_etype) +
         "\n  memory " + std::to_string(memory_count) + " x " + memory_type.text();
}

void check_write(const char* path, const AccessOp& op, const ViewAccess& access, const Bytes& old) {
  make_file(path, old);
  const std::vector<MPI_Offset> offsets = target_offsets(op, access);
  Memory memory(access.memory_type, access.memory_count);
  for (std::size_t i = 0; i < memory.data_bytes(); ++i) memory.data(i) = value_of(rank(), i);
  {
    const File file(path, MPI_MODE_RDWR);
    set_view(file, op, access);
    MPI_Status status;
    EXPECT_OK(
        op.run(file, access.first_etype, memory.address(), access.memory_count, access.memory_type.type(), &status));
    EXPECT_EQ(moved_bytes(status), access.bytes()) << op.name << "\n" << access.text();
  }
  const Bytes expected = with_all_writes(old, offsets, memory);
  const Bytes found = file_bytes(path);
  int right = rank() != 0 || first_difference(found, expected).empty() ? 1 : 0;
  MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ(right, 1) << op.name << (rank() == 0 ? "\n" + first_difference(found, expected) : "") << "\n"
                      << access.text();
}

void check_read(const char* path, const AccessOp& op, const ViewAccess& access, const Bytes& content) {
  make_file(path, content);
  const std::vector<MPI_Offset> offsets = target_offsets(op, access);
  Memory memory(access.memory_type, access.memory_count);
  Memory expected(access.memory_type, access.memory_count);
  std::size_t readable = 0;
  while (readable < offsets.size() && offsets[readable] < static_cast<MPI_Offset>(content.size())) ++readable;
  for (std::size_t i = 0; i < readable; ++i) expected.data(i) = content[static_cast<std::size_t>(offsets[i])];
  const File file(path, MPI_MODE_RDONLY);
  set_view(file, op, access);
  MPI_Status status;
  EXPECT_OK(
      op.run(file, access.first_etype, memory.address(), access.memory_count, access.memory_type.type(), &status));
  EXPECT_EQ(moved_bytes(status), static_cast<std::int64_t>(readable)) << op.name << "\n" << access.text();
  const std::string difference = first_difference(memory.bytes(), expected.bytes());
  EXPECT_EQ(difference, "") << op.name << ", in memory\n" << access.text();
}

std::string first_difference(const Bytes& found, const Bytes& expected) {
  const std::size_t common = std::min(found.size(), expected.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (found[i] != expected[i]) {
      return "byte " + std::to_string(i) + " is " + std::to_string(found[i]) + ", expected " +
             std::to_string(expected[i]);
    }
  }
  if (found.size() == expected.size()) return "";
  return std::to_string(found.size()) + " bytes, expected " + std::to_string(expected.size());
}

}  // namespace mpi_test

// More than 2^31 and 2^32 of everything: offsets, positions, sizes, bytes in one call.
#include <sys/mman.h>
#include <sys/statvfs.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr MPI_Offset kFar = (MPI_Offset{1} << 33) + 12;
constexpr std::int64_t kGibi = std::int64_t{1} << 30;

std::int64_t available_memory() {
  std::ifstream facts("/proc/meminfo");
  for (std::string word; facts >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "MemAvailable:" && facts >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

bool have_room(std::int64_t disk_bytes, std::int64_t memory_bytes) {
  struct statvfs disk {};
  if (statvfs(environment("TEST_DIR").c_str(), &disk) != 0) return false;
  const auto free_disk = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  return free_disk > disk_bytes && available_memory() > memory_bytes;
}

class Far : public testing::TestWithParam<AccessOp> {};

// Sparse files: little is written, far out.
TEST_P(Far, BeyondTwoToThe33) {
  const AccessOp& op = GetParam();
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  std::array<int, 4> data = {};
  const MPI_Offset mine = kFar / 4 + 4 * rank();  // in ints
  if (!op.writes()) {
    data = {rank(), 1, 2, 3};
    EXPECT_OK(MPI_File_write_at(file, 4 * mine, data.data(), 4, MPI_INT, MPI_STATUS_IGNORE));
    data = {};
    EXPECT_OK(MPI_File_sync(file));
    meet("written");
  } else {
    data = {rank(), 1, 2, 3};
  }
  set_plain_view(file, MPI_INT);
  EXPECT_OK(MPI_File_seek(file, mine, MPI_SEEK_SET));
  EXPECT_EQ(position(file), mine);
  EXPECT_OK(MPI_File_seek_shared(file, kFar / 4, MPI_SEEK_SET));
  MPI_Status status;
  EXPECT_OK(op.run(file, mine, data.data(), 4, MPI_INT, &status));
  EXPECT_EQ(count_in(status, MPI_INT), 4);
  meet("accessed");
  MPI_Offset bytes = 0;
  EXPECT_OK(MPI_File_get_size(file, &bytes));
  EXPECT_EQ(bytes, kFar + 16 * size());
  if (op.pointer == Pointer::kIndividual) {
    EXPECT_EQ(position(file), mine + 4);
  } else if (op.shared()) {
    EXPECT_EQ(shared_position(file), kFar / 4 + 4 * size());
  }
  if (op.pointer != Pointer::kShared) {
    std::array<int, 4> found = data;
    if (op.writes()) {
      EXPECT_OK(MPI_File_read_at(file, mine, found.data(), 4, MPI_INT, MPI_STATUS_IGNORE));
    }
    EXPECT_EQ(found, (std::array<int, 4>{rank(), 1, 2, 3}));
  }
}

INSTANTIATE_TEST_SUITE_P(Large, Far, testing::ValuesIn(all_ops()), op_name<testing::TestParamInfo<AccessOp>>);

TEST(FarView, DisplacementSizeAndSeek) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  EXPECT_OK(MPI_File_set_size(file, kFar + 5));
  MPI_Offset bytes = 0;
  EXPECT_OK(MPI_File_get_size(file, &bytes));
  EXPECT_EQ(bytes, kFar + 5);
  set_plain_view(file, MPI_BYTE, kFar);
  EXPECT_OK(MPI_File_seek(file, 0, MPI_SEEK_END));
  EXPECT_EQ(position(file), 5);
  EXPECT_OK(MPI_File_get_byte_offset(file, kFar, &bytes));
  EXPECT_EQ(bytes, 2 * kFar);
}

// A file type of 6 GiB extent, dealt out in blocks of 4 KiB a gibibyte apart, to memory spread just as far.
TEST(FarView, TypesWithHolesOfGibibytes) {
  Scratch scratch;
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(6, 4096, kGibi, MPI_BYTE, &raw);
  const Type spread(raw);
  void* memory = mmap(nullptr, static_cast<std::size_t>(6 * kGibi), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space of 6 GiB";
  auto* at = static_cast<std::uint8_t*>(memory);
  for (int i = 0; i < 6; ++i) std::memset(at + i * kGibi, 10 * rank() + i + 1, 4096);
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_set_view(file, 4096 * rank(), MPI_BYTE, spread, "native", MPI_INFO_NULL));
    MPI_Status status;
    EXPECT_OK(MPI_File_write_at_all(file, 0, memory, 1, spread, &status));
    EXPECT_EQ(moved_bytes(status), 6 * 4096);
    for (int i = 0; i < 6; ++i) std::memset(at + i * kGibi, 0, 4096);
    EXPECT_OK(MPI_File_read_at_all(file, 0, memory, 1, spread, &status));
    EXPECT_EQ(moved_bytes(status), 6 * 4096);
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(at[i * kGibi], 10 * rank() + i + 1);
    EXPECT_EQ(at[i * kGibi + 4095], 10 * rank() + i + 1);
    EXPECT_EQ(at[i * kGibi + 4096], 0);
  }
  munmap(memory, static_cast<std::size_t>(6 * kGibi));
  EXPECT_EQ(file_size(scratch.path()), 5 * kGibi + 4096 * size());
}

// Memory in which every page tells its number.
class Pages {
 public:
  explicit Pages(std::int64_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Pages() { munmap(memory_, static_cast<std::size_t>(bytes_)); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void* data() { return memory_; }
  void number() {
    for (std::int64_t page = 0; page < bytes_ / kPage; ++page) at(page) = tag(page);
  }
  void clear() { madvise(memory_, static_cast<std::size_t>(bytes_), MADV_DONTNEED); }
  std::int64_t wrong_pages() {
    std::int64_t wrong = 0;
    for (std::int64_t page = 0; page < bytes_ / kPage; ++page) wrong += at(page) == tag(page) ? 0 : 1;
    return wrong;
  }

 private:
  static constexpr std::int64_t kPage = 4096;
  // A different place in every page, so that a shift by any number of bytes is seen.
  std::int64_t& at(std::int64_t page) {
    return *reinterpret_cast<std::int64_t*>(static_cast<char*>(memory_) + page * kPage + page % 500 * 8);
  }
  static std::int64_t tag(std::int64_t page) { return page * 2654435761 + 1; }

  std::int64_t bytes_;
  void* memory_ = nullptr;
};

TEST(OneCall, OfThreeGibibytes) {
  constexpr std::int64_t kBytes = 3 * kGibi;
  if (size() > 1) GTEST_SKIP() << "one rank is enough";
  if (!have_room(kBytes + kGibi, 2 * kBytes)) GTEST_SKIP() << "needs 4 GiB of disk and 6 GiB of memory free";
  Scratch scratch;
  Pages pages(kBytes);
  pages.number();
  const File file(scratch.path(), kUpdate);
  MPI_Status status;
  const Type mebibyte = Type::contiguous(1 << 20, MPI_BYTE);
  EXPECT_OK(MPI_File_write_at_all(file, 0, pages.data(), 3072, mebibyte, &status));
  EXPECT_EQ(moved_bytes(status), kBytes);
  EXPECT_EQ(count_in(status, mebibyte), 3072);
  EXPECT_EQ(file_size(scratch.path()), kBytes);
  pages.clear();
  EXPECT_OK(MPI_File_read_at(file, 0, pages.data(), static_cast<int>(kBytes / 4), MPI_INT, &status));
  EXPECT_EQ(moved_bytes(status), kBytes);
  EXPECT_EQ(count_in(status, MPI_INT), static_cast<int>(kBytes / 4));
  EXPECT_EQ(pages.wrong_pages(), 0);
#if MPI_VERSION >= 4
  pages.clear();
  MPI_Count count = 0;
  EXPECT_OK(MPI_File_read_all_c(file, pages.data(), kBytes, MPI_BYTE, &status));
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  EXPECT_EQ(count, kBytes);
  EXPECT_EQ(pages.wrong_pages(), 0);
#endif
}

}  // namespace

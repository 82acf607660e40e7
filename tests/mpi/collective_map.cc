#include "collective_map.h"

#include <algorithm>
#include <numeric>

namespace mpi_test {

namespace {

constexpr std::uint8_t kUntouched = 0xEE;
constexpr std::size_t kGuard = 8;

// COLLECTIVE: everything that ranks have, on rank 0.
std::vector<MPI_Offset> gather(const std::vector<MPI_Offset>& mine) {
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(size()));
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> starts(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  std::vector<MPI_Offset> all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Gatherv(mine.data(), count, MPI_OFFSET, all.data(), counts.data(), starts.data(), MPI_OFFSET, 0, MPI_COMM_WORLD);
  return all;
}

}  // namespace

Buffer::Buffer(const ViewAccess& access) : offsets_(memory_offsets(access.memory_type, access.memory_count)) {
  MPI_Aint end = 0;
  for (const MPI_Aint offset : offsets_) {
    before_ = std::max(before_, -offset);
    end = std::max(end, offset + 1);
  }
  before_ += kGuard;
  bytes_.assign(static_cast<std::size_t>(before_ + end) + kGuard, kUntouched);
}

bool Buffer::has_bytes_twice() const {
  std::vector<MPI_Aint> sorted = offsets_;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

std::vector<MPI_Offset> offsets_of(const ViewAccess& access) {
  return view_offsets(access.file_type, access.displacement, access.first_etype * access.etype.bytes(), access.bytes());
}

void FileMap::write(const std::vector<MPI_Offset>& offsets, Buffer& buffer) {
  std::vector<MPI_Offset> mine;  // offset and value in one
  for (std::size_t i = 0; i < offsets.size(); ++i) mine.push_back(offsets[i] * 256 + buffer.data(i));
  for (const MPI_Offset entry : gather(mine)) {
    const auto place = static_cast<std::size_t>(entry / 256);
    if (place >= bytes_.size()) bytes_.resize(place + 1, 0);
    bytes_[place] = static_cast<std::uint8_t>(entry % 256);
  }
}

Bytes FileMap::share() const {
  auto bytes = static_cast<MPI_Offset>(bytes_.size());
  MPI_Bcast(&bytes, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
  Bytes all = bytes_;
  all.resize(static_cast<std::size_t>(bytes));
  MPI_Bcast(all.data(), static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
  return all;
}

void FileMap::check(const char* path, const std::string& text) const {
  const Bytes found = file_bytes(path);
  if (rank() != 0) return;
  EXPECT_EQ(first_difference(found, bytes_), "") << text;
}

}  // namespace mpi_test

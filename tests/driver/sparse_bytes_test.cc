#include "driver/sparse_bytes.h"

#include <random>

#include "driver/support.h"

namespace weir::driver {
namespace {

Bytes all_of(const SparseBytes& sparse) {
  Bytes bytes(static_cast<std::size_t>(sparse.size()), std::byte{0xEE});
  sparse.read(0, bytes);
  return bytes;
}

TEST(SparseBytes, MatchesAPlainVectorAcrossPages) {
  std::mt19937 random(3);
  auto below = [&](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); };
  SparseBytes sparse;
  Bytes plain;
  for (int round = 0; round < 200; ++round) {
    int bytes = below(300000);
    if (below(2) == 0) {
      sparse.resize(bytes);
      plain.resize(static_cast<std::size_t>(bytes));
    }
    if (!plain.empty()) {
      int offset = below(static_cast<int>(plain.size()));
      Bytes written = pattern(below(static_cast<int>(plain.size()) - offset + 1), round);
      sparse.write(offset, written);
      std::copy(written.begin(), written.end(), plain.begin() + offset);
    }
    ASSERT_EQ(all_of(sparse), plain);
  }
}

TEST(SparseBytes, HolesCostNothing) {
  SparseBytes sparse;
  constexpr std::int64_t kFar = std::int64_t{1} << 50;
  sparse.resize(kFar);
  sparse.write(kFar - 10, pattern(10));
  Bytes back(20);
  sparse.read(kFar - 20, back);
  EXPECT_EQ(part(back, 0, 10), Bytes(10));
  EXPECT_EQ(part(back, 10, 20), pattern(10));
}

}  // namespace
}  // namespace weir::driver

#include "exec/file/access_mode.h"

#include <gtest/gtest.h>

#include <set>

namespace weir::exec {
namespace {

constexpr int kBits = 10;

AccessMode from_bits(int bits) {
  auto bit = [bits](int i) { return (bits >> i & 1) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8), bit(9)};
}

// As the standard says it, sentence by sentence.
bool may_stand(const AccessMode& mode) {
  const int ways = (mode.read_only ? 1 : 0) + (mode.write_only ? 1 : 0) + (mode.read_write ? 1 : 0);
  if (ways != 1 || mode.unknown_bits) return false;
  if (mode.read_only && mode.create) return false;
  if (mode.read_only && mode.exclusive) return false;
  return !(mode.sequential && mode.read_write);
}

TEST(AccessMode, EveryCombinationOfBitsIsJudged) {
  int good = 0;
  for (int bits = 0; bits < 1 << kBits; ++bits) {
    AccessMode mode = from_bits(bits);
    Status status = check(mode);
    EXPECT_EQ(status.error_class(), may_stand(mode) ? ErrorClass::kOk : ErrorClass::kAmode) << bits;
    good += status.ok() ? 1 : 0;
  }
  EXPECT_GT(good, 0);
}

TEST(AccessMode, EveryCombinationHasACodeOfItsOwn) {
  std::set<std::int64_t> codes;
  for (int bits = 0; bits < 1 << kBits; ++bits) codes.insert(code_of(from_bits(bits)));
  EXPECT_EQ(codes.size(), std::size_t{1} << kBits);
}

TEST(AccessMode, TellsTheDriverWhatItNeeds) {
  driver::OpenMode mode = open_mode_of({.write_only = true, .create = true, .exclusive = true});
  EXPECT_FALSE(mode.read);
  EXPECT_TRUE(mode.write);
  EXPECT_TRUE(mode.create);
  EXPECT_TRUE(mode.exclusive);
  mode = open_mode_of({.read_only = true});
  EXPECT_TRUE(mode.read);
  EXPECT_FALSE(mode.write || mode.create || mode.exclusive);
  mode = open_mode_of({.read_write = true});
  EXPECT_TRUE(mode.read && mode.write);
}

}  // namespace
}  // namespace weir::exec

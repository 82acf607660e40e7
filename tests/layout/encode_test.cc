#include "layout/encode.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "layout/counted_new.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Bytes = std::vector<std::byte>;
using Numbers = std::vector<std::int64_t>;

Bytes encoded(const Layout& layout) {
  Bytes bytes;
  encode(layout, bytes);
  return bytes;
}

void expect_round_trip(const Layout& layout) {
  Bytes bytes = encoded(layout);
  const std::size_t layout_bytes = bytes.size();
  bytes.push_back(std::byte{42});  // what follows is left alone
  std::span<const std::byte> in(bytes);
  const Result<Layout> result = decode(in);
  ASSERT_TRUE(result.ok()) << describe(layout);
  EXPECT_EQ(in.size(), 1U);
  EXPECT_EQ(result.value(), layout) << describe(layout);
  EXPECT_EQ(result.value().fingerprint(), layout.fingerprint());
  EXPECT_EQ(result.value().overflowed(), layout.overflowed());
  EXPECT_EQ(result.value().span(), layout.span());
  EXPECT_EQ(bytes.size(), layout_bytes + 1);
}

TEST(Encode, AllSmallTypes) {
  for (const TypeTree& type : small_types(2)) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    expect_round_trip(sized.layout.shifted(-3));
    expect_round_trip(Layout::endless(sized.extent(), sized.layout));
    if (HasFailure()) return;
  }
}

TEST(Encode, RandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000; ++i) {
    const SizedLayout sized = build(*random_type(random, 6, i % 2 == 0), Representation::native()).value();
    expect_round_trip(sized.layout);
    if (HasFailure()) return;
  }
}

TEST(Encode, Extremes) {
  const std::int64_t max = std::numeric_limits<std::int64_t>::max();
  expect_round_trip(Layout());
  expect_round_trip(Layout::overflow());
  expect_round_trip(Layout::contiguous(max));
  expect_round_trip(Layout::contiguous(1).shifted(max - 1));
  expect_round_trip(Layout::contiguous(1).shifted(std::numeric_limits<std::int64_t>::min()));
  expect_round_trip(Layout::blocks(Numbers{0, max - 10, 5}, Numbers{3, 2, 1}));
  expect_round_trip(Layout::endless(-1000, Layout::repeat(3, 10, Layout::contiguous(2))));
}

TEST(Encode, RegularPatternsTakeAFewBytes) {
  const TypeTree value = make_type(BasicKind::kDouble);
  const auto bytes_for = [](const TypeTree& type) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    return encoded(Layout::endless(sized.extent(), sized.layout)).size();
  };
  EXPECT_LE(bytes_for(make_type(Vector{1000000000, 3, 7, value})), 60U);
  EXPECT_LE(bytes_for(make_type(Subarray{{2000, 2000, 2000}, {999, 998, 997}, {10, 20, 30}, ArrayOrder::kC, value})),
            60U);
  const Distribution block{Distribution::Kind::kBlock, Distribution::kDefaultArgument};
  const Distribution cyclic{Distribution::Kind::kCyclic, 3};
  EXPECT_LE(bytes_for(make_type(
                Darray{64, 21, {1001, 1003, 1007}, {block, cyclic, cyclic}, {4, 4, 4}, ArrayOrder::kC, value})),
            200U);
}

TEST(Encode, IrregularListsTakeAFewBytesPerPiece) {
  std::mt19937_64 random(1);
  Numbers displacements;
  Numbers lengths;
  std::int64_t next = 0;
  const std::size_t pieces = 10000;
  while (lengths.size() < pieces) {
    displacements.push_back(next);
    lengths.push_back(4 * (1 + static_cast<std::int64_t>(random() % 16)));
    next += lengths.back() + 4 * (1 + static_cast<std::int64_t>(random() % 50));
  }
  const Layout layout = Layout::blocks(displacements, lengths);
  expect_round_trip(layout);
  EXPECT_LE(encoded(layout).size(), 3 * pieces + 50);
}

TEST(Encode, SharedNodesComeOnce) {
  std::mt19937_64 random(1);
  Numbers displacements;
  for (std::int64_t i = 0; i < 1000; ++i) displacements.push_back(100 * i + static_cast<std::int64_t>(random() % 50));
  Layout layout = Layout::copies(displacements, Layout::contiguous(8));
  for (std::int64_t i = 0; i < 20; ++i) {
    const Layout other = Layout::repeat(2, layout.span().end + 1, layout);
    const std::vector<Layout::Part> parts = {{0, layout}, {3 * layout.span().end, other}};
    layout = Layout::sequence(parts);
  }
  EXPECT_LT(encoded(layout).size(), 5000U);
}

// Typical layouts whose encoding is then damaged.
std::vector<Bytes> samples() {
  std::vector<Bytes> result;
  const TypeTree value = make_type(BasicKind::kShortInt);
  for (const TypeTree& inner : wrappings(value)) {
    for (const TypeTree& type : wrappings(inner)) {
      const SizedLayout sized = build(*type, Representation::native()).value();
      if (!sized.layout.empty()) result.push_back(encoded(sized.layout));
    }
  }
  return result;
}

Layout decoded(const Bytes& bytes) {
  std::span<const std::byte> in(bytes);
  return decode(in).value();
}

// Decodes what may be anything: no crash, and no allocation that the input does not justify.
bool decodes(const Bytes& bytes) {
  const std::size_t before = counted_new::allocated_bytes;
  std::span<const std::byte> in(bytes);
  const Result<Layout> layout = decode(in);
  EXPECT_LT(counted_new::allocated_bytes - before, 1000 + 400 * bytes.size());
  if (layout.ok()) return true;
  EXPECT_EQ(layout.status().error_class(), ErrorClass::kInternal);
  EXPECT_EQ(in.size(), bytes.size());
  return false;
}

TEST(Encode, RefusesTruncatedInput) {
  for (const Bytes& sample : samples()) {
    for (std::size_t bytes = 0; bytes < sample.size(); ++bytes) {
      ASSERT_FALSE(decodes(Bytes(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(bytes))));
    }
  }
}

TEST(Encode, RefusesDamagedInput) {
  for (const Bytes& sample : samples()) {
    for (std::size_t i = 1; i < sample.size(); ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes damaged = sample;
        damaged[i] ^= static_cast<std::byte>(1U << bit);
        // A bit may name another of two equal nodes; it never says another layout.
        if (!decodes(damaged)) continue;
        ASSERT_EQ(decoded(damaged), decoded(sample));
      }
    }
  }
}

TEST(Encode, SurvivesAnyInput) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 100000; ++i) {
    Bytes bytes(random() % 60);
    // Small numbers mean something more often than large ones.
    for (std::byte& b : bytes) b = static_cast<std::byte>(random() >> (56 + random() % 7));
    if (!bytes.empty()) bytes[0] = std::byte{2};
    decodes(bytes);
    if (HasFailure()) return;
  }
}

TEST(Encode, RefusesEndlessNesting) {
  Bytes bytes = {std::byte{2}, std::byte{0}, std::byte{0}, std::byte{1}, std::byte{1}, std::byte{0}};
  for (int i = 0; i < 200000; ++i) {
    // A repeat, once, by 0, of the node before.
    for (const int value : {3, 1, 0, 1}) bytes.push_back(static_cast<std::byte>(value));
  }
  EXPECT_FALSE(decodes(bytes));
}

}  // namespace
}  // namespace weir::layout

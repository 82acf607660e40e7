// Where a rank's bytes stand among merged ones, against a map of every byte.
#include "exec/stage/merged_places.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "driver/support.h"
#include "exec/stage/mover.h"
#include "layout/merge.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

using driver::Bytes;
using layout::Layout;

constexpr std::int64_t kNoEndOfData = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBegin = 1000;  // of the region

// The ranks of a local aggregator, offsets counting from the begin of the region.
struct Ranks {
  std::vector<Layout> requests;

  Layout merged() const { return layout::merged(requests); }
  std::map<std::int64_t, std::int64_t> places() const {  // by offset
    std::map<std::int64_t, std::int64_t> places;
    for (const Layout& request : requests) {
      for (const std::int64_t offset : layout::bytes_of(request)) places[offset] = 0;
    }
    std::int64_t place = 0;
    for (auto& [offset, at] : places) at = place++;
    return places;
  }
};

// Every way to walk the places: all at once, and from any piece on.
void expect_places(const Ranks& ranks) {
  const std::map<std::int64_t, std::int64_t> expected = ranks.places();
  MergedPlaces places(ranks.merged());
  for (const Layout& request : ranks.requests) {
    layout::Cursor cursor(request);
    for (layout::Run run = cursor.next_run(); run.length > 0; run = cursor.next_run()) {
      for (std::int64_t i = 0; i < run.count;) {
        const auto found = places.of({run.offset + i * run.stride, run.stride, run.length, run.count - i});
        ASSERT_GE(found.count, 1);
        ASSERT_LE(found.count, run.count - i);
        for (std::int64_t piece = 0; piece < found.count; ++piece) {
          const std::int64_t offset = run.offset + (i + piece) * run.stride;
          for (std::int64_t byte = 0; byte < run.length; ++byte) {
            ASSERT_EQ(found.place + piece * found.stride + byte, expected.at(offset + byte));
          }
        }
        i += found.count;
      }
    }
  }
}

Layout vector(std::int64_t begin, std::int64_t count, std::int64_t length, std::int64_t stride) {
  return Layout::repeat(count, stride, Layout::contiguous(length)).shifted(begin);
}

std::vector<Ranks> some_ranks() {
  return {
      {{vector(0, 50, 4, 16), vector(4, 50, 4, 16)}},                        // neighbours: one piece of both
      {{vector(0, 50, 4, 16), vector(8, 50, 4, 16)}},                        // that do not touch
      {{vector(0, 50, 4, 16), vector(2, 50, 4, 16)}},                        // that overlap
      {{vector(0, 25, 4, 32), vector(8, 50, 4, 16)}},                        // every second piece
      {{vector(0, 60, 4, 8), vector(4, 60, 4, 8)}},                          // all in one piece
      {{vector(3, 20, 5, 7), vector(0, 13, 2, 11), Layout::contiguous(9)}},  // that do not fit each other
      {{Layout::repeat(4, 200, vector(0, 6, 4, 24)), Layout::repeat(4, 200, vector(4, 6, 8, 24))}},
      {{Layout(), vector(40, 3, 1, 2)}},
  };
}

TEST(MergedPlaces, AreWhereTheBytesAreOnceAllIsMerged) {
  for (const Ranks& ranks : some_ranks()) expect_places(ranks);
}

// The whole run has places at equal distance where both are regular.
TEST(MergedPlaces, OfRegularRequestsComeAtOnce) {
  constexpr std::int64_t kMany = 1000000;
  const Ranks ranks{{vector(0, kMany, 4, 16), vector(4, kMany, 4, 16)}};
  MergedPlaces places(ranks.merged());
  const auto second = places.of({4, 16, 4, kMany});
  EXPECT_EQ(second.place, 4);
  EXPECT_EQ(second.stride, 8);
  EXPECT_EQ(second.count, kMany);
}

// Blocks at random places; no block of a rank touches the one before.
Layout random_request(std::mt19937_64& random) {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> lengths;
  std::int64_t offset = static_cast<std::int64_t>(random() % 20);
  for (std::uint64_t left = random() % 30; left > 0; --left) {
    offsets.push_back(offset);
    lengths.push_back(1 + static_cast<std::int64_t>(random() % 6));
    offset += lengths.back() + 1 + static_cast<std::int64_t>(random() % 12);
  }
  return Layout::blocks(offsets, lengths);
}

Ranks random_ranks(std::mt19937_64& random) {
  Ranks ranks;
  for (std::uint64_t left = 1 + random() % 4; left > 0; --left) {
    const bool regular = random() % 2 == 0;
    const auto small = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(random() % most); };
    const std::int64_t length = small(6);
    ranks.requests.push_back(regular ? vector(small(30), small(30), length, length + small(12))
                                     : random_request(random));
  }
  return ranks;
}

// What two ranks pack is in file order, and what they unpack is theirs: in windows of all kinds.
void expect_packed(const Ranks& ranks, const plan::Window& window, std::int64_t data_end) {
  const Layout merged = ranks.merged();
  MergedPlaces places(merged);
  std::map<std::int64_t, std::int64_t> in_parcel;  // by offset in the region
  std::int64_t size = 0;
  for (const auto& [offset, place] : ranks.places()) {
    for (std::int64_t i = 0; i < window.count; ++i) {
      if (window.extent(i).contains(offset + kBegin)) in_parcel[offset] = size++;
    }
  }
  Bytes parcel(static_cast<std::size_t>(size), std::byte{0xee});
  for (const auto& [offset, place] : in_parcel) {
    parcel[static_cast<std::size_t>(place)] = static_cast<std::byte>(offset % 251);
  }
  const Bytes sent = parcel;
  for (const Layout& request : ranks.requests) {
    const std::vector<std::int64_t> offsets = layout::bytes_of(request);
    Bytes memory(2 * offsets.size() + 1, std::byte{0xee});
    const layout::Memory spread{memory.data(), Layout::repeat(std::ssize(offsets), 2, Layout::contiguous(1))};
    const auto requests = layout::RequestList::in_file(request.shifted(kBegin), spread);
    Mover mover(requests);
    mover.pack_merged(Direction::kRead, window, {places, kBegin, parcel.data()}, data_end);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const bool comes = in_parcel.contains(offsets[i]) && offsets[i] + kBegin < data_end;
      ASSERT_EQ(memory[2 * i], comes ? static_cast<std::byte>(offsets[i] % 251) : std::byte{0xee});
      memory[2 * i] = static_cast<std::byte>(offsets[i] % 251);
    }
    mover.pack_merged(Direction::kWrite, window, {places, kBegin, parcel.data()}, kNoEndOfData);
  }
  ASSERT_EQ(parcel, sent);
  Bytes written(parcel.size(), std::byte{0xee});
  for (const Layout& request : ranks.requests) {
    const std::vector<std::int64_t> offsets = layout::bytes_of(request);
    Bytes memory;
    for (const std::int64_t offset : offsets) memory.push_back(static_cast<std::byte>(offset % 251));
    const auto requests =
        layout::RequestList::in_file(request.shifted(kBegin), layout::Memory::of(memory.data(), std::ssize(memory)));
    Mover(requests).pack_merged(Direction::kWrite, window, {places, kBegin, written.data()}, kNoEndOfData);
  }
  ASSERT_EQ(written, sent);
}

void expect_packed(const Ranks& ranks) {
  for (const plan::Domain& domain : std::vector<plan::Domain>{
           {{kBegin, kBegin + 300}}, {{kBegin + 10, kBegin + 77}}, {{kBegin, kBegin + 200}, kBegin, 7, 14}}) {
    for (const std::int64_t window_bytes : {6, 20, 200}) {
      const plan::RoundSize size = {window_bytes, 1};
      for (std::int64_t round = 0; round < plan::round_count(domain, size); ++round) {
        const plan::Window window = plan::window_of(domain, size, round);
        expect_packed(ranks, window, kNoEndOfData);
        expect_packed(ranks, window, window.hull().begin + 5);
      }
    }
  }
}

TEST(MergedPacking, PutsBytesInFileOrder) {
  for (const Ranks& ranks : some_ranks()) expect_packed(ranks);
}

TEST(MergedPacking, OfRandomRequests) {
  const std::uint64_t seed = layout::test_seed();
  for (std::uint64_t number = 0; number < 60; ++number) {
    SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed + number));
    std::mt19937_64 random(seed + number);
    const Ranks ranks = random_ranks(random);
    expect_places(ranks);
    expect_packed(ranks);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weir::exec

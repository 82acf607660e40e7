// Spans against the set of all bytes.
#include "plan/spans.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

namespace weir::plan {
namespace {

using layout::FileView;
using layout::Layout;
using layout::RequestList;
using ByteSet = std::set<std::int64_t>;

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

// The slow, obvious answer.
Extent span_of(const ByteSet& bytes, Extent part) {
  Extent span;
  for (const std::int64_t byte : bytes) {
    if (part.contains(byte)) span = hull(span, {byte, byte + 1});
  }
  return span;
}

// One span per block, in order.
std::vector<Extent> block_spans(const ByteSet& bytes, std::int64_t block_bytes) {
  std::vector<Extent> spans;
  for (const std::int64_t byte : bytes) {
    const bool same = !spans.empty() && spans.back().begin / block_bytes == byte / block_bytes;
    if (same) {
      spans.back().end = byte + 1;
    } else {
      spans.push_back({byte, byte + 1});
    }
  }
  return spans;
}

struct Case {
  RequestList requests;
  ByteSet bytes;
};

// All requests of up to 12 bytes from the first data offsets on, of views with and without holes.
std::vector<Case> small_requests() {
  static std::byte memory[16];
  const std::vector<std::int64_t> places = {1, 4, 5, 13};
  const std::vector<std::int64_t> lengths = {2, 1, 3, 1};
  const std::vector<FileView> views = {
      FileView(),
      {5, 1, Layout::contiguous(2), 7},
      {3, 1, Layout::blocks(places, lengths), 17},
      {0, 1, Layout::repeat(2, 9, Layout::repeat(2, 3, Layout::contiguous(1))), 40},
  };
  std::vector<Case> cases;
  for (const FileView& view : views) {
    for (std::int64_t data_offset = 0; data_offset < 5; ++data_offset) {
      for (std::int64_t bytes = 0; bytes <= 12; ++bytes) {
        Case made{RequestList::make(view, data_offset, layout::Memory::of(memory, bytes)).value(), {}};
        for (std::int64_t i = 0; i < bytes; ++i) made.bytes.insert(view.file_offset(data_offset + i));
        cases.push_back(std::move(made));
      }
    }
  }
  return cases;
}

TEST(Spans, OfRequestsWithinEveryPart) {
  for (const Case& each : small_requests()) {
    const std::int64_t end = each.bytes.empty() ? 3 : *each.bytes.rbegin() + 3;
    for (std::int64_t begin = 0; begin < end; ++begin) {
      for (std::int64_t until = begin; until <= end; ++until) {
        ASSERT_EQ(span_within(each.requests, {begin, until}), span_of(each.bytes, {begin, until}));
      }
      ASSERT_EQ(span_within(each.requests, {begin, kLast}), span_of(each.bytes, {begin, kLast}));
    }
  }
}

TEST(Spans, OnePerBlockInOrder) {
  for (const Case& each : small_requests()) {
    for (const std::int64_t block_bytes : {1, 2, 3, 8, 64}) {
      std::vector<Extent> found;
      for (std::int64_t from = 0;;) {
        const Extent span = block_span_from(each.requests, from, block_bytes);
        if (span.empty()) break;
        found.push_back(span);
        from = span.end;
      }
      ASSERT_EQ(found, block_spans(each.bytes, block_bytes)) << "blocks of " << block_bytes;
    }
  }
}

// From the middle of a block on there is only the rest of its bytes.
TEST(Spans, FromAnyByteOn) {
  for (const Case& each : small_requests()) {
    const std::int64_t end = each.bytes.empty() ? 3 : *each.bytes.rbegin() + 3;
    for (std::int64_t from = 0; from <= end; ++from) {
      const ByteSet rest(each.bytes.lower_bound(from), each.bytes.end());
      const std::vector<Extent> spans = block_spans(rest, 4);
      ASSERT_EQ(block_span_from(each.requests, from, 4), spans.empty() ? Extent{} : spans[0]);
    }
  }
}

// 10^9 pieces and more: nothing is walked piece by piece.
TEST(Spans, OfManyPiecesAreFoundAtOnce) {
  std::byte memory{};
  const std::int64_t pieces = std::int64_t{1} << 40;
  const FileView view(0, 1, Layout::repeat(pieces, 4, Layout::contiguous(1)), 4 * pieces);
  const auto requests =
      RequestList::make(view, 0, layout::Memory{&memory, Layout::repeat(pieces, 0, Layout::contiguous(1))});
  ASSERT_TRUE(requests.ok());
  for (std::int64_t block = 0; block < 4 * pieces; block += pieces / 8) {
    EXPECT_EQ(block_span_from(requests.value(), block, pieces / 8), (Extent{block, block + pieces / 8 - 3}));
  }
}

TEST(Spans, OfWindowsWithinEveryPart) {
  for (const std::int64_t block_bytes : {1, 3, 4}) {
    for (const std::int64_t gap : {0, 2, 5}) {
      for (std::int64_t count = 1; count <= 3; ++count) {
        for (const Extent clip : {Extent{0, 99}, Extent{4, 11}, Extent{6, 7}, Extent{9, 9}}) {
          const Window window{5, block_bytes, block_bytes + gap, count, clip};
          ByteSet bytes;
          for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t byte = window.extent(i).begin; byte < window.extent(i).end; ++byte) bytes.insert(byte);
          }
          for (std::int64_t begin = 0; begin < 40; ++begin) {
            for (std::int64_t end = begin; end < 41; ++end) {
              ASSERT_EQ(span_within(window, {begin, end}), span_of(bytes, {begin, end}))
                  << count << " blocks of " << block_bytes << " with gaps of " << gap << ", clip " << clip.begin
                  << " to " << clip.end << ", part " << begin << " to " << end;
            }
          }
        }
      }
    }
  }
}

TEST(Spans, BlocksEndAtTheirMultiplesOrWithTheLastOffset) {
  EXPECT_EQ(rest_of_block(0, 8), (Extent{0, 8}));
  EXPECT_EQ(rest_of_block(7, 8), (Extent{7, 8}));
  EXPECT_EQ(rest_of_block(8, 8), (Extent{8, 16}));
  EXPECT_EQ(rest_of_block(kLast - 2, 4096), (Extent{kLast - 2, kLast}));
}

}  // namespace
}  // namespace weir::plan

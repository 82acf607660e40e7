#include "exec/stage/mover.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "driver/support.h"

namespace weir::exec {
namespace {

using driver::Bytes;
using driver::pattern;
using layout::Layout;

constexpr std::int64_t kNoEndOfData = std::numeric_limits<std::int64_t>::max();

// A rank's request of 60 bytes in twelve pieces, from memory with gaps.
struct Source {
  Bytes memory = pattern(200);
  layout::RequestList requests;

  Source() {
    const Layout wanted = Layout::repeat(12, 11, Layout::contiguous(5)).shifted(3);
    const layout::FileView view(0, 1, wanted, wanted.span().end);
    requests =
        layout::RequestList::make(view, 0, layout::Memory::of(memory.data(), Layout::contiguous(4), 9, 15)).value();
  }
  std::byte& byte(std::int64_t position) { return memory[static_cast<std::size_t>(position / 4 * 9 + position % 4)]; }
};

// A window's buffer, with marks.
struct Slot {
  WindowSlot::Header header = {kNoEndOfData, 1};
  Bytes data = Bytes(256, std::byte{0});
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(4, 0);
  WindowSlot slot() { return {&header, data.data(), words}; }
  bool marked(std::int64_t place) const { return (words[static_cast<std::size_t>(place / 64)] >> place % 64 & 1) != 0; }
};

std::vector<plan::Domain> some_domains() {
  return {{{0, 140}}, {{10, 77}}, {{0, 140}, 0, 7, 14}, {{5, 90}, 4, 10, 30}};
}

template <typename Body>
void for_each_window(const Body& body) {
  for (const plan::Domain& domain : some_domains()) {
    for (const std::int64_t window_bytes : {6, 20, 200}) {
      const plan::RoundSize size = {window_bytes, 1};
      for (std::int64_t round = 0; round < plan::round_count(domain, size); ++round) {
        body(plan::window_of(domain, size, round));
      }
    }
  }
}

// Calls `body` with every byte of the request that lies in the window: its position, its place in the buffer, its
// offset in the file.
template <typename Body>
std::int64_t for_each_byte(const Source& source, const plan::Window& window, const Body& body) {
  std::int64_t bytes = 0;
  for (std::int64_t position = 0; position < source.requests.bytes(); ++position) {
    const std::int64_t offset = source.requests.view().file_offset(position);
    for (std::int64_t i = 0; i < window.count; ++i) {
      const Extent extent = window.extent(i);
      if (!extent.contains(offset)) continue;
      body(position, window.place(i) + offset - extent.begin, offset);
      ++bytes;
    }
  }
  return bytes;
}

TEST(Mover, WritingPutsAndMarksTheBytesOfTheWindow) {
  for_each_window([](const plan::Window& window) {
    Source source;
    Slot slot;
    Mover mover(source.requests);
    Bytes expected(256, std::byte{0});
    std::vector<bool> marked(256, false);
    const std::int64_t bytes = for_each_byte(source, window, [&](std::int64_t position, std::int64_t place, auto) {
      expected[static_cast<std::size_t>(place)] = source.byte(position);
      marked[static_cast<std::size_t>(place)] = true;
    });
    ASSERT_EQ(mover.bytes_in(window), bytes);
    ASSERT_EQ(mover.move(Direction::kWrite, window, slot.slot(), kNoEndOfData), bytes);
    ASSERT_EQ(slot.data, expected);
    for (std::int64_t i = 0; i < 256; ++i) ASSERT_EQ(slot.marked(i), marked[static_cast<std::size_t>(i)]) << i;
  });
}

TEST(Mover, ReadingTakesTheBytesBeforeTheEndOfTheData) {
  for (const std::int64_t data_end : {kNoEndOfData, std::int64_t{40}, std::int64_t{0}}) {
    for_each_window([&](const plan::Window& window) {
      Source source;
      Slot slot;
      slot.data = pattern(256, 9);
      Source expected;
      std::int64_t delivered = 0;
      for_each_byte(source, window, [&](std::int64_t position, std::int64_t place, std::int64_t offset) {
        if (offset >= data_end) return;
        expected.byte(position) = slot.data[static_cast<std::size_t>(place)];
        ++delivered;
      });
      Mover mover(source.requests);
      ASSERT_EQ(mover.move(Direction::kRead, window, slot.slot(), data_end), delivered);
      ASSERT_EQ(source.memory, expected.memory);
    });
  }
}

// Through a parcel the bytes arrive where they would have been put at once.
TEST(Mover, PackedBytesEndUpInTheSamePlaces) {
  for_each_window([](const plan::Window& window) {
    Source source;
    Slot direct;
    Slot by_parcel;
    Mover mover(source.requests);
    const std::int64_t bytes = mover.move(Direction::kWrite, window, direct.slot(), kNoEndOfData);
    Bytes packed(static_cast<std::size_t>(bytes));
    Mover packer(source.requests);
    ASSERT_EQ(packer.pack(Direction::kWrite, window, packed.data(), kNoEndOfData), bytes);
    const layout::RequestList elsewhere =
        layout::RequestList::make(source.requests.view(), 0, layout::Memory::of(nullptr, 60)).value();
    Mover unpacker(elsewhere);
    ASSERT_EQ(unpacker.move_packed(Direction::kWrite, window, by_parcel.slot(), kNoEndOfData, packed.data()), bytes);
    ASSERT_EQ(by_parcel.data, direct.data);
    ASSERT_EQ(by_parcel.words, direct.words);
    Bytes back(packed.size());
    ASSERT_EQ(unpacker.move_packed(Direction::kRead, window, by_parcel.slot(), kNoEndOfData, back.data()), bytes);
    ASSERT_EQ(back, packed);
  });
}

}  // namespace
}  // namespace weir::exec

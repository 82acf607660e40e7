#include "layout/copy_slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "layout/counted_new.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Bytes = std::vector<std::byte>;
using Numbers = std::vector<std::int64_t>;

Bytes numbered(std::int64_t how_many, int factor) {
  Bytes bytes(static_cast<std::size_t>(how_many));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * static_cast<std::size_t>(factor) + i / 256 + 1);
  }
  return bytes;
}

// A request with buffers that end with its first and last byte, so that a sanitizer sees every step beyond them.
class Scene {
 public:
  Scene(const FileView& view, std::int64_t data_offset, const Layout& memory_layout)
      : memory_(numbered(memory_layout.span().bytes(), 7)), memory_begin_(memory_layout.span().begin) {
    requests_ = RequestList::make(view, data_offset, {memory_.data() - memory_begin_, memory_layout}).value();
    window_begin_ = requests_.file_extent().begin;
    window_ = numbered(requests_.file_extent().bytes(), 11);
    memory_offsets_ = bytes_of(memory_layout);
    for (std::size_t i = 0; i < memory_offsets_.size(); ++i) {
      file_offsets_.push_back(view.file_offset(data_offset + static_cast<std::int64_t>(i)));
    }
  }

  std::int64_t bytes() const { return requests_.bytes(); }

  // Copies the positions [from, bytes()) in steps, after a slice of `taken` bytes.
  void check(Direction direction, std::int64_t from, std::int64_t taken, std::int64_t step) {
    const Bytes memory_before = memory_;
    const Bytes window_before = window_;
    SliceCursor slices = requests_.slices();
    slices.seek(from);
    if (taken > 0) slices.next(taken);
    expect(direction, slices.position());
    const std::size_t allocations = counted_new::allocation_count;
    while (!slices.at_end()) {
      const std::int64_t before = slices.position();
      const std::int64_t next = std::min(step, slices.remaining_bytes());
      copy_slices(direction, slices, {window_.data(), window_begin_}, next);
      if (slices.position() != before + next) break;
    }
    const std::size_t allocated = counted_new::allocation_count - allocations;
    EXPECT_EQ(slices.remaining_bytes(), 0);
    EXPECT_EQ(allocated, 0U);
    EXPECT_TRUE(memory_ == expected_memory_ && window_ == expected_window_)
        << (direction == Direction::kWrite ? "write" : "read") << " from " << from << " after " << taken << " by "
        << step << ": " << describe(requests_.view().layout()) << " and " << describe(requests_.memory().layout);
    memory_ = memory_before;
    window_ = window_before;
  }

  void check_all() {
    for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
      for (const std::int64_t step : {std::int64_t{1}, std::int64_t{5}, std::int64_t{70}, Cursor::kNoLimit}) {
        check(direction, 0, 0, step);
        check(direction, bytes() / 3, 0, step);
      }
      check(direction, 0, 3, Cursor::kNoLimit);
    }
  }

 private:
  // The slow answer: byte by byte, in order.
  void expect(Direction direction, std::int64_t from) {
    expected_memory_ = memory_;
    expected_window_ = window_;
    for (auto i = static_cast<std::size_t>(from); i < memory_offsets_.size(); ++i) {
      const auto in_memory = static_cast<std::size_t>(memory_offsets_[i] - memory_begin_);
      const auto in_window = static_cast<std::size_t>(file_offsets_[i] - window_begin_);
      if (direction == Direction::kWrite) {
        expected_window_[in_window] = expected_memory_[in_memory];
      } else {
        expected_memory_[in_memory] = expected_window_[in_window];
      }
    }
  }

  Bytes memory_;
  std::int64_t memory_begin_;
  RequestList requests_;
  Bytes window_;
  std::int64_t window_begin_ = 0;
  Numbers memory_offsets_;
  Numbers file_offsets_;
  Bytes expected_memory_;
  Bytes expected_window_;
};

// The three kinds of leaves, with pieces of about `length` bytes.
std::vector<Layout> leaves(std::int64_t length) {
  Numbers displacements;
  Numbers lengths;
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < 11; ++i) {
    displacements.push_back(next);
    lengths.push_back(std::max<std::int64_t>(1, length - i % 3));
    next += length + 1 + i * i % 5;
  }
  return {Layout::contiguous(11 * length), Layout::repeat(11, length + 3, Layout::contiguous(length)),
          Layout::copies(displacements, Layout::contiguous(length)), Layout::blocks(displacements, lengths)};
}

TEST(CopySlices, EveryPairOfLeaves) {
  for (const std::int64_t file_length : {1, 3, 4, 8, 15, 16, 24, 33, 64, 65, 130}) {
    for (const Layout& filetype : leaves(file_length)) {
      const FileView view(1000, 1, filetype, filetype.span().end + 5);
      for (const std::int64_t memory_length : {1, 4, 13, 16, 40, 64, 300}) {
        for (const Layout& memory : leaves(memory_length)) Scene(view, 2, memory).check_all();
        if (HasFailure()) return;
      }
    }
  }
}

TEST(CopySlices, EveryPieceLengthFromAndToContiguousMemory) {
  for (std::int64_t length = 1; length <= 140; ++length) {
    for (const Layout& filetype : leaves(length)) {
      Scene(FileView(0, 1, filetype, filetype.span().end + 1), 0, Layout::contiguous(25 * length)).check_all();
    }
    if (HasFailure()) return;
  }
}

SizedLayout native(const TypeTree& type) { return build(*type, Representation::native()).value(); }

bool is_filetype(const SizedLayout& sized) {
  if (sized.layout.empty() || sized.layout.span().begin < 0 || sized.extent() <= 0) return false;
  return FileView(0, 1, sized.layout, sized.extent()).is_ascending();
}

TEST(CopySlices, AllSmallTypesOnBothSides) {
  int checked = 0;
  for (const TypeTree& file_type : small_types(1)) {
    const SizedLayout filetype = native(file_type);
    if (!is_filetype(filetype)) continue;
    const FileView view(3, 1, filetype.layout, filetype.extent());
    for (const TypeTree& memory_type : small_types(2)) {
      const SizedLayout memory = native(memory_type);
      if (memory.layout.data_bytes() > 40) continue;
      Scene(view, 1, Layout::repeat(2, memory.extent(), memory.layout)).check_all();
      if (HasFailure()) return;
      ++checked;
    }
  }
  EXPECT_GT(checked, 5000);
}

TEST(CopySlices, RandomNestedTypesOnBothSides) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const SizedLayout filetype = native(random_type(random, 4, true));
    const SizedLayout memory = native(random_type(random, 4, false));
    if (!is_filetype(filetype) || memory.layout.data_bytes() > 3000) continue;
    const FileView view(i % 50, 1, filetype.layout, filetype.extent());
    Scene(view, i % 37, Layout::repeat(1 + i % 4, memory.extent(), memory.layout)).check_all();
    if (HasFailure()) return;
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

TEST(CopySlices, WindowsFarOutInTheFile) {
  const std::int64_t far = std::int64_t{1} << 60;
  const FileView view(5, 1, Layout::contiguous(4), 16);
  Scene(view, far / 4 + 3, Layout::contiguous(1000)).check_all();
  Scene(view, far / 4 + 3, Layout::repeat(40, -30, Layout::contiguous(9))).check_all();
}

TEST(CopySlices, NoBytes) {
  Bytes memory(8);
  const RequestList requests = RequestList::make(FileView(), 0, Memory::of(memory.data(), 8)).value();
  SliceCursor slices = requests.slices();
  copy_slices(Direction::kWrite, slices, {nullptr, 0}, 0);
  EXPECT_EQ(slices.position(), 0);
}

}  // namespace
}  // namespace weir::layout

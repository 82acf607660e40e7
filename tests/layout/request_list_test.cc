#include "layout/request_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

// Where each byte of a request lies.
struct Pairs {
  Numbers file;
  Numbers memory;
  bool operator==(const Pairs&) const = default;

  void add(std::int64_t file_offset, std::int64_t memory_offset, std::int64_t bytes) {
    for (std::int64_t b = 0; b < bytes; ++b) {
      file.push_back(file_offset + b);
      memory.push_back(memory_offset + b);
    }
  }
};

// Addresses are only counted from here, never used.
std::byte* const kBase = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40);

Pairs expected_pairs(const RequestList& requests) {
  Pairs pairs;
  pairs.memory = bytes_of(requests.memory().layout);
  for (std::size_t i = 0; i < pairs.memory.size(); ++i) {
    pairs.file.push_back(requests.view().file_offset(requests.data_offset() + static_cast<std::int64_t>(i)));
  }
  return pairs;
}

Pairs by_slices(SliceCursor slices, std::int64_t max_bytes, std::vector<Slice>* all = nullptr) {
  Pairs pairs;
  while (!slices.at_end()) {
    const Slice slice = slices.next(max_bytes);
    EXPECT_TRUE(slice.bytes > 0 && slice.bytes <= max_bytes);
    if (slice.bytes <= 0) break;
    pairs.add(slice.file_offset, slice.memory - kBase, slice.bytes);
    if (all) all->push_back(slice);
  }
  EXPECT_EQ(slices.next(max_bytes).bytes, 0);
  return pairs;
}

Pairs by_runs(SliceCursor slices, std::int64_t max_bytes) {
  Pairs pairs;
  while (!slices.at_end()) {
    const SliceRun run = slices.next_run(max_bytes);
    EXPECT_TRUE(run.total_bytes() > 0 && run.total_bytes() <= max_bytes);
    if (run.total_bytes() <= 0) break;
    for (std::int64_t i = 0; i < run.count; ++i) {
      pairs.add(run.file_offset + i * run.file_stride, run.memory - kBase + i * run.memory_stride, run.bytes);
    }
  }
  EXPECT_EQ(slices.next_run(max_bytes).total_bytes(), 0);
  return pairs;
}

// Slices and runs in turn.
Pairs by_both(SliceCursor slices) {
  Pairs pairs;
  for (int turn = 0; !slices.at_end(); ++turn) {
    if (turn % 2 == 0) {
      const Slice slice = slices.next(6);
      pairs.add(slice.file_offset, slice.memory - kBase, slice.bytes);
      continue;
    }
    const SliceRun run = slices.next_run(20);
    for (std::int64_t i = 0; i < run.count; ++i) {
      pairs.add(run.file_offset + i * run.file_stride, run.memory - kBase + i * run.memory_stride, run.bytes);
    }
  }
  return pairs;
}

// As few slices as there can be: each ends where file or memory jumps.
void expect_maximal(const std::vector<Slice>& slices) {
  for (std::size_t i = 1; i < slices.size(); ++i) {
    const Slice& before = slices[i - 1];
    EXPECT_FALSE(before.file_offset + before.bytes == slices[i].file_offset &&
                 before.memory + before.bytes == slices[i].memory);
  }
}

void expect_seeks(const RequestList& requests, const Pairs& expected) {
  SliceCursor slices = requests.slices();
  for (std::int64_t position = requests.bytes() - 1; position >= 0; --position) {
    slices.seek(position);
    ASSERT_EQ(slices.position(), position);
    const Slice slice = slices.next(1);
    ASSERT_EQ(slice.file_offset, expected.file[static_cast<std::size_t>(position)]);
    ASSERT_EQ(slice.memory - kBase, expected.memory[static_cast<std::size_t>(position)]);
  }
}

void expect_as_oracle(const RequestList& requests) {
  SCOPED_TRACE(describe(requests.view().layout()) + " to " + describe(requests.memory().layout));
  const Pairs expected = expected_pairs(requests);
  std::vector<Slice> slices;
  EXPECT_EQ(by_slices(requests.slices(), Cursor::kNoLimit, &slices), expected);
  expect_maximal(slices);
  for (const std::int64_t max_bytes : {std::int64_t{1}, std::int64_t{7}, Cursor::kNoLimit}) {
    EXPECT_EQ(by_slices(requests.slices(), max_bytes), expected);
    EXPECT_EQ(by_runs(requests.slices(), max_bytes), expected);
  }
  EXPECT_EQ(by_both(requests.slices()), expected);
  expect_seeks(requests, expected);
}

TEST(RequestList, RandomViewsAndMemories) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  int checked = 0;
  for (int i = 0; i < 1500; ++i) {
    const SizedLayout filetype = build(*random_type(random, 3, true), Representation::native()).value();
    const SizedLayout memory = build(*random_type(random, 3, false), Representation::native()).value();
    if (filetype.layout.empty() || memory.layout.data_bytes() > 500 || filetype.extent() <= 0) continue;
    const FileView view(i % 50, 1, filetype.layout, filetype.extent());
    const auto requests = RequestList::make(view, i % 37, Memory::of(kBase, memory.layout, memory.extent(), i % 4));
    ASSERT_TRUE(requests.ok()) << requests.status().text();
    expect_as_oracle(requests.value());
    ++checked;
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, 100);
}

TEST(RequestList, ContiguousMemoryAndStridedFileAreOneRun) {
  const FileView view(100, 8, Layout::contiguous(8), 64);
  const RequestList requests = RequestList::make(view, 16, Memory::of(kBase, 8000)).value();
  SliceCursor slices = requests.slices();
  const SliceRun run = slices.next_run();
  EXPECT_EQ(run.file_offset, 228);
  EXPECT_EQ(run.file_stride, 64);
  EXPECT_EQ(run.memory_stride, 8);
  EXPECT_EQ(run.bytes, 8);
  EXPECT_EQ(run.count, 1000);
  EXPECT_TRUE(slices.at_end());
}

TEST(RequestList, FindsWhatLiesInAnExtentOfTheFile) {
  const FileView view(0, 4, Layout::contiguous(4), 10);
  const RequestList requests = RequestList::make(view, 4, Memory::of(kBase, 12)).value();
  EXPECT_EQ(requests.file_extent(), (Extent{10, 34}));
  EXPECT_EQ(requests.positions_within({0, 100}), (Extent{0, 12}));
  EXPECT_EQ(requests.positions_within({12, 31}), (Extent{2, 9}));
  EXPECT_TRUE(requests.positions_within({0, 10}).empty());
  EXPECT_TRUE(requests.positions_within({40, 50}).empty());
}

TEST(RequestList, RefusesWhatTheViewDoesNotShow) {
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const auto class_of = [](const FileView& view, std::int64_t data_offset, const Memory& memory) {
    return RequestList::make(view, data_offset, memory).status().error_class();
  };
  const Memory eight = Memory::of(kBase, 8);
  EXPECT_EQ(class_of(FileView(), 0, eight), ErrorClass::kOk);
  EXPECT_EQ(class_of(FileView(), -1, eight), ErrorClass::kArgument);
  EXPECT_EQ(class_of(FileView(), huge - 7, eight), ErrorClass::kArgument);
  EXPECT_EQ(class_of(FileView(), huge - 8, eight), ErrorClass::kOk);
  EXPECT_EQ(class_of(FileView(0, 1, Layout(), 0), 0, eight), ErrorClass::kArgument);
  EXPECT_EQ(class_of(FileView(0, 1, Layout(), 0), 0, Memory()), ErrorClass::kOk);
  EXPECT_EQ(class_of(FileView(), 0, Memory::of(kBase, Layout::contiguous(huge), huge, 3)), ErrorClass::kCount);
}

TEST(RequestList, AsksForNothingByDefault) {
  const RequestList requests;
  EXPECT_EQ(requests.bytes(), 0);
  EXPECT_TRUE(requests.slices().at_end());
  EXPECT_TRUE(requests.file_extent().empty());
}

}  // namespace
}  // namespace weir::layout

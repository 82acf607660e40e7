#include "exec/independent/independent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "comm/watchdog.h"
#include "exec/byte_request.h"
#include "layout/check_view.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

using layout::FileView;
using layout::Layout;
using Numbers = std::vector<std::int64_t>;

Layout blocks(const Numbers& displacements, const Numbers& lengths) { return Layout::blocks(displacements, lengths); }

FileView view_of(std::int64_t displacement, const Layout& filetype, std::int64_t extent) {
  return {displacement, 1, filetype, extent};
}

std::vector<FileView> small_views() {
  const Layout strided = Layout::repeat(2, 5, Layout::contiguous(2));
  return {
      FileView(),
      view_of(5, Layout::contiguous(1), 1),
      view_of(0, Layout::contiguous(3), 8),
      view_of(3, strided, 11),
      view_of(0, blocks({0, 4, 5, 10}, {2, 1, 2, 3}), 14),
      view_of(1, blocks({2, 9}, {3, 3}), 10),  // the last piece of a tile touches the first of the next
      view_of(2, Layout::repeat(2, 16, strided), 30),
      view_of(0, blocks({0, 7}, {1, 1}), 2),        // tiles interleave: not ascending
      view_of(4, blocks({0, 2, 6}, {3, 3, 1}), 9),  // shows a byte twice, as many as it leaves out
  };
}

// `bytes` bytes in pieces of the given lengths, over and over, with gaps; backwards in memory when asked for.
Layout pieces(std::int64_t bytes, const Numbers& lengths, std::int64_t gap, bool backwards) {
  Numbers displacements;
  Numbers taken;
  std::int64_t place = 3;
  for (std::size_t i = 0; bytes > 0; ++i) {
    const std::int64_t length = std::min(bytes, lengths[i % lengths.size()]);
    displacements.push_back(backwards ? -place - length : place);
    taken.push_back(length);
    place += length + gap + static_cast<std::int64_t>(i % 2);
    bytes -= length;
  }
  return blocks(displacements, taken);
}

std::vector<Layout> memory_layouts(std::int64_t bytes) {
  return {Layout::contiguous(bytes), Layout::repeat(bytes, 3, Layout::contiguous(1)), pieces(bytes, {2}, 3, false),
          pieces(bytes, {1, 4, 2}, 1, false), pieces(bytes, {3, 1}, 2, true)};
}

// A file that is set to what a case begins with.
class CaseFile {
 public:
  void set(const Bytes& bytes) {
    EXPECT_TRUE(file_->resize(0).ok());
    driver::write_or_fail(*file_, 0, bytes);
  }
  driver::File& file() { return *file_; }
  Bytes bytes() { return driver_.contents("f").value(); }

 private:
  driver::MemoryDriver driver_;
  std::unique_ptr<driver::File> file_ = driver::open_or_fail(driver_, "f");
};

bool shows_bytes_twice(const ByteRequest& request) {
  Numbers sorted = request.file;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

void check_access(CaseFile& file, const Shape& shape, const ByteRequest& request, std::int64_t file_bytes,
                  Direction direction, const plan::AccessChoice& choice) {
  const Bytes before = driver::pattern(file_bytes, 2);
  Arena arena(shape.memory);
  const Expected expected = expected_after(direction, request, before, arena);
  file.set(before);
  auto requests = layout::RequestList::make(shape.view, shape.data_offset, arena.memory());
  ASSERT_TRUE(requests.ok()) << requests.status().text();
  driver::IoOutcome outcome = access_file(file.file(), direction, requests.value(), choice);
  const bool good = outcome.status.ok() && outcome.bytes_moved == expected.moved && file.bytes() == expected.file &&
                    arena.bytes() == expected.memory;
  EXPECT_TRUE(good) << (direction == Direction::kRead ? "read" : "write") << " by " << name(choice.method)
                    << " with buffer " << choice.buffer_bytes << " of " << describe(shape) << ", file of " << file_bytes
                    << ": moved " << outcome.bytes_moved << " of " << expected.moved << " " << outcome.status.text();
}

// Every method, both directions, on files that end before, in and behind the request.
void check_shape(CaseFile& file, const Shape& shape) {
  const ByteRequest request = byte_request(shape);
  const std::int64_t end = *std::max_element(request.file.begin(), request.file.end()) + 1;
  const std::int64_t middle = request.file[request.file.size() / 2];
  for (const plan::AccessChoice& choice : choices_for(shape)) {
    for (std::int64_t file_bytes : {std::int64_t{0}, middle, end + 5}) {
      check_access(file, shape, request, file_bytes, Direction::kRead, choice);
      if (shows_bytes_twice(request)) continue;  // which of the two wins is nobody's promise
      check_access(file, shape, request, file_bytes, Direction::kWrite, choice);
    }
  }
}

TEST(Independent, SmallShapesByEveryMethod) {
  HangGuard watchdog("small shapes", std::chrono::seconds(280));
  CaseFile file;
  for (const FileView& view : small_views()) {
    const std::int64_t tile = view.tile_data_bytes();
    for (std::int64_t data_offset : {std::int64_t{0}, std::int64_t{1}, tile, 2 * tile - 1}) {
      for (std::int64_t bytes : {std::int64_t{1}, std::int64_t{2}, tile, tile + 1, 2 * tile + 1, 3 * tile}) {
        for (const Layout& memory : memory_layouts(bytes)) {
          check_shape(file, {view, data_offset, memory});
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(Independent, CountsAtEndOfFileAreExactAtEveryPosition) {
  CaseFile file;
  for (const FileView& view : small_views()) {
    const Shape shape = {view, 1, pieces(2 * view.tile_data_bytes() + 1, {2, 3}, 1, false)};
    const ByteRequest request = byte_request(shape);
    const std::int64_t end = *std::max_element(request.file.begin(), request.file.end()) + 1;
    for (const plan::AccessChoice& choice : choices_for(shape)) {
      for (std::int64_t file_bytes = 0; file_bytes <= end + 1; ++file_bytes) {
        check_access(file, shape, request, file_bytes, Direction::kRead, choice);
      }
    }
  }
}

// More slices than one batch holds.
TEST(Independent, ManyPieces) {
  CaseFile file;
  for (const FileView& view : {view_of(3, Layout::contiguous(1), 3), view_of(0, blocks({0, 4}, {3, 1}), 6)}) {
    check_shape(file, {view, 1, Layout::contiguous(2500)});
    check_shape(file, {view, 1, pieces(2500, {1, 2}, 1, false)});
  }
  check_shape(file, {FileView(), 7, Layout::repeat(2500, 2, Layout::contiguous(1))});
}

// Memory whose pieces do not overlap, so that a read into it is allowed.
bool is_disjoint(const Layout& memory) {
  Numbers offsets = layout::bytes_of(memory);
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
}

// A random view and memory of the same number of bytes; nothing when the dice gave types that do not fit together.
std::optional<Shape> random_shape(std::mt19937_64& random) {
  const auto native = layout::Representation::native();
  const auto filetype = layout::build(*layout::random_type(random, 3, true), native).value();
  const auto memory = layout::build(*layout::random_type(random, 3, false), native).value();
  const layout::SizedLayout etype = {Layout::contiguous(1), 0, 1};
  if (filetype.layout.empty() || memory.layout.empty()) return std::nullopt;
  if (!layout::check_view(etype, filetype, true).ok()) return std::nullopt;
  const auto instances = static_cast<std::int64_t>(random() % 3 + 1);
  Shape shape = {view_of(static_cast<std::int64_t>(random() % 9), filetype.layout, filetype.extent()),
                 static_cast<std::int64_t>(random() % 200), Layout::repeat(instances, memory.extent(), memory.layout)};
  if (shape.memory.data_bytes() > 2000 || !is_disjoint(shape.memory)) return std::nullopt;
  return shape;
}

TEST(Independent, RandomShapesByEveryMethod) {
  const std::uint64_t seed = layout::test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  HangGuard watchdog("random shapes", std::chrono::seconds(280));
  std::mt19937_64 random(seed);
  CaseFile file;
  int checked = 0;
  for (int tries = 0; tries < 20000 && checked < 100; ++tries) {
    const std::optional<Shape> shape = random_shape(random);
    if (!shape) continue;
    check_shape(file, *shape);
    if (HasFailure()) return;
    ++checked;
  }
  EXPECT_EQ(checked, 100);
}

TEST(Independent, ARequestForNothingDoesNothing) {
  CaseFile file;
  file.set(driver::pattern(20));
  std::byte unused{};
  auto requests = layout::RequestList::make(small_views()[3], 2, layout::Memory::of(&unused, 0));
  ASSERT_TRUE(requests.ok());
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (plan::AccessMethod method : {plan::AccessMethod::kContiguous, plan::AccessMethod::kList,
                                      plan::AccessMethod::kPacked, plan::AccessMethod::kSieve}) {
      driver::IoOutcome outcome = access_file(file.file(), direction, requests.value(), {method, "", 7});
      EXPECT_TRUE(outcome.status.ok());
      EXPECT_EQ(outcome.bytes_moved, 0);
    }
  }
  EXPECT_EQ(file.bytes(), driver::pattern(20));
}

TEST(Independent, ShapeTellsWhatTheRequestLooksLike) {
  for (const FileView& view : small_views()) {
    const std::int64_t tile = view.tile_data_bytes();
    for (std::int64_t tiles = 1; tiles <= 4; ++tiles) {
      const Shape shape = {view, 0, pieces(tiles * tile, {2}, 3, false)};
      Arena arena(shape.memory);
      auto requests = layout::RequestList::make(view, 0, arena.memory()).value();
      plan::AccessShape found = shape_of(Direction::kWrite, requests);
      EXPECT_EQ(found.direction, Direction::kWrite);
      EXPECT_EQ(found.bytes, tiles * tile);
      EXPECT_EQ(found.ascending, view.is_ascending());
      EXPECT_EQ(found.file_extent, requests.file_extent());
      EXPECT_EQ(found.memory_pieces, std::ssize(layout::pieces_of(layout::bytes_of(shape.memory))));
    }
  }
}

// Whatever part of the view is asked for, there are never more pieces than the shape says.
TEST(Independent, ShapeNeverCountsTooFewPieces) {
  for (const FileView& view : small_views()) {
    const std::int64_t tile = view.tile_data_bytes();
    for (std::int64_t data_offset = 0; data_offset <= tile; ++data_offset) {
      for (std::int64_t bytes = 1; bytes <= 3 * tile; ++bytes) {
        const Shape shape = {view, data_offset, Layout::contiguous(bytes)};
        Arena arena(shape.memory);
        auto requests = layout::RequestList::make(view, data_offset, arena.memory()).value();
        const auto really = std::ssize(layout::pieces_of(byte_request(shape).file));
        EXPECT_GE(shape_of(Direction::kRead, requests).file_pieces, really) << describe(shape);
      }
    }
  }
}

}  // namespace
}  // namespace weir::exec

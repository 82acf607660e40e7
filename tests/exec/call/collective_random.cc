#include "exec/call/collective_random.h"

#include <algorithm>

#include "layout/check_view.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::exec {

namespace {

using layout::FileView;
using layout::Layout;
using Numbers = std::vector<std::int64_t>;

bool has_bytes_twice(const Layout& layout) {
  Numbers bytes = layout::bytes_of(layout);
  std::sort(bytes.begin(), bytes.end());
  return std::adjacent_find(bytes.begin(), bytes.end()) != bytes.end();
}

}  // namespace

std::int64_t RandomCalls::pick(std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
}

driver::StorageLayout RandomCalls::storage() {
  constexpr std::int64_t kLockBytes[] = {1, 7, 512, 4096};
  constexpr std::int64_t kStripeBytes[] = {0, 16, 1000, 4096};
  driver::StorageLayout storage;
  storage.lock_bytes = kLockBytes[pick(0, 3)];
  storage.stripe_bytes = kStripeBytes[pick(0, 3)];
  storage.stripe_count = storage.stripe_bytes == 0 ? 1 : static_cast<int>(pick(1, 4));
  storage.network = one_in(2);
  storage.file_system = "memory";
  return storage;
}

// A random type, again and again; where it shows a byte of memory twice, a contiguous buffer.
Layout RandomCalls::nested_memory(std::int64_t bytes) {
  const auto type = layout::build(*layout::random_type(random_, 3, false), layout::Representation::native()).value();
  const std::int64_t tile_bytes = type.layout.data_bytes();
  if (tile_bytes == 0 || bytes % tile_bytes != 0) return Layout::contiguous(bytes);
  const Layout tiles = layout::Memory::of(nullptr, type.layout, type.extent(), bytes / tile_bytes).layout;
  return has_bytes_twice(tiles) ? Layout::contiguous(bytes) : tiles;
}

Layout RandomCalls::memory(std::int64_t bytes) {
  switch (pick(0, 3)) {
    case 0: return Layout::contiguous(bytes);
    case 1: {
      const std::int64_t length = bytes % 8 == 0 ? 8 : 1;
      return Layout::repeat(bytes / length, length + pick(1, 5), Layout::contiguous(length));
    }
    default: return nested_memory(bytes);
  }
}

// Many ranks ask for a number of bytes that types divide well.
std::int64_t RandomCalls::request_bytes(std::int64_t etype_bytes) {
  if (one_in(6)) return 0;
  const std::int64_t most = one_in(4) ? most_bytes_ : 200;
  const std::int64_t unit = one_in(3) ? etype_bytes : 48 * etype_bytes;
  return pick(1, std::max<std::int64_t>(1, most / unit)) * unit;
}

Shape RandomCalls::with_memory(const FileView& view, std::int64_t first_etype) {
  if (view.tile_data_bytes() == 0) return {view, 0, Layout()};
  return {view, first_etype * view.etype_bytes(), memory(request_bytes(view.etype_bytes()))};
}

std::vector<Shape> RandomCalls::dealt() {
  const std::int64_t unit = one_in(3) ? 4 : 1;  // the etype
  const std::int64_t longest = one_in(3) ? 300 : 12;
  std::vector<Numbers> displacements(static_cast<std::size_t>(ranks_));
  std::vector<Numbers> lengths(displacements.size());
  std::int64_t place = 0;
  for (std::int64_t piece = pick(1, 6 * ranks_); piece > 0; --piece) {
    const std::int64_t length = pick(1, longest) * unit;
    const auto owner = static_cast<std::size_t>(pick(0, ranks_));
    if (owner < displacements.size()) {
      displacements[owner].push_back(place);
      lengths[owner].push_back(length);
    }
    place += length;
  }
  const std::int64_t displacement = pick(0, 50);
  const std::int64_t first_etype = pick(0, 40);
  std::vector<Shape> shapes;
  for (std::size_t rank = 0; rank < displacements.size(); ++rank) {
    const Layout mine = Layout::blocks(displacements[rank], lengths[rank]);
    shapes.push_back(with_memory(FileView(displacement, unit, mine, place), first_etype));
  }
  return shapes;
}

FileView RandomCalls::nested_view(bool may_write) {
  const auto byte = layout::build(*layout::make_type(layout::BasicKind::kByte), layout::Representation::native());
  for (int attempt = 0; attempt < 50; ++attempt) {
    const auto type = layout::build(*layout::random_type(random_, 4, true), layout::Representation::native()).value();
    const std::int64_t tile_bytes = type.layout.data_bytes();
    if (tile_bytes == 0 || type.extent() > 30 * tile_bytes) continue;
    if (!layout::check_view(byte.value(), type, may_write).ok()) continue;
    return {pick(0, 60), 1, type.layout, type.extent()};
  }
  return {};
}

std::vector<Shape> RandomCalls::nested(bool may_write) {
  const bool apart = one_in(2);
  std::vector<Shape> shapes;
  std::int64_t begin = 0;
  for (int rank = 0; rank < ranks_; ++rank) {
    const FileView view = nested_view(may_write);
    const FileView moved(begin + view.displacement(), 1, view.filetype(), view.filetype_extent());
    shapes.push_back(with_memory(moved, pick(0, 30)));
    const auto offsets = byte_request(shapes.back()).file;
    if (apart && !offsets.empty()) begin = *std::max_element(offsets.begin(), offsets.end()) + 1;
  }
  return shapes;
}

std::vector<Shape> RandomCalls::blocks() {
  std::vector<Shape> shapes;
  std::int64_t begin = pick(0, 100);
  for (int rank = 0; rank < ranks_; ++rank) {
    shapes.push_back(with_memory(FileView(), begin));
    begin += shapes.back().memory.data_bytes() + (one_in(4) ? pick(0, 100) : 0);
  }
  if (one_in(2)) std::reverse(shapes.begin(), shapes.end());
  return shapes;
}

std::vector<Shape> RandomCalls::ordered() {
  const FileView view = nested_view(true);
  std::vector<Shape> shapes;
  for (int rank = 0; rank < ranks_; ++rank) shapes.push_back(with_memory(view, 0));
  return shapes;
}

std::vector<Shape> RandomCalls::later(bool move_on) {
  std::vector<Shape> shapes = last_.shapes;
  for (Shape& shape : shapes) {
    const std::int64_t bytes = shape.memory.data_bytes();
    if (move_on) shape.data_offset += bytes;
    if (one_in(2)) shape.memory = memory(bytes);
  }
  return shapes;
}

void RandomCalls::leave_one_rank(std::vector<Shape>& shapes) {
  const auto kept = static_cast<std::size_t>(pick(0, ranks_ - 1));
  for (std::size_t rank = 0; rank < shapes.size(); ++rank) {
    if (rank != kept) shapes[rank].memory = Layout();
  }
}

Call RandomCalls::next() {
  Call call;
  call.direction = one_in(3) ? Direction::kRead : Direction::kWrite;
  call.manner = one_in(4) ? Manner::kNonblocking : one_in(4) ? Manner::kSplit : Manner::kBlocking;
  call.positioning = one_in(4) ? Positioning::kIndividual : Positioning::kExplicit;
  const bool repeatable = !last_.shapes.empty() && last_.positioning != Positioning::kOrdered &&
                          (call.direction == Direction::kRead || last_.direction == Direction::kWrite);
  if (repeatable && one_in(2)) {
    call.keep_view = true;
    call.shapes = later(one_in(2));
    return last_ = call;
  }
  switch (pick(0, 7)) {
    case 0: call.shapes = blocks(); break;
    case 1:
    case 2: call.shapes = nested(call.direction == Direction::kWrite); break;
    case 3:
      call.shapes = ordered();
      call.positioning = Positioning::kOrdered;
      break;
    default: call.shapes = dealt(); break;
  }
  if (one_in(8)) leave_one_rank(call.shapes);
  return last_ = call;
}

}  // namespace weir::exec

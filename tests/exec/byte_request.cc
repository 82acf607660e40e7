#include "exec/byte_request.h"

#include <fmt/format.h>

#include "layout/oracle.h"

namespace weir::exec {

namespace {

constexpr std::int64_t kGuard = 16;

}  // namespace

std::string describe(const Shape& shape) {
  return fmt::format("view at {} of ({}) by {}, data offset {}, memory ({})", shape.view.displacement(),
                     layout::describe(shape.view.filetype()), shape.view.filetype_extent(), shape.data_offset,
                     layout::describe(shape.memory));
}

ByteRequest byte_request(const Shape& shape) {
  ByteRequest request;
  request.memory = layout::bytes_of(shape.memory);
  const auto bytes = std::ssize(request.memory);
  if (bytes == 0) return request;
  const std::int64_t tiles = (shape.data_offset + bytes) / shape.view.tile_data_bytes() + 1;
  std::vector<std::int64_t> all = layout::tile_bytes(layout::bytes_of(shape.view.filetype()),
                                                     shape.view.filetype_extent(), tiles, shape.view.displacement());
  request.file.assign(all.begin() + shape.data_offset, all.begin() + shape.data_offset + bytes);
  return request;
}

std::int64_t bytes_before_end(const ByteRequest& request, std::int64_t file_bytes) {
  std::int64_t bytes = 0;
  while (bytes < std::ssize(request.file) && request.file[static_cast<std::size_t>(bytes)] < file_bytes) ++bytes;
  return bytes;
}

Arena::Arena(const layout::Layout& shape, int seed)
    : shape_(shape),
      first_(shape.span().begin - kGuard),
      bytes_(driver::pattern(shape.span().bytes() + 2 * kGuard, seed)) {}

Expected expected_after(Direction direction, const ByteRequest& request, const Bytes& file, const Arena& arena) {
  Expected expected = {file, arena.bytes(), std::ssize(request.file)};
  if (direction == Direction::kRead) expected.moved = bytes_before_end(request, std::ssize(file));
  for (std::size_t i = 0; i < static_cast<std::size_t>(expected.moved); ++i) {
    const auto place = static_cast<std::size_t>(request.file[i]);
    const std::size_t index = arena.index(request.memory[i]);
    if (direction == Direction::kRead) {
      expected.memory[index] = file[place];
    } else {
      if (place >= expected.file.size()) expected.file.resize(place + 1);
      expected.file[place] = arena.bytes()[index];
    }
  }
  return expected;
}

std::vector<plan::AccessChoice> choices_for(const Shape& shape) {
  using plan::AccessMethod;
  std::vector<plan::AccessChoice> choices = {{AccessMethod::kList, "", 0}};
  if (shape.view.is_contiguous() && shape.memory.is_contiguous()) choices.push_back({AccessMethod::kContiguous, "", 0});
  for (std::int64_t buffer_bytes : {1, 3, 7, 1 << 16}) {
    choices.push_back({AccessMethod::kPacked, "", buffer_bytes});
    if (shape.view.is_ascending()) choices.push_back({AccessMethod::kSieve, "", buffer_bytes});
  }
  return choices;
}

}  // namespace weir::exec

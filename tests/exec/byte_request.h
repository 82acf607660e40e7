// The slow, obvious answer to one rank's access: which byte of memory belongs to which byte of the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/memory.h"
#include "driver/support.h"
#include "exec/independent/independent.h"
#include "layout/request_list.h"
#include "plan/access_method.h"

namespace weir::exec {

using driver::Bytes;

// A part of a view and the shape of the memory it goes to or comes from.
struct Shape {
  layout::FileView view;
  std::int64_t data_offset = 0;
  layout::Layout memory;
};

// For text of failures.
std::string describe(const Shape& shape);

// Byte i of the request lies at file[i], and in memory at memory[i] behind the base.
struct ByteRequest {
  std::vector<std::int64_t> file;
  std::vector<std::int64_t> memory;
};
ByteRequest byte_request(const Shape& shape);

// How many bytes of the request come before the first one behind the end of a file of `file_bytes`.
std::int64_t bytes_before_end(const ByteRequest& request, std::int64_t file_bytes);

// Memory for a layout, filled with a pattern, with bytes around it that must not change.
class Arena {
 public:
  explicit Arena(const layout::Layout& shape, int seed = 9);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  layout::Memory memory() { return {base(), shape_}; }
  std::byte& at(std::int64_t offset) { return base()[offset]; }
  const Bytes& bytes() const { return bytes_; }
  std::size_t index(std::int64_t offset) const { return static_cast<std::size_t>(offset - first_); }

 private:
  std::byte* base() { return bytes_.data() - first_; }

  layout::Layout shape_;
  std::int64_t first_;  // the offset of bytes_[0] from the base
  Bytes bytes_;
};

// What must be in the file and in memory after a full access, and how many bytes must have moved.
struct Expected {
  Bytes file;
  Bytes memory;
  std::int64_t moved = 0;
};
Expected expected_after(Direction direction, const ByteRequest& request, const Bytes& file, const Arena& arena);

// Puts all methods that may be used for the shape in turn: list, and packing and sieving with several buffers.
std::vector<plan::AccessChoice> choices_for(const Shape& shape);

}  // namespace weir::exec

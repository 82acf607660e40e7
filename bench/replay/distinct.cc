#include "replay/distinct.h"

#include <cstddef>
#include <vector>

#include "layout/cursor.h"

namespace bench {
namespace {

using weir::layout::Layout;

bool names_a_byte_twice(const Layout& memory) {
  if (memory.is_ascending()) return false;
  if (memory.data_bytes() > memory.span().bytes()) return true;
  std::vector<bool> named(static_cast<std::size_t>(memory.span().bytes()));
  weir::layout::Cursor cursor(memory);
  for (auto piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
    for (std::int64_t i = 0; i < piece.length; ++i) {
      const auto byte = static_cast<std::size_t>(piece.offset + i - memory.span().begin);
      if (named[byte]) return true;
      named[byte] = true;
    }
  }
  return false;
}

}  // namespace

Layout distinct(const Layout& memory) {
  return names_a_byte_twice(memory) ? Layout::contiguous(memory.data_bytes()) : memory;
}

}  // namespace bench

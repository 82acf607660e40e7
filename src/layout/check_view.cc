#include "layout/check_view.h"

#include <fmt/format.h>

namespace weir::layout {
namespace {

Status check_displacements(const char* role, const Layout& layout, bool may_write) {
  const Extent span = layout.span();
  if (span.begin < 0) {
    return {ErrorClass::kIo, fmt::format("the {} has a negative displacement ({} bytes)", role, span.begin)};
  }
  if (!layout.is_monotone()) {
    return {ErrorClass::kIo, fmt::format("the displacements of the {} go backwards; in a file view they must "
                                         "not decrease",
                                         role)};
  }
  if (may_write && !layout.is_ascending()) {
    return {ErrorClass::kIo, fmt::format("the {} has overlapping bytes, but the file may be written", role)};
  }
  return {};
}

Status check_tiling(const char* role, const SizedLayout& type) {
  if (type.layout.empty()) return {};
  if (type.extent() <= 0) {
    return {ErrorClass::kIo,
            fmt::format("the extent of the {} is {}; in a file view it must be positive", role, type.extent())};
  }
  return {};
}

Status check_sizes(const SizedLayout& etype, const SizedLayout& filetype) {
  const std::int64_t etype_bytes = etype.layout.data_bytes();
  const std::int64_t filetype_bytes = filetype.layout.data_bytes();
  if (filetype_bytes == 0 || (etype_bytes > 0 && filetype_bytes % etype_bytes == 0)) return {};
  return {ErrorClass::kArgument, fmt::format("the file type has {} bytes, which is no multiple of the elementary "
                                             "type's {}",
                                             filetype_bytes, etype_bytes)};
}

}  // namespace

Status check_view(const SizedLayout& etype, const SizedLayout& filetype, bool may_write) {
  return check_displacements("elementary type", etype.layout, may_write)
      .or_else(check_displacements("file type", filetype.layout, may_write))
      .or_else(check_tiling("file type", filetype))
      .or_else(check_sizes(etype, filetype));
}

}  // namespace weir::layout

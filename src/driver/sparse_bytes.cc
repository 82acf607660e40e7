#include "driver/sparse_bytes.h"

#include <algorithm>
#include <cstring>

namespace weir::driver {

void SparseBytes::resize(std::int64_t bytes) {
  if (bytes < size_) {
    pages_.erase(pages_.lower_bound((bytes + kPageBytes - 1) / kPageBytes), pages_.end());
    auto last = pages_.find(bytes / kPageBytes);
    if (last != pages_.end()) {  // what is cut off must read as zeros when the file grows again
      std::fill(last->second->begin() + bytes % kPageBytes, last->second->end(), std::byte{0});
    }
  }
  size_ = bytes;
}

void SparseBytes::write(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::int64_t start = offset % kPageBytes;
    std::size_t some = std::min(bytes.size(), static_cast<std::size_t>(kPageBytes - start));
    std::unique_ptr<Page>& page = pages_[offset / kPageBytes];
    if (page == nullptr) page = std::make_unique<Page>();
    std::memcpy(page->data() + start, bytes.data(), some);
    offset += static_cast<std::int64_t>(some);
    bytes = bytes.subspan(some);
  }
}

void SparseBytes::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    std::int64_t start = offset % kPageBytes;
    std::size_t some = std::min(bytes.size(), static_cast<std::size_t>(kPageBytes - start));
    auto page = pages_.find(offset / kPageBytes);
    if (page == pages_.end()) {
      std::memset(bytes.data(), 0, some);
    } else {
      std::memcpy(bytes.data(), page->second->data() + start, some);
    }
    offset += static_cast<std::int64_t>(some);
    bytes = bytes.subspan(some);
  }
}

}  // namespace weir::driver

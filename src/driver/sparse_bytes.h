// SparseBytes: a growable array of bytes in which what was never written costs nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace weir::driver {

// Not thread-safe.
class SparseBytes {
 public:
  std::int64_t size() const { return size_; }

  // Truncates, or extends with zeros.
  void resize(std::int64_t bytes);

  // REQUIRES: [offset, offset + bytes.size()) lies within [0, size()).
  void write(std::int64_t offset, std::span<const std::byte> bytes);
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  static constexpr std::int64_t kPageBytes = 1 << 16;
  using Page = std::array<std::byte, kPageBytes>;

  std::int64_t size_ = 0;
  std::map<std::int64_t, std::unique_ptr<Page>> pages_;  // by page number; a missing page is all zeros
};

}  // namespace weir::driver

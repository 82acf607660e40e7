// CoverageMap: which bytes of a window somebody has asked for, a bit each.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/extent.h"
#include "layout/cursor.h"

namespace weir::layout {

// A bit per byte of a window, in memory that other ranks mark at the same time: marks are atomic, and order no other
// memory. Whoever reads the marks of others has to have synchronised with them.
class CoverageMap {
 public:
  static constexpr std::int64_t kWordBits = 64;

  // How many words hold the bits of `bytes` bytes.
  static std::size_t words_for(std::int64_t bytes) {
    return static_cast<std::size_t>((bytes + kWordBits - 1) / kWordBits);
  }

  // The words stay the caller's, who keeps them alive.
  explicit CoverageMap(std::span<std::uint64_t> words) : words_(words) {}

  // Clears the bits [0, bytes). REQUIRES: inside the map; nobody marks at the same time.
  void clear(std::int64_t bytes);
  // Sets the bits [begin, begin + bytes). REQUIRES: inside the map.
  void mark(std::int64_t begin, std::int64_t bytes);
  // Whether all bits [begin, begin + bytes) are set. REQUIRES: inside the map.
  bool covers(std::int64_t begin, std::int64_t bytes) const;
  // Whether any of the bits [0, bytes) is set. REQUIRES: inside the map.
  bool any(std::int64_t bytes) const;
  // Calls fn(Extent) for every maximal run of marked bytes within [0, bytes), ascending. REQUIRES: inside the map.
  template <typename Fn>
  void for_each_run(std::int64_t bytes, Fn fn) const;

  std::span<std::uint64_t> words() const { return words_; }

 private:
  std::uint64_t load(std::size_t index) const {
    return std::atomic_ref<std::uint64_t>(words_[index]).load(std::memory_order_relaxed);
  }

  std::span<std::uint64_t> words_;
};

// Marks the next `bytes` data bytes of the file cursor; byte `begin` of the file is bit 0. The cursor goes behind them.
// Allocates nothing. REQUIRES: bytes <= file.remaining_bytes(); they all lie in the map.
void mark_pieces(Cursor& file, CoverageMap& map, std::int64_t begin, std::int64_t bytes);

template <typename Fn>
void CoverageMap::for_each_run(std::int64_t bytes, Fn fn) const {
  std::int64_t run_begin = -1;  // of the run that reaches the bit looked at; none when negative
  for (std::int64_t at = 0; at < bytes; at += kWordBits) {
    std::uint64_t word = load(static_cast<std::size_t>(at / kWordBits));
    if (bytes - at < kWordBits) word &= (std::uint64_t{1} << (bytes - at)) - 1;
    for (int bit = 0; bit < kWordBits;) {
      const std::uint64_t rest = word >> bit;
      if (run_begin < 0) {
        if (rest == 0) break;
        bit += std::countr_zero(rest);
        run_begin = at + bit;
      } else {
        bit += std::countr_one(rest);
        if (bit == kWordBits) break;
        fn(Extent{run_begin, at + bit});
        run_begin = -1;
      }
    }
  }
  if (run_begin >= 0) fn(Extent{run_begin, bytes});
}

}  // namespace weir::layout

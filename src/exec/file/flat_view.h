// FlatView: a view that shows one stretch of the file, at hand for calls that are one request.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "layout/file_view.h"

namespace weir::exec {

// Read without a lock; set by one thread at a time.
class FlatView {
 public:
  struct Stretch {
    std::int64_t begin = 0;  // in the file
    std::int64_t bytes = 0;  // 0: the view has gaps, or shows nothing
    std::int64_t etype_bytes = 1;

    // Where in the file so many bytes are, from so many etypes on; nothing where the stretch does not have them.
    std::optional<std::int64_t> offset_of(std::int64_t etypes, std::int64_t wanted_bytes) const {
      std::int64_t data_offset = 0;
      if (etypes < 0 || __builtin_mul_overflow(etypes, etype_bytes, &data_offset)) return std::nullopt;
      if (wanted_bytes > bytes || data_offset > bytes - wanted_bytes) return std::nullopt;
      return begin + data_offset;
    }
  };

  void set(const layout::FileView& view) {
    const Stretch stretch =
        view.is_contiguous() ? Stretch{view.layout().first(), view.data_bytes(), view.etype_bytes()} : Stretch{};
    const std::uint32_t before = changes_.load();
    changes_.store(before + 1);
    begin_.store(stretch.begin, std::memory_order_release);
    bytes_.store(stretch.bytes, std::memory_order_release);
    etype_bytes_.store(stretch.etype_bytes, std::memory_order_release);
    changes_.store(before + 2, std::memory_order_release);
  }

  // Nothing while it is being set.
  std::optional<Stretch> get() const {
    const std::uint32_t before = changes_.load(std::memory_order_acquire);
    const Stretch stretch = {begin_.load(std::memory_order_acquire), bytes_.load(std::memory_order_acquire),
                             etype_bytes_.load(std::memory_order_acquire)};
    const bool whole = before % 2 == 0 && changes_.load(std::memory_order_relaxed) == before;
    return whole ? std::optional(stretch) : std::nullopt;
  }

 private:
  std::atomic<std::uint32_t> changes_ = 0;  // odd while the rest changes
  std::atomic<std::int64_t> begin_ = 0;
  std::atomic<std::int64_t> bytes_ = 0;
  std::atomic<std::int64_t> etype_bytes_ = 1;
};

}  // namespace weir::exec

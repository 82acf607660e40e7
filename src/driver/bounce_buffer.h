// BounceBuffer: memory that bytes pass through on their way between a file and memory that is badly placed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace weir::driver {

// May not be had. Pages of its own: nothing is touched before it is used.
class BounceBuffer {
 public:
  explicit BounceBuffer(std::int64_t bytes);
  BounceBuffer(const BounceBuffer&) = delete;
  BounceBuffer& operator=(const BounceBuffer&) = delete;
  ~BounceBuffer();

  bool had() const { return begin_ != nullptr; }
  // Room for all bytes, `shift` bytes behind a page boundary. REQUIRES: had(); -4096 <= shift <= 4096.
  std::byte* at(std::int64_t shift) const;
  // Room for all bytes, half a page away from where the page cache has the file's offset: well placed, and well placed
  // too for copies to and from memory that lies near that offset within a page. REQUIRES: had(); 0 <= offset.
  std::byte* place_for(std::int64_t offset) const;

 private:
  std::byte* begin_ = nullptr;
  std::size_t mapped_bytes_;
};

// Bounce buffers of one size, kept from one transfer to the next: as many as are in use at once, two at most.
// Thread-safe.
class BounceShelf {
 public:
  static constexpr std::int64_t kBytes = 256 << 10;  // of a buffer: stays in a core's own cache

  // One to be used by one thread at a time, and given back; may not be had.
  std::unique_ptr<BounceBuffer> take();
  void give_back(std::unique_ptr<BounceBuffer> buffer);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<BounceBuffer>> kept_;
};

}  // namespace weir::driver

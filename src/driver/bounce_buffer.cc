#include "driver/bounce_buffer.h"

#include <sys/mman.h>

#include "driver/placement.h"

namespace weir::driver {

namespace {

constexpr std::size_t kMostKept = 2;

}  // namespace

BounceBuffer::BounceBuffer(std::int64_t bytes) : mapped_bytes_(static_cast<std::size_t>(bytes + 2 * kPageBytes)) {
  void* mapped = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped != MAP_FAILED) begin_ = static_cast<std::byte*>(mapped);
}

BounceBuffer::~BounceBuffer() {
  if (had()) ::munmap(begin_, mapped_bytes_);
}

std::byte* BounceBuffer::at(std::int64_t shift) const { return begin_ + kPageBytes + shift; }

std::byte* BounceBuffer::place_for(std::int64_t offset) const { return at((offset + kPageBytes / 2) % kPageBytes); }

std::unique_ptr<BounceBuffer> BounceShelf::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!kept_.empty()) {
      std::unique_ptr<BounceBuffer> buffer = std::move(kept_.back());
      kept_.pop_back();
      return buffer;
    }
  }
  auto buffer = std::make_unique<BounceBuffer>(kBytes);
  return buffer->had() ? std::move(buffer) : nullptr;
}

void BounceShelf::give_back(std::unique_ptr<BounceBuffer> buffer) {
  const std::scoped_lock lock(mutex_);
  if (kept_.size() < kMostKept) kept_.push_back(std::move(buffer));
}

}  // namespace weir::driver

#include "memory.h"

#include <algorithm>
#include <cstring>

namespace beffio {

std::uint64_t Stamp::bits() const {
  return static_cast<std::uint64_t>(pattern + 1) << 56 | static_cast<std::uint64_t>(method) << 48 |
         static_cast<std::uint64_t>(repeat);
}

Memory::Memory(int rank, std::int64_t bytes)
    : write_(static_cast<std::size_t>(bytes)), read_(static_cast<std::size_t>(bytes)) {
  // A linear congruential generator: cheap, and different at every place of every rank.
  std::uint64_t value = static_cast<std::uint64_t>(rank) * 0x9e3779b97f4a7c15u + 1;
  for (std::size_t at = 0; at < write_.size(); at += sizeof value) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(&write_[at], &value, std::min(sizeof value, write_.size() - at));
  }
}

const std::byte* Memory::to_write(const Stamp& stamp) {
  const std::uint64_t bits = stamp.bits();
  std::memcpy(write_.data(), &bits, sizeof bits);
  return write_.data();
}

void Memory::clear(std::int64_t bytes) { std::memset(read_.data(), 0, static_cast<std::size_t>(bytes)); }

bool Memory::is_right(std::int64_t bytes, const Stamp& stamp) const {
  const std::uint64_t bits = stamp.bits();
  constexpr std::size_t kStampBytes = sizeof bits;
  return std::memcmp(read_.data(), &bits, kStampBytes) == 0 &&
         std::memcmp(read_.data() + kStampBytes, write_.data() + kStampBytes,
                     static_cast<std::size_t>(bytes) - kStampBytes) == 0;
}

}  // namespace beffio

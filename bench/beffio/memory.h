// What a rank writes and reads: bytes that tell which rank, pattern, method and repeat they belong to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern.h"

namespace beffio {

// Marks the first bytes of every call's data. Costs a store, so that it can be set in the timed part.
struct Stamp {
  int pattern = 0;
  Method method = Method::kWrite;  // the one that wrote it
  std::int64_t repeat = 0;

  std::uint64_t bits() const;
};

class Memory {
 public:
  // For calls of up to `bytes`. Touches all of it.
  Memory(int rank, std::int64_t bytes);

  // What that takes.
  static std::int64_t bytes_for(std::int64_t bytes) { return 2 * bytes; }

  // The bytes to write, with this stamp.
  const std::byte* to_write(const Stamp& stamp);
  // Where to read to.
  std::byte* to_read() { return read_.data(); }

  // Forgets what was read.
  void clear(std::int64_t bytes);
  // True if what was read is what to_write(stamp) gave. REQUIRES that this rank wrote it.
  bool is_right(std::int64_t bytes, const Stamp& stamp) const;

 private:
  std::vector<std::byte> write_;
  std::vector<std::byte> read_;
};

}  // namespace beffio

// The memory of a rank, and where it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace bench {

// How far memory placed apart lies behind the file's bytes, counted from the beginnings of their pages. On some
// processors the kernel copies two to four times slower where memory lies a little behind (reads) or before (writes)
// the file's bytes in this sense, as large blocks of malloc do: they begin 16 bytes behind a page. Half a page is
// farthest from both.
inline constexpr std::int64_t kPageBytes = 4096;
inline constexpr std::int64_t kApartBytes = kPageBytes / 2;

class Memory {
 public:
  // As programs have it: by malloc.
  static Memory as_programs_have(std::int64_t bytes);
  // Placed apart from the bytes at `file_offset`: (address - file_offset) mod kPageBytes is kApartBytes.
  static Memory placed_apart(std::int64_t bytes, std::int64_t file_offset);

  std::span<std::byte> bytes() { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* block) const { std::free(block); }
  };
  using Block = std::unique_ptr<std::byte, Free>;

  // Touches all of it.
  Memory(Block block, std::int64_t begin, std::int64_t bytes);

  Block block_;
  std::span<std::byte> bytes_;
};

}  // namespace bench

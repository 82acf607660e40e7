// What the bytes of a file have to be: every 4-byte word depends on its position in the file and on a salt, which
// changes from repeat to repeat so that nothing left behind by an earlier repeat passes for new. Everything is LOCAL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/share.h"

namespace bench {

// The salt of bytes that no rank writes.
inline constexpr std::uint32_t kUntouched = 0;

// Sets memory as if the share had read the right values; bytes that no piece covers are gaps.
void fill_memory(const Share& share, std::uint32_t salt, std::span<std::byte> memory);

// The values of so many bytes from `position` on; it may be any.
void put_values(std::int64_t position, std::uint32_t salt, std::span<std::byte> bytes);

// Makes everything a gap.
void clear_memory(std::span<std::byte> memory);

// True if every piece has the right value and every gap is still one. Clears memory.
bool memory_is_right(const Share& share, std::uint32_t salt, std::span<std::byte> memory);

// Part number `part` of `parts` of the file at `path`, accessed without MPI.
struct FilePart {
  std::string path;
  std::int64_t file_bytes = 0;
  int part = 0;
  int parts = 1;
};

// For each word of a part, whether some rank writes it. Empty: all are written.
using Coverage = std::vector<bool>;

// Adds what a rank with this share writes.
void cover(const FilePart& part, const Share& share, Coverage& coverage);

// Makes an empty file. Throws JobFailure.
void make_file(const std::string& path);

// Writes the values of `salt` everywhere in the part of a file that was made. Throws JobFailure.
void write_part(const FilePart& part, std::uint32_t salt);

// True if the file has exactly file_bytes, and in this part the values of `salt` where it is covered, of kUntouched
// where it is not. Throws JobFailure if it cannot be read.
bool part_is_right(const FilePart& part, std::uint32_t salt, const Coverage& coverage);

}  // namespace bench

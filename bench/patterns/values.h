// What the bytes of a file have to be: every 4-byte word depends on its position in the file and on a salt, which
// changes from repeat to repeat so that nothing left behind by an earlier repeat passes for new. All pieces of all
// patterns begin and end at multiples of 4 bytes, in the file and in memory. Everything here is LOCAL.

#ifndef WEIR_BENCH_PATTERNS_VALUES_H_
#define WEIR_BENCH_PATTERNS_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "pattern.h"

namespace bench {

// Sets memory as if the workload had read the right values; bytes that no piece covers are gaps.
void fill_memory(const Workload& workload, std::uint32_t salt, std::span<std::byte> memory);

// Makes everything a gap.
void clear_memory(std::span<std::byte> memory);

// True if every piece has the right value and every gap is still one. Clears memory.
bool memory_is_right(const Workload& workload, std::uint32_t salt, std::span<std::byte> memory);

// Part number `part` of `parts` of the file at `path`, accessed without MPI.
struct FilePart {
  std::string path;
  std::int64_t file_bytes = 0;
  int part = 0;
  int parts = 1;
};

// Writes the right values. False if the file cannot be written.
bool write_part(const FilePart& part, std::uint32_t salt);

// True if the file has exactly file_bytes and this part of it has the right values.
bool part_is_right(const FilePart& part, std::uint32_t salt);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_VALUES_H_

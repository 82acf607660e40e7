// Patterns: who writes or reads which bytes of one file, described as data. No MPI is needed here.

#ifndef WEIR_BENCH_PATTERNS_PATTERN_H_
#define WEIR_BENCH_PATTERNS_PATTERN_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pattern_type.h"

namespace bench {

// What a pattern is made for. `bytes` is the size wished for in all; a pattern rounds it so that it divides.
// `grid` arranges the ranks in three dimensions; its product is `ranks`.
struct Shape {
  int ranks = 1;
  std::array<int, 3> grid = {1, 1, 1};
  std::int64_t bytes = 0;
};

// One view and the calls made through it, one after another. Call k moves one instance of `file`, with its origin at
// `displacement` + k * `stride_bytes` in the file, to or from the k-th instance of `memory`.
// Unless `file` is Plain, `stride_bytes` is its span, so that the view repeats itself from call to call.
struct Access {
  std::int64_t displacement = 0;
  TypeSpec file;
  TypeSpec memory;
  int calls = 1;
  std::int64_t stride_bytes = 0;
};

// What one rank does. All ranks have equally many accesses, with equally many calls and equal elements in the file, and
// together they touch every byte of the file exactly once.
struct Workload {
  std::vector<Access> accesses;
  std::int64_t file_bytes = 0;  // the whole file, equal on all ranks
  bool collective = true;
  std::string note;  // what differs from what was asked for; empty if nothing
};

struct Pattern {
  std::string_view name;
  std::string_view text;  // one line for people
  Workload (*workload)(const Shape& shape, int rank);
};

// All patterns, in the order in which they are shown.
std::span<const Pattern> all_patterns();

// Null if there is no pattern of that name.
const Pattern* find_pattern(std::string_view name);

// How much memory the accesses need, one after another.
std::int64_t memory_bytes(const Workload& workload);

// The limit, "Block I/O": every rank moves an equal and contiguous share of `shape.bytes` by one independent call.
// The share is rounded up to a multiple of 4 bytes.
Workload block_io(const Shape& shape, int rank);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_PATTERN_H_

// The access patterns of b_eff_io as data: pattern types, access methods, chunk sizes, time units.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beffio {

inline constexpr std::int64_t kKilobyte = 1024;  // sizes are wellformed: powers of 2
inline constexpr std::int64_t kMegabyte = 1024 * kKilobyte;

// How ranks and files go together.
enum class Type {
  kScatter,    // collective, memory scattered to chunks that are strided over the ranks
  kShared,     // collective through the shared file pointer, a call per chunk
  kSeparate,   // noncollective, a file per rank
  kSegmented,  // noncollective, a segment per rank of one file
  kSegmentedCollective,
};
inline constexpr std::array kAllTypes = {Type::kScatter, Type::kShared, Type::kSeparate, Type::kSegmented,
                                         Type::kSegmentedCollective};

// What is done to a file. Every method opens and closes it.
enum class Method { kWrite, kRewrite, kRead };
inline constexpr std::array kAllMethods = {Method::kWrite, Method::kRewrite, Method::kRead};

// The contiguous size on disk. kOneKilobytePlus and its like are 8 bytes longer: not wellformed.
enum class Chunk {
  kMpart,
  kOneMegabyte,
  kThirtyTwoKilobytes,
  kOneKilobyte,
  kThirtyTwoKilobytesPlus,
  kOneKilobytePlus,
  kOneMegabytePlus,
};
inline constexpr std::array kAllChunks = {Chunk::kMpart,
                                          Chunk::kOneMegabyte,
                                          Chunk::kThirtyTwoKilobytes,
                                          Chunk::kOneKilobyte,
                                          Chunk::kThirtyTwoKilobytesPlus,
                                          Chunk::kOneKilobytePlus,
                                          Chunk::kOneMegabytePlus};

// One row of the table of patterns.
struct Pattern {
  int number = 0;  // position in the whole table, from 0
  Type type = Type::kScatter;
  Chunk chunk = Chunk::kOneMegabyte;
  std::int64_t chunk_bytes = 0;   // l: contiguous on disk
  std::int64_t memory_bytes = 0;  // L: contiguous in memory, what a rank gives one call; a multiple of l
  int units = 0;                  // U: share of the time; 0 is executed once and only warms up
};

// The sum of the time units of all patterns.
inline constexpr int kUnitsOfMethod = 64;

int number_of(Type type);
bool is_collective(Type type);

// Types whose amount of data is fixed before they begin, because a segment has to have a size.
bool is_size_driven(Type type);

// "scatter", "shared", "separate", "segmented", "seg-coll".
std::string_view name(Type type);
// "write", "rewrite", "read".
std::string_view name(Method method);
// As the hints file spells it: "MPART", "1MB", "32kB", "1kB", "32kB+8", "1kB+8", "1MB+8".
std::string_view name(Chunk chunk);
// As people read it: "1 kB + 8 B"; for scattering patterns with L where it is not l, "1 MB of 2 MB".
std::string label(const Pattern& pattern);

// The largest chunk size on nodes of this much memory: a 128th of it, at least 2 MB, in whole megabytes, and such that
// one call's bytes fit the int that MPI takes.
std::int64_t mpart_bytes(std::int64_t memory_of_node_bytes);

// All 41 rows in the order they are executed; 36 of them have time units. REQUIRES mpart_bytes > 0.
std::vector<Pattern> all_patterns(std::int64_t mpart_bytes);

// The rows of one type, in order.
std::vector<Pattern> patterns_of(Type type, std::int64_t mpart_bytes);

// The most that a rank gives one call.
std::int64_t largest_call(std::int64_t mpart_bytes);

// The sum of the time units of these types.
int units_of(std::span<const Type> types);

}  // namespace beffio

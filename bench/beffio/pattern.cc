#include "pattern.h"

#include <algorithm>

namespace beffio {
namespace {

constexpr std::int64_t kPlus = 8;  // what makes a chunk not wellformed
constexpr std::int64_t kLargestCallBytes = 2047 * kMegabyte;

struct ChunkName {
  std::string_view word;
  std::string_view label;
  std::int64_t bytes;  // 0: MPART
};

// In the order of the enumeration.
constexpr std::array<ChunkName, kAllChunks.size()> kChunkNames = {{
    {"MPART", "MPART", 0},
    {"1MB", "1 MB", kMegabyte},
    {"32kB", "32 kB", 32 * kKilobyte},
    {"1kB", "1 kB", kKilobyte},
    {"32kB+8", "32 kB + 8 B", 32 * kKilobyte + kPlus},
    {"1kB+8", "1 kB + 8 B", kKilobyte + kPlus},
    {"1MB+8", "1 MB + 8 B", kMegabyte + kPlus},
}};

const ChunkName& names_of(Chunk chunk) { return kChunkNames.at(static_cast<std::size_t>(chunk)); }

// A row before MPART is known: `chunks` of them make up one call.
struct Row {
  Chunk chunk;
  int chunks;
  int units;
};

constexpr std::array kScatterRows = {
    Row{Chunk::kOneMegabyte, 1, 0},
    Row{Chunk::kMpart, 1, 4},
    Row{Chunk::kOneMegabyte, 2, 4},
    Row{Chunk::kOneMegabyte, 1, 4},
    Row{Chunk::kThirtyTwoKilobytes, 32, 2},
    Row{Chunk::kOneKilobyte, 1024, 2},
    Row{Chunk::kThirtyTwoKilobytesPlus, 32, 2},
    Row{Chunk::kOneKilobytePlus, 1024, 2},
    Row{Chunk::kOneMegabytePlus, 1, 2},
};

// Types 1 to 4 differ in the units of MPART only.
constexpr std::array<Row, 8> single_chunk_rows(int mpart_units) {
  return {Row{Chunk::kOneMegabyte, 1, 0},     Row{Chunk::kMpart, 1, mpart_units},
          Row{Chunk::kOneMegabyte, 1, 2},     Row{Chunk::kThirtyTwoKilobytes, 1, 1},
          Row{Chunk::kOneKilobyte, 1, 1},     Row{Chunk::kThirtyTwoKilobytesPlus, 1, 1},
          Row{Chunk::kOneKilobytePlus, 1, 1}, Row{Chunk::kOneMegabytePlus, 1, 2}};
}

constexpr std::array<Row, 8> kSharedRows = single_chunk_rows(4);
constexpr std::array<Row, 8> kOtherRows = single_chunk_rows(2);

std::span<const Row> rows_of(Type type) {
  if (type == Type::kScatter) return kScatterRows;
  if (type == Type::kShared) return kSharedRows;
  return kOtherRows;
}

}  // namespace

int number_of(Type type) { return static_cast<int>(type); }

bool is_collective(Type type) { return type != Type::kSeparate && type != Type::kSegmented; }

bool is_size_driven(Type type) { return type == Type::kSegmented || type == Type::kSegmentedCollective; }

std::string_view name(Type type) {
  constexpr std::array<std::string_view, kAllTypes.size()> kNames = {"scatter", "shared", "separate", "segmented",
                                                                     "seg-coll"};
  return kNames.at(static_cast<std::size_t>(type));
}

std::string_view name(Method method) {
  constexpr std::array<std::string_view, kAllMethods.size()> kNames = {"write", "rewrite", "read"};
  return kNames.at(static_cast<std::size_t>(method));
}

std::string_view name(Chunk chunk) { return names_of(chunk).word; }

std::string label(const Pattern& pattern) {
  std::string text(names_of(pattern.chunk).label);
  if (pattern.chunk == Chunk::kOneMegabyte && pattern.memory_bytes > pattern.chunk_bytes) text += " of 2 MB";
  return text;
}

std::int64_t mpart_bytes(std::int64_t memory_of_node_bytes) {
  const std::int64_t part = memory_of_node_bytes / 128 / kMegabyte * kMegabyte;
  return std::clamp(part, 2 * kMegabyte, kLargestCallBytes);
}

std::vector<Pattern> all_patterns(std::int64_t mpart_bytes) {
  std::vector<Pattern> patterns;
  for (const Type type : kAllTypes) {
    for (const Row& row : rows_of(type)) {
      const std::int64_t bytes = row.chunk == Chunk::kMpart ? mpart_bytes : names_of(row.chunk).bytes;
      patterns.push_back({.number = static_cast<int>(patterns.size()),
                          .type = type,
                          .chunk = row.chunk,
                          .chunk_bytes = bytes,
                          .memory_bytes = row.chunks * bytes,
                          .units = row.units});
    }
  }
  return patterns;
}

std::vector<Pattern> patterns_of(Type type, std::int64_t mpart_bytes) {
  std::vector<Pattern> patterns = all_patterns(mpart_bytes);
  std::erase_if(patterns, [type](const Pattern& pattern) { return pattern.type != type; });
  return patterns;
}

std::int64_t largest_call(std::int64_t mpart_bytes) {
  std::int64_t bytes = 0;
  for (const Pattern& pattern : all_patterns(mpart_bytes)) bytes = std::max(bytes, pattern.memory_bytes);
  return bytes;
}

int units_of(std::span<const Type> types) {
  int units = 0;
  for (const Type type : types) {
    for (const Row& row : rows_of(type)) units += row.units;
  }
  return units;
}

}  // namespace beffio

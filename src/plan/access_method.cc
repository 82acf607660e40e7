#include "plan/access_method.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::plan {

namespace {

// Below this many bytes per memory piece, copying a piece is cheaper than describing it to the operating system.
constexpr std::int64_t kSmallMemoryPiece = 2048;

std::int64_t buffer_of(const AccessShape& shape, const AccessRules& rules) {
  return shape.direction == Direction::kRead ? rules.read_buffer_bytes : rules.write_buffer_bytes;
}

// Costs in bytes copied. A list moves each byte once and pays a call per piece; sieving moves the whole extent (twice
// when writing), copies what was asked for and pays a call or two per buffer.
std::int64_t list_cost(const AccessShape& shape, const AccessRules& rules) {
  return shape.bytes + shape.file_pieces * rules.call_cost_bytes;
}

std::int64_t sieve_cost(const AccessShape& shape, const AccessRules& rules) {
  std::int64_t extent_bytes = shape.file_extent.bytes();
  std::int64_t passes = shape.direction == Direction::kRead ? 1 : 2;
  std::int64_t windows = extent_bytes / std::max<std::int64_t>(buffer_of(shape, rules), 1) + 1;
  return passes * (extent_bytes + windows * rules.call_cost_bytes) + shape.bytes;
}

bool may_sieve(const AccessShape& shape, const AccessRules& rules) {
  if (!shape.ascending || shape.file_pieces < 2) return false;
  if (shape.direction == Direction::kRead) return rules.sieve_reads != Toggle::kDisable;
  return rules.sole_owner && rules.sieve_writes != Toggle::kDisable;
}

Toggle wish(const AccessShape& shape, const AccessRules& rules) {
  return shape.direction == Direction::kRead ? rules.sieve_reads : rules.sieve_writes;
}

// The cheapest allowed method.
AccessChoice choose_method(const AccessShape& shape, const AccessRules& rules) {
  std::int64_t buffer_bytes = std::max<std::int64_t>(buffer_of(shape, rules), 1);
  if (shape.file_pieces <= 1 && shape.memory_pieces <= 1) {
    return {AccessMethod::kContiguous, "one piece in the file and in memory", 0};
  }
  if (may_sieve(shape, rules)) {
    if (wish(shape, rules) == Toggle::kEnable) {
      return {AccessMethod::kSieve, "sieving is enabled by hint", buffer_bytes};
    }
    std::int64_t list = list_cost(shape, rules);
    std::int64_t sieve = sieve_cost(shape, rules);
    if (sieve < list) {
      return {
          AccessMethod::kSieve,
          fmt::format("{} pieces lie dense: sieving costs {} against {} for a list", shape.file_pieces, sieve, list),
          buffer_bytes};
    }
  }
  bool small_gaps = shape.memory_pieces > std::max<std::int64_t>(shape.file_pieces, 1) &&
                    shape.bytes / shape.memory_pieces < kSmallMemoryPiece;
  if (small_gaps) {
    return {AccessMethod::kPacked, fmt::format("{} small pieces in memory", shape.memory_pieces), buffer_bytes};
  }
  return {AccessMethod::kList, fmt::format("{} pieces in the file", shape.file_pieces), 0};
}

}  // namespace

const char* name(AccessMethod method) {
  switch (method) {
    case AccessMethod::kContiguous: return "contiguous";
    case AccessMethod::kList: return "list";
    case AccessMethod::kPacked: return "packed";
    case AccessMethod::kSieve: return "sieve";
  }
  return "unknown";
}

AccessChoice choose_access(const AccessShape& shape, const AccessRules& rules) {
  AccessChoice choice = choose_method(shape, rules);
  if (shape.direction == Direction::kRead && shape.ascending) choice.prefetch = rules.prefetch;
  return choice;
}

}  // namespace weir::plan

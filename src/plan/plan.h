// Summary and Plan: what ranks tell each other before a collective call, and what is decided from it.
// Planning is arithmetic: the same summaries give the same plan on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/extent.h"

namespace weir::plan {

// What a rank tells the others about its request list. Fixed size, sent as bytes.
struct AccessSummary {
  Extent file_extent;
  std::int64_t bytes = 0;
  std::int64_t file_pieces = 0;
  std::int64_t failed = 0;  // 1: this rank's arguments were refused; it takes part but moves nothing
};

enum class Method : std::uint8_t {
  kNothing,      // no rank has bytes to move, or a rank's arguments were refused
  kIndependent,  // every rank reaches the file for itself
};

const char* name(Method method);

struct Plan {
  Method method = Method::kNothing;
  std::string reason;
  Extent region;  // all bytes of the call lie in here
  std::int64_t bytes = 0;
  int active_ranks = 0;  // ranks that have bytes to move

  bool operator==(const Plan&) const = default;
};

Plan make_plan(Direction direction, std::span<const AccessSummary> summaries);

// One line that says everything in the plan; golden tests compare it.
std::string print(const Plan& plan);

std::size_t hash(const Plan& plan);

}  // namespace weir::plan

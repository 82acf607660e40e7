// Workloads: who writes or reads which bytes of one file. A workload is named and has parameters; with a number of
// ranks and a size it gives every rank its share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "workloads/decomposition.h"
#include "workloads/share.h"

namespace bench {

// As a parameter's default: the workload chooses by the size wished for.
inline constexpr std::int64_t kFromSize = 0;

enum class ParameterKind { kNumber, kPath };

struct Parameter {
  std::string_view name;
  std::int64_t fallback = kFromSize;  // taken when none is given; for kPath, none is given
  std::int64_t least = 1;             // smaller numbers are refused
  std::string_view text;              // one line for people
  ParameterKind kind = ParameterKind::kNumber;
};

struct Shape {
  int ranks = 1;
  std::int64_t bytes = 0;  // of data wished for in all
};

using Values = std::map<std::string, std::int64_t, std::less<>>;

struct Workload;

// A workload and the parameters asked for, as in "cyclic:block=64".
struct WorkloadSpec {
  const Workload* workload = nullptr;
  Values given;
  std::string path;                                    // of the decomposition file; empty if none is named
  std::shared_ptr<const Decomposition> decomposition;  // what that file says, or null
};

// A spec with nothing left open: it is known to work with the shape, and every parameter that counts has its value.
struct Settled {
  WorkloadSpec spec;
  Shape shape;
  Values values;

  // REQUIRES: the workload has a parameter of that name.
  std::int64_t operator[](std::string_view name) const { return values.find(name)->second; }
  bool is_given(std::string_view name) const { return spec.given.contains(name); }
};

struct Workload {
  std::string_view name;
  std::string_view text;   // one line for people
  std::string_view paper;  // where it is described; empty if it is our own
  std::span<const Parameter> parameters;
  std::int64_t default_bytes;  // a size that suits a laptop
  // Chooses what was left to the size and finds all that is wrong. `values` comes with a value for every parameter.
  weir::Status (*settle)(Settled& settled);
  // Sizes have to be multiples of this; null: the workload takes the nearest size that works.
  std::int64_t (*unit_bytes)(const Settled& settled);
  Share (*share)(const Settled& settled, int rank);
};

// All workloads, in the order in which they are shown.
std::span<const Workload> all_workloads();

// Null if there is no workload of that name.
const Workload* find_workload(std::string_view name);

// Reads NAME[:key=value]... and the decomposition file, if one is named. What is not known, not a number or too small
// is refused, with the nearest name where there is one.
weir::Result<WorkloadSpec> parse_spec(std::string_view text);

// Refuses what would not work with this shape, and says what would.
weir::Result<Settled> settle(const WorkloadSpec& spec, const Shape& shape);
weir::Status check(const WorkloadSpec& spec, const Shape& shape);

// The size nearest to `bytes` that divides over the ranks.
std::int64_t nearest_bytes(const WorkloadSpec& spec, int ranks, std::int64_t bytes);

// The workload's default size, or the nearest one that divides over the ranks.
std::int64_t default_bytes(const WorkloadSpec& spec, int ranks);

// What `rank` does. The same on every machine.
Share share_of(const Settled& settled, int rank);

// The seed of what is random in the workload; 0 if nothing is.
std::int64_t seed_of(const Settled& settled);

}  // namespace bench

#include "plan/facts.h"

#include <iterator>

#include "plan/aggregators.h"

namespace weir::plan {

bool Machine::shares_memory() const { return group_count(sharing_of) < std::ssize(sharing_of); }

Machine Machine::one_node(int ranks) {
  const std::vector<int> all(static_cast<std::size_t>(ranks), 0);
  return {all, all, {kAnyNumber}, 1};
}

const char* name(Method method) {
  switch (method) {
    case Method::kNothing: return "nothing";
    case Method::kIndependent: return "independent";
    case Method::kTwoPhase: return "two_phase";
  }
  return "unknown";
}

const char* name(Exchange exchange) {
  switch (exchange) {
    case Exchange::kShared: return "shared";
    case Exchange::kDirect: return "direct";
    case Exchange::kPairwise: return "pairwise";
  }
  return "unknown";
}

const char* name(Merging merging) {
  switch (merging) {
    case Merging::kOff: return "off";
    case Merging::kTry: return "try";
    case Merging::kOn: return "on";
  }
  return "unknown";
}

}  // namespace weir::plan

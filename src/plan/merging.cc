#include "plan/merging.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plan/aggregators.h"

namespace weir::plan {

namespace {

// Ranks with fewer pieces in the mean have none to speak of.
constexpr std::int64_t kManyPieces = 4;
// Merging has to leave at most one piece of so many.
constexpr std::int64_t kWorthwhile = 2;
// What a merged request may take of a rank's memory, however few bytes it asks for.
constexpr std::int64_t kLittleMemory = 64 * 1024;

// Whether a local aggregator serves several ranks with bytes, and whether the extents of some of these overlap.
struct Neighbours {
  bool several = false;
  bool interleaved = false;
};

Neighbours neighbours_of(const Plan& plan, std::span<const AccessSummary> summaries) {
  std::vector<Extent> served(summaries.size());  // by local aggregator
  Neighbours found;
  for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
    if (summaries[rank].bytes == 0) continue;
    Extent& others = served[static_cast<std::size_t>(plan.local_aggregator_of[rank])];
    const Extent extent = summaries[rank].file_extent;
    found.several = found.several || !others.empty();
    found.interleaved = found.interleaved || !intersection(others, extent).empty();
    others = hull(others, extent);
  }
  return found;
}

void set(Plan& plan, Merging merging, std::string reason) {
  plan.merging = merging;
  plan.merging_reason = std::move(reason);
}

}  // namespace

void choose_merging(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  plan.merging = Merging::kOff;
  if (group_count(plan.sharing_of.all()) == 1) return;
  if (plan.exchange != Exchange::kShared) {
    if (facts.wishes.merging == true) {
      plan.replaced.push_back(fmt::format("merging asked for, but {} exchange merges nothing", name(plan.exchange)));
    }
    return;
  }
  if (plan.prefetch.max_acc > 0) {
    return set(plan, Merging::kOff, "prefetching goes by the requests of each rank");
  }
  const Neighbours neighbours = neighbours_of(plan, summaries);
  if (!neighbours.several) return set(plan, Merging::kOff, "no local aggregator serves several ranks with bytes");
  if (facts.wishes.merging) {
    return set(plan, *facts.wishes.merging ? Merging::kOn : Merging::kOff, "asked for by hint");
  }
  if (plan.pieces < kManyPieces * plan.active_ranks) return set(plan, Merging::kOff, "ranks have few pieces");
  if (!neighbours.interleaved) return set(plan, Merging::kOff, "ranks of a local aggregator do not interleave");
  set(plan, Merging::kTry, "to be counted");
}

std::int64_t most_merged_memory(std::int64_t data_bytes, std::int64_t ranks) {
  return std::max(kLittleMemory, data_bytes / 4 / ranks);
}

Merging settled_merging(const Plan& plan, const MergeCounts& found) {
  if (found.cannot > 0) return Merging::kOff;
  if (plan.merging != Merging::kTry) return plan.merging;
  const bool pays = found.pieces.together <= found.pieces.apart / kWorthwhile && found.too_long == 0;
  return pays ? Merging::kOn : Merging::kOff;
}

void settle_merging(Plan& plan, const MergeCounts& found) {
  const Merging settled = settled_merging(plan, found);
  if (settled == plan.merging) return;
  const bool on = settled == Merging::kOn;
  if (found.cannot > 0) {
    set(plan, settled, "merged requests reach too far or are nested too deep");
  } else if (!on && found.too_long > 0) {
    set(plan, settled, "lists of merged pieces would take too much memory");
  } else {
    set(plan, settled,
        fmt::format("{} pieces {} {}", found.pieces.apart, on ? "become" : "would become", found.pieces.together));
  }
}

}  // namespace weir::plan

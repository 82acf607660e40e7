// Collective accesses that hints force through aggregators, and what was counted of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "exec/collective_combination.h"
#include "exec/file_ranks.h"

namespace weir::exec {

// The counters of a file, summed over all ranks.
class Counts {
 public:
  explicit Counts(const trace::CounterValues& values) : values_(values) {}
  std::int64_t of(trace::Counter counter) const { return values_[static_cast<std::size_t>(counter)]; }
  std::int64_t messages() const { return of(trace::Counter::kMessagesInside) + of(trace::Counter::kMessagesBetween); }

 private:
  trace::CounterValues values_;
};

// COLLECTIVE.
inline Counts counts_of(OpenFile& file) { return Counts(file.report().value().totals); }

// Runs `body` on every rank with a file that hints force through aggregators.
inline void run_engine(int ranks, int ranks_per_node, const hints::Pairs& pairs, driver::MemoryDriver& driver,
                       const std::function<void(Rank&, OpenFile&)>& body) {
  Combination way{pairs, ranks_per_node};
  way.hints.emplace_back("weir_method", "two_phase");
  const hints::HintSet hints = way.hint_set();
  run_file_ranks(ranks, ranks_per_node, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", hints);
    body(rank, *file);
    EXPECT_TRUE(file->close().ok());
  });
}

// COLLECTIVE: an access through the rank's present view.
inline void access(OpenFile& file, Direction direction, Bytes& bytes, std::int64_t offset = 0) {
  const auto outcome = run_transfer(file, transfer_of(direction, Positioning::kExplicit, true, bytes, offset));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  EXPECT_EQ(outcome.bytes_moved, std::ssize(bytes));
}

}  // namespace weir::exec

// Collective: runs plans. One executor for both directions, all methods and exchanges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/comm.h"
#include "driver/file_driver.h"
#include "exec/call/kept_calls.h"
#include "exec/stage/file_lane.h"
#include "exec/stage/planned_call.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "exec/stage/stores.h"
#include "layout/request_list.h"
#include "plan/plan.h"
#include "sys/strand.h"
#include "trace/counters.h"

namespace weir::exec {

// One file's engine for collective accesses through aggregators, on one rank.
class Collective {
 public:
  // `node` is the ranks that share memory with this one; null when there are none. `seed` is equal on all ranks.
  Collective(int rank, std::unique_ptr<ShareGroup> node, std::uint64_t seed);

  // Whether ranks of this node meet in memory.
  bool shares_memory() const { return node_ != nullptr; }

  // The calls that were planned before, also for other files.
  KeptCalls& kept() { return kept_; }

  struct NewCall {
    comm::Comm& comm;
    std::span<const plan::AccessSummary> summaries;
    const layout::RequestList& requests;  // of this rank, in file offsets; ascending
    trace::Counters& counters;
  };
  // COLLECTIVE: gives a call with a plan its schedule; the plan gets smaller windows where messages would be too large.
  // A failure, for lack of memory too, is the same on all ranks. REQUIRES plan->method == kTwoPhase.
  Status make_schedule(const NewCall& input, KeptCall& call) noexcept;

  struct Input {
    comm::Comm& comm;
    driver::File& file;
    const KeptCall& call;
    std::int64_t distance;                // from where the call was planned for
    const layout::RequestList& requests;  // of this rank, as far from their place; ascending
    trace::Counters& counters;
  };
  // COLLECTIVE, one call at a time. A failure of the file or of a message is this rank's own, to be agreed on by the
  // caller. The outcome counts the bytes of this rank's request that were moved; writing, none unless all went well.
  // REQUIRES a schedule. Memory whose size depends on the request or the plan was got with it. A rank that has not even
  // a few bytes left afterwards ends the program: the others would wait for it for ever.
  driver::IoOutcome run(const Input& input) noexcept;

 private:
  ShareGroup& group_of(const plan::Plan& plan) { return plan.in_memory && node_ ? *node_ : alone_; }
  driver::IoOutcome execute(const PlannedCall& call, driver::File& file);
  // `beside`: the lane runs on a thread of its own.
  void run_rounds(const PlannedCall& call, FileLane* lane, bool beside, driver::IoOutcome& outcome);

  std::unique_ptr<ShareGroup> node_;
  ShareGroup alone_;
  std::uint64_t seed_;
  KeptCalls kept_;
  Stores stores_;
  sys::Strand lane_strand_;
};

}  // namespace weir::exec

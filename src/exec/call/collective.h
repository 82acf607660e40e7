// Collective: runs plans. One executor for both directions, all methods and exchanges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/comm.h"
#include "driver/file_driver.h"
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

// What a plan and a schedule were made of; kept for calls that ask for the same again.
struct KeptSchedule {
  KeptSchedule(const plan::Plan& wanted, std::span<const plan::AccessSummary> of)
      : asked(wanted), plan(wanted), summaries(of.begin(), of.end()) {}

  plan::Plan asked;
  plan::Plan plan;  // what became of it: its windows may be smaller
  std::vector<plan::AccessSummary> summaries;
  Schedule schedule;
};

// The schedule that a program holds on to by a persistent operation; empty until its first access.
struct HeldSchedule {
  std::shared_ptr<const KeptSchedule> kept;
};

// One file's engine for collective accesses through aggregators, on one rank.
class Collective {
 public:
  // `node` is the ranks that share memory with this one; null when there are none. `seed` is equal on all ranks.
  Collective(int rank, std::unique_ptr<ShareGroup> node, std::uint64_t seed);

  // Whether ranks of this node meet in memory.
  bool shares_memory() const { return node_ != nullptr; }

  struct Input {
    comm::Comm& comm;
    driver::File& file;
    plan::Plan& plan;  // gets smaller windows where messages would be too large
    std::span<const plan::AccessSummary> summaries;
    const layout::RequestList& requests;  // of this rank, in file offsets; ascending
    trace::Counters& counters;
    HeldSchedule* held = nullptr;
  };
  // COLLECTIVE, one call at a time. A failure of the inspection, for lack of memory too, is the same on all ranks; one
  // of the file or of a message is this rank's own, to be agreed on by the caller. The outcome counts the bytes of this
  // rank's request that were moved; writing, none unless all went well. REQUIRES plan.method == kTwoPhase. Memory whose
  // size depends on the request or the plan is got by the inspection. A rank that has not even a few bytes left
  // afterwards ends the program: the others would wait for it for ever.
  driver::IoOutcome run(const Input& input) noexcept;

 private:
  ShareGroup& group_of(const plan::Plan& plan) {
    return plan.exchange == plan::Exchange::kShared && node_ ? *node_ : alone_;
  }
  std::shared_ptr<const KeptSchedule> find_kept(const Input& input);
  Result<std::shared_ptr<const KeptSchedule>> schedule_for(const Input& input);
  Result<std::shared_ptr<const KeptSchedule>> make_schedule(const Input& input);
  driver::IoOutcome execute(const PlannedCall& call, driver::File& file);
  // `beside`: the lane runs on a thread of its own.
  void run_rounds(const PlannedCall& call, FileLane* lane, bool beside, driver::IoOutcome& outcome);

  std::unique_ptr<ShareGroup> node_;
  ShareGroup alone_;
  std::uint64_t seed_;
  std::vector<std::shared_ptr<const KeptSchedule>> kept_;  // the latest first
  Stores stores_;
  sys::Strand lane_strand_;
};

}  // namespace weir::exec

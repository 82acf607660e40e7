#include "exec/call/collective.h"

#include <algorithm>

#include "base/guarded.h"
#include "comm/agree.h"
#include "exec/call/inspect.h"
#include "exec/stage/mover.h"
#include "exec/stage/ship.h"
#include "plan/fit.h"
#include "plan/merging.h"
#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

// All rings of the group take part in the call, whoever uses them.
class RingsInUse {
 public:
  explicit RingsInUse(const PlannedCall& call) : call_(call) {
    for (const int rank : call.group.ranks()) {
      call.group.windows(rank).begin_call(call.plan.depth);
      call.group.parcels(rank).begin_call(call.plan.depth);
    }
  }
  RingsInUse(const RingsInUse&) = delete;
  RingsInUse& operator=(const RingsInUse&) = delete;
  ~RingsInUse() {
    for (const std::size_t a : call_.schedule.near) {
      call_.group.windows(call_.plan.aggregators[a]).end_call(call_.schedule.rounds[a]);
    }
    if (call_.group.ranks().size() == call_.plan.sharing_of.size()) return;
    for (const int rank : call_.group.ranks()) {
      if (call_.plan.local_aggregator_of[static_cast<std::size_t>(rank)] == rank) {
        call_.group.parcels(rank).end_call(call_.plan.rounds);
      }
    }
  }

 private:
  const PlannedCall& call_;
};

// This rank's own bytes, to and from the windows of its group.
class Placer {
 public:
  Placer(const PlannedCall& call, Mover& mover, const FileLane* lane) : call_(call), mover_(mover), lane_(lane) {}

  // `own` says whether to do this rank's own window or those of others.
  void place(std::int64_t round, bool own) {
    for (std::size_t i = 0; i < call_.schedule.near.size(); ++i) {
      const std::size_t a = call_.schedule.near[i];
      if (round >= call_.schedule.rounds[a] || (a == call_.schedule.aggregator) != own) continue;
      const std::int64_t bytes = call_.schedule.near_bytes.at(i, round);
      if (!meets(call_.schedule, call_.plan, call_.rank(), a, bytes)) continue;
      comm::SlotRing& ring = call_.group.windows(call_.plan.aggregators[a]);
      await_open(round, ring);
      if (bytes > 0) copy(a, round, ring);
      if (!own || !call_.writing()) ring.arrive(round);
    }
  }
  // Writing: this rank's own window has got everything, also what came by messages.
  void complete_own(std::int64_t round) {
    if (!call_.schedule.aggregator || round >= call_.schedule.rounds[*call_.schedule.aggregator]) return;
    call_.group.windows(call_.rank()).arrive(round);  // place() has waited until the round was open
  }
  std::int64_t data_end() const { return data_end_; }

 private:
  // Also without bytes: who arrives early would be counted for the round that used the slot before.
  void await_open(std::int64_t round, comm::SlotRing& ring) {
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime, {round});
    ring.await_open(round, &call_.comm);
  }

  void copy(std::size_t a, std::int64_t round, comm::SlotRing& ring) {
    if (a == call_.schedule.aggregator && lane_->is_direct(round)) return;
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime, {round});
    const WindowSlot slot = call_.buffers.window(call_.plan.aggregators[a], ring.slot_of(round));
    const std::int64_t data_end = call_.writing() ? kNoEnd : slot.header->data_end;
    const plan::Window window = window_of(call_.plan, a, round);
    const std::int64_t copied = mover_.move(call_.plan.direction, window, slot, data_end);
    stopwatch.set_bytes(copied);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
    data_end_ = std::min(data_end_, data_end);
  }

  const PlannedCall& call_;
  Mover& mover_;
  const FileLane* lane_;
  std::int64_t data_end_ = kNoEnd;
};

std::shared_ptr<plan::Plan> settled(plan::Plan plan, const plan::MergeCounts& found) {
  plan::settle_merging(plan, found);
  return std::make_shared<plan::Plan>(std::move(plan));
}

std::shared_ptr<plan::Plan> with_windows(plan::Plan plan, std::int64_t window_bytes) {
  plan::shrink_windows(plan, window_bytes);
  return std::make_shared<plan::Plan>(std::move(plan));
}

std::int64_t bytes_before(const layout::RequestList& requests, std::int64_t data_end) {
  if (data_end == kNoEnd) return requests.bytes();
  return std::max<std::int64_t>(requests.positions_within({0, data_end}).end, 0);
}

}  // namespace

Collective::Collective(int rank, std::unique_ptr<ShareGroup> node, std::uint64_t seed)
    : node_(std::move(node)), alone_(rank), seed_(seed) {}

driver::IoOutcome Collective::run(const Input& input) noexcept {
  const plan::Plan& plan = *input.call.plan;
  const Schedule& schedule = input.call.schedule;
  ShareGroup& group = group_of(plan);
  Result<Buffers> buffers = Buffers::make(input.comm, group, plan, schedule.berths, schedule.parcel_buffer_bytes);
  if (!buffers.ok()) return {0, buffers.status()};
  input.counters.add(trace::Counter::kPiecesApart, schedule.own_pieces.apart);
  input.counters.add(trace::Counter::kPiecesTogether, schedule.own_pieces.together);
  const PlannedCall call{plan,    schedule,       input.requests, input.comm, group, std::move(buffers).value(),
                         stores_, input.counters, input.distance};
  return execute(call, input.file);
}

// How much the ranks of a node and an aggregator have for each other in one round is known once a schedule is made.
// Where that is more than a message should hold, all ranks, which know the same number, plan again with smaller
// windows, until it fits or windows are as small as they get. Likewise where merging turns out not to be worth it.
Status Collective::make_schedule(const NewCall& input, KeptCall& call) noexcept {
  trace::Stopwatch stopwatch(input.counters, trace::Counter::kInspectTime);
  std::shared_ptr<plan::Plan> asked = call.plan;
  while (true) {
    const plan::Plan& plan = *call.plan;
    Result<Schedule> schedule =
        inspect({input.comm, group_of(plan), plan, input.summaries, input.requests, seed_, stores_, input.counters});
    if (!schedule.ok()) return schedule.status();
    call.schedule = std::move(schedule).value();
    const plan::Merging merging = plan::settled_merging(plan, call.schedule.merge_counts);
    const std::int64_t window = plan::window_for_messages(plan, call.schedule.most_message_bytes);
    const bool fits = window == plan.round_size.window_bytes;
    if (fits && merging == plan.merging) break;
    Status status = comm::agree(input.comm, guarded([&]() -> Status {
                                  asked = settled(*asked, call.schedule.merge_counts);
                                  call.plan = fits ? asked : with_windows(*asked, window);
                                  return {};
                                }));
    if (!status.ok()) return status;
    if (fits && merging == plan::Merging::kOn) break;
  }
  plan::settle_sparse(*call.plan, call.schedule.pairs);
  return {};
}

// The lane runs beside the rounds where there is something to overlap and a thread to be had; else in step with them.
driver::IoOutcome Collective::execute(const PlannedCall& call, driver::File& file) {
  RingsInUse rings(call);
  std::optional<FileLane> lane;
  if (call.schedule.aggregator) lane.emplace(file, call);
  if (lane) lane->open_first();
  const bool beside =
      lane && call.schedule.rounds[*call.schedule.aggregator] > 1 && lane_strand_.post([&lane] { lane->run_beside(); });
  driver::IoOutcome outcome;
  run_rounds(call, lane ? &*lane : nullptr, beside, outcome);
  if (beside) lane_strand_.drain(&call.comm);
  if (!lane) return outcome;
  lane->close_last();
  outcome.status = std::move(outcome.status).or_else(lane->status());
  return outcome;
}

void Collective::run_rounds(const PlannedCall& call, FileLane* lane, bool beside, driver::IoOutcome& outcome) {
  Mover mover(call.requests);
  Placer placer(call, mover, lane);
  const std::unique_ptr<Ship> ship = make_ship(call, mover);
  FileLane* in_step = beside ? nullptr : lane;
  for (std::int64_t round = 0; round < call.plan.rounds; ++round) {
    if (call.writing()) {
      placer.place(round, false);
      placer.place(round, true);
      if (ship) ship->exchange(round);
      placer.complete_own(round);
      if (in_step != nullptr) in_step->run(round, &call.comm);
    } else {
      if (in_step != nullptr) in_step->run(round, &call.comm);
      if (ship) ship->exchange(round);
      placer.place(round, true);
      placer.place(round, false);
    }
  }
  if (ship) {
    ship->finish();
    outcome.status = ship->status();
  }
  std::int64_t data_end = std::min(placer.data_end(), ship ? ship->data_end() : kNoEnd);
  if (lane != nullptr) data_end = std::min(data_end, lane->direct_data_end());
  outcome.bytes_moved = bytes_before(call.requests, data_end);
}

}  // namespace weir::exec

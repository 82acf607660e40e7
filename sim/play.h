// play(): a workload on a machine, as weir would run it: the times of its steps, by simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/extent.h"
#include "base/status.h"
#include "hints/hint_set.h"
#include "model/machine.h"
#include "workloads/workload.h"

namespace weir::sim {

// How far a simulation is.
struct Progress {
  std::int64_t calls = 0;  // of the workload
  std::int64_t calls_played = 0;
  std::int64_t events = 0;
};

struct Scenario {
  model::MachineModel machine;
  int ranks_per_node = 1;
  bench::Settled workload;  // says how many ranks there are
  Direction direction = Direction::kWrite;
  hints::Pairs hints;
  // In every call ranks tell an entry for each piece, and aggregators merge these, as ROMIO does; else as weir: what is
  // regular goes as it is, and once where calls repeat.
  bool lists = false;
  // Beyond about so many events no further call is played, and rounds are left out of a call: what is left out takes
  // as long as what was played.
  std::int64_t most_events = 40'000'000;
  std::function<bool(const Progress&)> go_on;  // asked now and then; false ends the simulation
};

// Seconds. Parts overlap where rounds are in flight together; `total` is from open to close.
struct Seconds {
  double inspect = 0;   // meeting, planning, and what aggregators have to learn
  double gather = 0;    // the busiest party: its ranks' copies and its messages
  double receive = 0;   // the busiest aggregator: messages and placing what they bring
  double exchange = 0;  // aggregators in the mean: waiting for the exchange
  double file = 0;      // aggregators (ranks, where each is for itself) in the mean: at the file
  double total = 0;
};

struct Outcome {
  Seconds seconds;
  std::int64_t bytes = 0;
  double bytes_per_second = 0;
  std::int64_t messages = 0;       // with data, in all calls
  std::int64_t most_receives = 0;  // of one aggregator in one round
  std::int64_t lock_requests = 0;
  std::int64_t lock_callbacks = 0;
  std::int64_t calls = 0;
  std::int64_t calls_played = 0;
  std::int64_t rounds = 0;  // of the first call
  std::int64_t rounds_played = 0;
  std::int64_t events = 0;
  std::string plan;     // of the first call, as plan::print() has it
  std::string sampled;  // what was not played but counted, in words; empty: nothing
};

// Fails where the machine is too small, hints cannot be read, or go_on() ended it; says what would do.
Result<Outcome> play(const Scenario& scenario);

}  // namespace weir::sim

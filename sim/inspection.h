// What is done before data move: ranks meet, and aggregators learn what to expect.
#pragma once

#include "plan/plan.h"
#include "sim/rounds.h"
#include "sim/traffic.h"

namespace weir::sim {

// Nodes exchange a message in each of log2 steps, which grows with what each rank tells.
Micros meeting_time(const model::MachineModel& machine, int ranks, int ranks_per_node, std::int64_t bytes_of_rank);

// Parties merge what their ranks ask for, if they do, and send each aggregator the structure of its share. Plays
// until all is taken.
class Inspection {
 public:
  Inspection(const Stage& stage, const plan::Plan& plan, const Traffic& traffic);

  void start();
  bool finished() const { return left_ == 0; }

 private:
  void send(const Party& party);

  Stage stage_;
  const plan::Plan& plan_;
  const Traffic& traffic_;
  std::int64_t left_ = 0;
};

}  // namespace weir::sim

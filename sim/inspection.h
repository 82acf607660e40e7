// What is done before data move: ranks meet, and aggregators learn what to expect.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"
#include "sim/rounds.h"
#include "sim/traffic.h"

namespace weir::sim {

// Nodes exchange a message in each of log2 steps, which grows with what each rank tells.
Micros meeting_time(const model::MachineModel& machine, int ranks, int ranks_per_node, std::int64_t bytes_of_rank);

// Parties merge what their ranks ask for, if they do, and send each aggregator the structure of its share; where it is
// `lists` of pieces, aggregators merge what comes. Plays until that is done.
class Inspection {
 public:
  Inspection(const Stage& stage, const plan::Plan& plan, const Traffic& traffic, bool lists = false);

  void start();

 private:
  // What one aggregator is told.
  struct Told {
    std::int64_t left = 0;  // messages
    std::int64_t entries = 0;
    int parties = 0;
  };

  std::int64_t structure_of(const Party& party) const;
  bool is_list(const Party& party) const;
  Micros merging(std::int64_t entries, int lists) const;
  void send(const Party& party);
  void hear(std::size_t aggregator);

  Stage stage_;
  const plan::Plan& plan_;
  const Traffic& traffic_;
  bool lists_;
  std::vector<Told> told_;  // by aggregator
};

}  // namespace weir::sim

// Runs: workloads played on models of the papers' machines.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/extent.h"
#include "model/machine.h"
#include "reproduce/claim.h"
#include "sim/play.h"
#include "words.h"

namespace weir::tool::reproduce {

struct Run {
  std::string machine;  // one that comes with weir
  std::string workload;
  int ranks = 1;
  int ranks_per_node = 0;  // 0: as the machine is commonly used
  std::int64_t bytes = 1;  // for workloads that take a size
  Direction direction = Direction::kWrite;
  Words hints;                                            // key=value each; none: as weir does it by itself
  bool lists = false;                                     // as ROMIO: an entry for each piece, in every call
  std::function<void(model::MachineModel&)> change = {};  // to the machine
};

// What simulations said, each played once.
class Runs {
 public:
  // Null where it cannot be played; take_trouble() says why.
  const sim::Outcome* play(const Run& run);
  // Why something could not be played since it was last asked; empty: all could.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

  // MB/s; 0 where it cannot be played.
  double bandwidth(const Run& run);

 private:
  std::map<std::string, sim::Outcome> known_;
  std::string trouble_;
};

// A chart of bandwidth against ranks: a series for each way, and weir's own last.
struct Sweep {
  std::string title;
  std::vector<int> ranks;
  // Names of ways and what is run; the name "weir" is what it does by itself.
  std::vector<std::pair<std::string, std::function<Run(int ranks)>>> ways;
};

struct Swept {
  Chart chart;
  std::map<std::string, std::map<int, double>> bandwidth;  // by way and ranks

  double at(const std::string& way, int ranks) const { return bandwidth.at(way).at(ranks); }
};

Swept sweep(Runs& runs, const Sweep& what);

// The numbers of a way, in the order of ranks: "even 12, 34, 50".
std::string words_of(const Swept& swept);

// Not run where something could not be played.
Finding concluded(Runs& runs, bool holds, std::string words, std::vector<Chart> charts = {});

// Within a factor; at least a factor above.
bool alike(double one, double other, double factor = 1.25);
bool far_above(double one, double other, double factor = 1.5);

}  // namespace weir::tool::reproduce

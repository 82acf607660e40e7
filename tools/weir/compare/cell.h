// Cells: what is measured, and what came out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparisons.h"
#include "compare/hosts.h"
#include "compare/job.h"

namespace weir::tool::compare {

// Where a rank's time in weir's calls went: seconds of a repeat, mean of the ranks.
struct Breakdown {
  double inspect = 0;
  double copy = 0;
  double exchange = 0;
  double file = 0;
  double wait = 0;
};

// What the starts of a cell have measured so far.
struct Outcome {
  std::vector<double> seconds;        // one per timed repeat: the calls that move data
  std::vector<double> whole_seconds;  // from open to close
  std::vector<double> block_seconds;  // Block I/O of the same bytes
  std::vector<double> block_whole_seconds;
  std::int64_t bytes = 0;
  std::optional<bool> verified;
  std::string failed;  // why there is no (further) measurement; empty if there is
  std::string note;
  nlohmann::json facts = nlohmann::json::object();  // nodes, file_system, seed, parameters: as the program said them
  std::vector<Breakdown> breakdowns;                // one per timed repeat, under weir
  std::vector<double> predicted_seconds;            // likewise: its collective calls, by the model of the machine

  bool usable() const { return failed.empty() && !seconds.empty(); }
};

// What the calls were predicted to take, as a multiple of what they took; nothing where nothing was predicted.
std::optional<double> predicted_of_measured(const Outcome& outcome);

struct Cell {
  std::string workload;   // as on the command line, without the variant's parameters
  std::string direction;  // write or read; run for a user's program
  Host host;
  Peer peer;
  Variant variant;
  int ranks = 0;
  std::int64_t bytes = 0;  // wished for; the program says how many there are
  Outcome outcome = {};
};

// Cells that differ only in peer and variant: they take turns, and are compared with each other.
struct Group {
  std::vector<Cell> cells;

  const Cell& first() const { return cells.front(); }
};

// "workload:key=value": name and parameters together.
std::string spec_of(const Cell& cell);

// "weir", "weir domains=even", "host".
std::string label_of(const Cell& cell);

// From what a start left behind to the outcome:

// Adds the program's result, one JSON object. False if it is none.
bool add_result(Outcome& outcome, const std::string& text);

// Adds what weir's report (WEIR_REPORT) says about the file "subject": where the time went and what was predicted, one
// entry for every repeat, the first `warmups` of which are left out. A report that cannot be read adds nothing.
void add_breakdown(Outcome& outcome, const std::string& report, int warmups, const std::string& direction);

// How a start ended, for people; empty if all went well. `complaint` is the end of what it printed as errors.
std::string failure_of(const JobEnd& end, int timeout_seconds, const std::string& complaint);

// The line of an error output worth showing: what weir's own programs say, or the first one.
std::string complaint_in(const std::string& errors);

}  // namespace weir::tool::compare

#include "reproduce/live/trial.h"

#include <vector>

#include "compare/measured.h"
#include "compare/numbers.h"

namespace weir::tool::reproduce {

namespace {

compare::BenchOptions options_of(const Setting& setting, const Trial& trial) {
  compare::BenchOptions options;
  options.workloads = {trial.workload};
  options.against = {"weir", "blockio"};
  if (!trial.comparison.empty()) options.methods = {trial.comparison};
  options.ranks = {trial.ranks};
  options.size = trial.size;
  options.direction = trial.direction;
  options.repeats = 3;
  options.rounds = trial.repeated ? 1 : 3;
  options.warmups = trial.repeated ? 1 : 0;
  options.timeout = 30;
  options.directory = setting.directory;
  options.hints = trial.hints;
  return options;
}

Times times_of(const compare::Outcome& outcome) {
  std::vector<double> inspect;
  for (const compare::Breakdown& each : outcome.breakdowns) inspect.push_back(each.inspect);
  return {compare::median(outcome.seconds), inspect.empty() ? 0 : compare::median(inspect)};
}

}  // namespace

Result<std::map<std::string, Times>> measure(const Setting& setting, const Trial& trial) {
  const auto groups = compare::measured(options_of(setting, trial));
  if (!groups.ok()) return groups.status();
  std::map<std::string, Times> times;
  for (const compare::Cell& cell : groups.value().front().cells) {
    if (!cell.outcome.usable()) return cannot(compare::label_of(cell) + ": " + cell.outcome.failed);
    times[cell.variant.label] = times_of(cell.outcome);
    if (!cell.outcome.block_seconds.empty()) times["block"].seconds = compare::median(cell.outcome.block_seconds);
  }
  return times;
}

}  // namespace weir::tool::reproduce

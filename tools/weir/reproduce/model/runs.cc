#include "reproduce/model/runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "model/model_file.h"

namespace weir::tool::reproduce {

namespace {

// One simulation of the default run should take seconds.
constexpr std::int64_t kMostEvents = 3'000'000;

std::string key_of(const Run& run) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", run.machine, run.workload, run.ranks, run.ranks_per_node, run.bytes,
                     run.direction == Direction::kRead, join(run.hints, " "), run.lists, run.change != nullptr);
}

Result<sim::Scenario> scenario_of(const Run& run) {
  const auto file = model::shipped_model(run.machine);
  if (!file.ok()) return file.status();
  const auto spec = bench::parse_spec(run.workload);
  if (!spec.ok()) return spec.status();
  auto workload = bench::settle(spec.value(), {.ranks = run.ranks, .bytes = run.bytes});
  if (!workload.ok()) return workload.status();
  sim::Scenario scenario;
  scenario.machine = file.value().machine;
  if (run.change) run.change(scenario.machine);
  scenario.ranks_per_node = run.ranks_per_node > 0 ? run.ranks_per_node : scenario.machine.nodes.ranks_per_node;
  scenario.workload = std::move(workload).value();
  scenario.direction = run.direction;
  scenario.lists = run.lists;
  scenario.most_events = kMostEvents;
  for (const std::string& hint : run.hints) {
    const std::size_t equals = hint.find('=');
    scenario.hints.emplace_back(hint.substr(0, equals), hint.substr(equals + 1));
  }
  return scenario;
}

}  // namespace

const sim::Outcome* Runs::play(const Run& run) {
  const std::string key = key_of(run);
  if (const auto found = known_.find(key); found != known_.end() && !run.change) return &found->second;
  const auto scenario = scenario_of(run);
  if (!scenario.ok()) {
    trouble_ = fmt::format("{}: {}", key, scenario.status().text());
    return nullptr;
  }
  auto outcome = sim::play(scenario.value());
  if (!outcome.ok()) {
    trouble_ = fmt::format("{}: {}", key, outcome.status().text());
    return nullptr;
  }
  return &(known_[key] = std::move(outcome).value());
}

double Runs::bandwidth(const Run& run) {
  const sim::Outcome* outcome = play(run);
  return outcome == nullptr ? 0 : outcome->bytes_per_second / 1e6;
}

Swept sweep(Runs& runs, const Sweep& what) {
  Swept swept{{what.title, "ranks", "MB/s", {}}, {}};
  for (const auto& [name, run_on] : what.ways) {
    Series& series = swept.chart.series.emplace_back(Series{name, {}, name == "weir"});
    for (const int ranks : what.ranks) {
      const double value = runs.bandwidth(run_on(ranks));
      swept.bandwidth[name][ranks] = value;
      series.points.push_back({static_cast<double>(ranks), value});
    }
  }
  return swept;
}

std::string words_of(const Swept& swept) {
  std::vector<std::string> ways;
  for (const Series& series : swept.chart.series) {
    std::vector<std::string> numbers;
    for (const Point& point : series.points) numbers.push_back(fmt::format("{:.0f}", point.y));
    ways.push_back(fmt::format("{} {}", series.name, fmt::join(numbers, " ")));
  }
  std::vector<std::string> ranks;
  for (const Point& point : swept.chart.series.front().points) ranks.push_back(fmt::format("{:.0f}", point.x));
  return fmt::format("MB/s at {} ranks: {}", fmt::join(ranks, ", "), fmt::join(ways, "; "));
}

Finding concluded(Runs& runs, bool holds, std::string words, std::vector<Chart> charts) {
  if (std::string trouble = runs.take_trouble(); !trouble.empty()) return not_run(std::move(trouble));
  return found(holds, std::move(words), std::move(charts));
}

bool alike(double one, double other, double factor) { return one <= factor * other && other <= factor * one; }

bool far_above(double one, double other, double factor) { return one >= factor * other; }

}  // namespace weir::tool::reproduce

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "reproduce/model/model.h"
#include "reproduce/model/runs.h"

namespace weir::tool::reproduce {

namespace {

Run on_sp(const std::string& workload, int ranks, int ranks_per_node, std::int64_t bytes, const Words& hints) {
  Run run;
  run.machine = "sp";
  run.workload = workload;
  run.ranks = ranks;
  run.ranks_per_node = ranks_per_node;
  run.bytes = bytes;
  run.hints = hints;
  return run;
}

constexpr std::int64_t kMiB = 1 << 20;

}  // namespace

// Every task an aggregator, on a node of its own; windows of a stripe.
Finding sparse_times(const Setting& setting) {
  Runs& runs = *setting.runs;
  bool holds = true;
  std::vector<std::string> words;
  std::vector<Chart> charts;
  for (const int sparsity : {100, 25, 1}) {
    Chart& chart = charts.emplace_back(
        Chart{fmt::format("sparse access on sp, {} % of the stripes, write", sparsity), "tasks", "MB/s", {}});
    std::vector<double> last;
    for (const std::string value : {"true", "false"}) {
      Series& series = chart.series.emplace_back(Series{"sparse access " + value, {}});
      for (const int tasks : {4, 8, 16, 32}) {
        const std::int64_t stripe = tasks * 16384;
        const Words hints = {"weir_method=two_phase",
                             "weir_domains=static_cyclic",
                             "weir_exchange=direct",
                             fmt::format("cb_nodes={}", tasks),
                             fmt::format("cb_buffer_size={}", stripe),
                             "weir_sparse=" + value};
        const double rate =
            runs.bandwidth(on_sp(fmt::format("sparse:sparsity={}", sparsity), tasks, 1, 64 * stripe, hints));
        series.points.push_back({static_cast<double>(tasks), rate});
      }
      last.push_back(series.points.back().y);
    }
    holds = holds && (sparsity == 100 ? last[0] <= 1.02 * last[1] : sparsity > 1 || last[0] > last[1]);
    words.push_back(fmt::format("{} %: sparse {:.1f}, dense {:.1f} MB/s on 32 tasks", sparsity, last[0], last[1]));
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, "; ")), charts);
}

Finding double_buffering_times(const Setting& setting) {
  Runs& runs = *setting.runs;
  std::vector<std::string> words;
  std::vector<Chart> charts;
  bool holds = true;
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const char* name = direction == Direction::kWrite ? "write" : "read";
    Chart& chart = charts.emplace_back(Chart{fmt::format("double buffering on sp, {}", name), "tasks", "MB/s", {}});
    std::vector<double> at_16;
    for (const int depth : {1, 2}) {
      Series& series = chart.series.emplace_back(Series{fmt::format("{} in flight", depth), {}});
      for (const int tasks : {2, 4, 8, 16, 32}) {
        Run run = on_sp("discontiguous", tasks, 1, tasks * 32 * kMiB,
                        {"weir_method=two_phase", "cb_buffer_size=4194304",
                         fmt::format("weir_pipeline_depth={}", depth), fmt::format("cb_nodes={}", tasks)});
        run.direction = direction;
        series.points.push_back({static_cast<double>(tasks), runs.bandwidth(run)});
      }
      at_16.push_back(series.points[3].y);
    }
    holds = holds && at_16[1] > 1.05 * at_16[0];
    words.push_back(
        fmt::format("{} on 16 tasks: {:.0f} MB/s with one round in flight, {:.0f} with two", name, at_16[0], at_16[1]));
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, "; ")), charts);
}

Finding tasks_per_node(const Setting& setting) {
  Runs& runs = *setting.runs;
  Chart chart{"discontiguous on sp, write: tasks a node", "tasks", "MB/s", {}};
  std::vector<double> gaps;
  for (const int per_node : {1, 2, 4, 8}) {
    Series& series = chart.series.emplace_back(Series{fmt::format("{} a node", per_node), {}});
    for (const int tasks : {8, 16, 32, 64}) {
      const Words hints = {"weir_method=two_phase", "weir_exchange=direct", fmt::format("cb_nodes={}", tasks)};
      series.points.push_back({static_cast<double>(tasks),
                               runs.bandwidth(on_sp("tasks_per_node", tasks, per_node, tasks * 16 * kMiB, hints))});
    }
  }
  const auto gap = [&](std::size_t at) { return chart.series.front().points[at].y / chart.series.back().points[at].y; };
  return concluded(runs, gap(0) > 1.1 && gap(3) < gap(0),
                   fmt::format("1 a node over 8 a node: {:.2f} on 8 tasks, {:.2f} on 16, {:.2f} on 32, {:.2f} on 64",
                               gap(0), gap(1), gap(2), gap(3)),
                   {chart});
}

// 4 nodes of 4 ranks, and a network of 1 Gbit/s and of 100 Mbit/s; the way to the file system stays as it is.
Finding slow_network(const Setting& setting) {
  Runs& runs = *setting.runs;
  std::vector<std::string> words;
  bool holds = true;
  const auto seconds = [&](const std::string& workload, const Words& hints, double link) {
    Run run;
    run.machine = "nvme";
    run.workload = workload;
    run.ranks = 16;
    run.ranks_per_node = 4;
    run.bytes = 16 * kMiB;
    run.hints = hints;
    run.change = [link](model::MachineModel& machine) { machine.network.link_mb_s = link; };
    const sim::Outcome* outcome = runs.play(run);
    return outcome == nullptr ? 1.0 : outcome->seconds.total;
  };
  const auto add = [&](const char* name, const std::string& workload, const Words& hints, bool suffers) {
    const double ratio = seconds(workload, hints, 12.5) / seconds(workload, hints, 125);
    holds = holds && (suffers ? ratio > 2 : ratio < 1.2);
    words.push_back(fmt::format("{} {:.1f}", name, ratio));
  };
  add("two-phase", "cyclic:block=64", {"weir_method=two_phase", "weir_exchange=direct"}, true);
  add("IEC", "cyclic:block=64", {"weir_method=two_phase", "weir_exchange=pairwise"}, true);
  add("List", "cyclic:block=64", {"weir_method=independent"}, false);
  add("Block", "contiguous", {"weir_method=independent"}, false);
  return concluded(runs, holds, fmt::format("time at 100 Mbit/s over time at 1 Gbit/s: {}", fmt::join(words, ", ")));
}

}  // namespace weir::tool::reproduce

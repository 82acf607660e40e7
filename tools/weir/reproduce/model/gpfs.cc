#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "reproduce/model/model.h"
#include "reproduce/model/runs.h"

namespace weir::tool::reproduce {

namespace {

// The second line over the first, point by point.
std::vector<double> gains_of(const Chart& chart) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < chart.series[0].points.size(); ++i)
    gains.push_back(chart.series[1].points[i].y / std::max(chart.series[0].points[i].y, 1e-9));
  return gains;
}

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
constexpr std::int64_t kRegion = 1024 * kMiB;
constexpr std::int64_t kBlock = 512 << 10;                     // of the file system
constexpr std::int64_t kRangeBytes = std::int64_t{32} * 4096;  // moved of a block

}  // namespace

// The file is as long as its data. Agents with blocks as large as the file system's, and none.
Finding data_shipping_times(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::vector<int> counts = {2, 4, 8, 12};
  std::vector<std::string> words;
  std::vector<Chart> charts;
  bool holds = true;
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const bool reading = direction == Direction::kRead;
    const char* name = reading ? "read" : "write";
    Chart& chart = charts.emplace_back(
        Chart{fmt::format("10 000 random 4 KB blocks a task on sp, {}", name), "tasks", "MB/s", {}});
    for (const bool shipping : {false, true}) {
      Series& series = chart.series.emplace_back(Series{shipping ? "data shipping" : "every task for itself", {}});
      for (const int tasks : counts) {
        Words hints = {fmt::format("IBM_largeblock_io={}", !shipping)};
        if (shipping) hints.push_back(fmt::format("IBM_io_buffer_size={}", kBlock));
        Run run = on_sp("data_shipping:spread=1", tasks, 1, std::int64_t{tasks} * 10'000 * 4096, hints);
        run.direction = direction;
        series.points.push_back({static_cast<double>(tasks), runs.bandwidth(run)});
      }
    }
    const std::vector<double> gains = gains_of(chart);
    holds = holds && (reading ? *std::ranges::min_element(gains) > 1.05 : gains.back() < 1 && gains.back() < gains[0]);
    words.push_back(fmt::format("{} {:.2f}", name, fmt::join(gains, ", ")));
  }
  return concluded(runs, holds,
                   fmt::format("with data shipping over without, at 2, 4, 8, 12 tasks: {}", fmt::join(words, "; ")),
                   charts);
}

// Every task an aggregator, on a node of its own; a stripe is a window and a file block, with room for 32 tasks.
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
        const Words hints = {"weir_method=two_phase",
                             "weir_domains=static_cyclic",
                             "weir_exchange=direct",
                             fmt::format("cb_nodes={}", tasks),
                             fmt::format("cb_buffer_size={}", kBlock),
                             "weir_sparse=" + value};
        const double rate = runs.bandwidth(on_sp(fmt::format("sparse:sparsity={}:stripe={}", sparsity, kBlock), tasks,
                                                 1, std::int64_t{64} * 16384 * tasks, hints));
        series.points.push_back({static_cast<double>(tasks), rate});
      }
      last.push_back(series.points.back().y);
    }
    holds = holds && (sparsity == 100 ? last[0] <= 1.02 * last[1] : sparsity > 1 || last[0] > last[1]);
    words.push_back(fmt::format("{} %: sparse {:.1f}, dense {:.1f} MB/s on 32 tasks", sparsity, last[0], last[1]));
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, "; ")), charts);
}

// A region of 1 GiB, as in the paper: many rounds for each aggregator.
Finding double_buffering_times(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::vector<int> counts = {2, 4, 8, 16, 32};
  std::vector<std::string> words;
  std::vector<Chart> charts;
  bool holds = true;
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const char* name = direction == Direction::kWrite ? "write" : "read";
    Chart& chart = charts.emplace_back(Chart{fmt::format("double buffering on sp, {}", name), "tasks", "MB/s", {}});
    for (const int depth : {1, 2}) {
      Series& series = chart.series.emplace_back(Series{fmt::format("{} in flight", depth), {}});
      for (const int tasks : counts) {
        Run run = on_sp(fmt::format("discontiguous:region={}", kRegion), tasks, 1, kRegion,
                        {"weir_method=two_phase", "weir_exchange=direct", "cb_buffer_size=4194304",
                         fmt::format("weir_pipeline_depth={}", depth), fmt::format("cb_nodes={}", tasks)});
        run.direction = direction;
        series.points.push_back({static_cast<double>(tasks), runs.bandwidth(run)});
      }
    }
    const std::vector<double> gains = gains_of(chart);
    // Where the disks are busy all the time, there is nothing left to gain: the mean counts.
    const double mean = std::accumulate(gains.begin(), gains.end(), 0.0) / static_cast<double>(gains.size());
    holds = holds && mean > (direction == Direction::kWrite ? 1.05 : 1.15);
    words.push_back(fmt::format("{} {:.2f}", name, fmt::join(gains, ", ")));
  }
  return concluded(runs, holds,
                   fmt::format("two rounds in flight over one, at 2, 4, 8, 16, 32 tasks: {}", fmt::join(words, "; ")),
                   charts);
}

// Every task for itself, 100 file blocks each.
Finding access_range_times(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::vector<int> values = {0, 1, 2, 4, 6, 8};
  std::vector<std::string> words;
  std::vector<Chart> charts;
  bool holds = true;
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const bool reading = direction == Direction::kRead;
    Chart& chart = charts.emplace_back(Chart{
        fmt::format("32 x 4 KB of 100 blocks a task on sp, {}", reading ? "read" : "write"), "max_acc", "MB/s", {}});
    for (const int tasks : {2, 4, 8, 16}) {
      Series& series = chart.series.emplace_back(Series{fmt::format("{} tasks", tasks), {}});
      for (const int value : values) {
        Run run = on_sp(fmt::format("multiple_access_range:block={}", kBlock), tasks, 1, tasks * 100 * kRangeBytes,
                        {"weir_method=independent", fmt::format("weir_max_acc={}", value)});
        run.direction = direction;
        series.points.push_back({static_cast<double>(value), runs.bandwidth(run)});
      }
      const double off = series.points.front().y;
      double best = 0;
      double least = series.points[1].y;
      for (std::size_t i = 1; i < series.points.size(); ++i) {
        best = std::max(best, series.points[i].y);
        least = std::min(least, series.points[i].y);
      }
      holds = holds && (reading ? least > 1.05 * off && series.points[1].y > 0.8 * best : alike(off, best, 1.05));
      std::vector<std::string> rates;
      for (const Point& point : series.points) rates.push_back(fmt::format("{:.1f}", point.y));
      if (tasks == 2 || tasks == 16)
        words.push_back(fmt::format("{} on {} tasks: {}", reading ? "read" : "write", tasks, fmt::join(rates, ", ")));
    }
  }
  return concluded(runs, holds, fmt::format("MB/s at max_acc 0, 1, 2, 4, 6, 8: {}", fmt::join(words, "; ")), charts);
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

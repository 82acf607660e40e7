#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reproduce/model/model.h"
#include "reproduce/model/runs.h"

namespace weir::tool::reproduce {

namespace {

constexpr int kRanksPerNode = 64;

// As on Theta: 56 aggregators, one stripe of 1 MiB to a window, cyclic domains, one round after the other; requests are
// lists of pieces, and only who has bytes for an aggregator sends it a message, as in ROMIO.
Run on_theta(const std::string& workload, int ranks, const Words& hints) {
  Run run;
  run.machine = "theta";
  run.workload = workload;
  run.ranks = ranks;
  run.ranks_per_node = kRanksPerNode;
  run.hints = hints;
  run.lists = !hints.empty();
  return run;
}

Words fixed(Words more) {
  Words all = {"weir_method=two_phase", "weir_domains=static_cyclic", "cb_nodes=56", "cb_buffer_size=1048576",
               "weir_pipeline_depth=1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Words two_phase() { return fixed({"weir_exchange=direct", "weir_merge=disable"}); }

Words two_layer(int of_a_node) {
  return fixed({"weir_exchange=shared", fmt::format("weir_local_aggregators={}", of_a_node)});
}

int least_for_256(int ranks) { return std::max(1, 256 / (ranks / kRanksPerNode)); }

}  // namespace

Finding two_layer_scaling(const Setting& setting) {
  Runs& runs = *setting.runs;
  std::vector<std::string> workloads = {"btio:side=512:arrays=40", "s3d:side=800"};
  if (setting.full) {
    workloads.emplace_back("e3sm_f:columns=77760");
    workloads.emplace_back("e3sm_g:cells=369322");
  }
  bool holds = true;
  std::vector<Chart> charts;
  std::vector<std::string> words;
  for (const std::string& workload : workloads) {
    const Sweep what{workload + " on theta, write",
                     {1024, 4096, 16384},
                     {{"two-phase", [&](int ranks) { return on_theta(workload, ranks, two_phase()); }},
                      {"two-layer, 256 local aggregators",
                       [&](int ranks) { return on_theta(workload, ranks, two_layer(least_for_256(ranks))); }},
                      {"weir", [&](int ranks) { return on_theta(workload, ranks, {}); }}}};
    const Swept swept = sweep(runs, what);
    const auto direct = [&](int ranks) { return swept.at("two-phase", ranks); };
    const auto layered = [&](int ranks) { return swept.at("two-layer, 256 local aggregators", ranks); };
    const double gain = layered(16384) / std::max(direct(16384), 1e-9);
    holds = holds && gain >= 3 && gain <= 29 && direct(16384) < direct(1024) && layered(16384) > 0.95 * layered(1024);
    words.push_back(fmt::format("{}: {}, {:.1f} times at 16384", workload, words_of(swept), gain));
    charts.push_back(swept.chart);
  }
  const sim::Outcome* btio = runs.play(on_theta(workloads.front(), 16384, two_layer(1)));
  const double seconds = btio == nullptr ? 0 : btio->seconds.total;
  holds = holds && seconds > 20 && seconds < 60;
  words.push_back(fmt::format("BTIO takes {:.0f} s with 256 local aggregators", seconds));
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, ". ")), charts);
}

Finding local_aggregators(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::string workload = "btio:side=512:arrays=40";
  std::vector<Chart> charts;
  std::vector<std::string> words;
  bool holds = true;
  for (const int ranks : {1024, 4096, 16384}) {
    const int nodes = ranks / kRanksPerNode;
    Series gather{"inside nodes", {}};
    Series receive{"between nodes", {}};
    Series file{"file", {}};
    int best = 0;
    double least = 0;
    std::vector<double> inside;
    std::vector<double> between;
    for (const int count : {1, 4, 16, 64}) {
      const sim::Outcome* outcome = runs.play(on_theta(workload, ranks, two_layer(count)));
      if (outcome == nullptr) return not_run(runs.take_trouble());
      const double x = nodes * count;
      gather.points.push_back({x, outcome->seconds.gather});
      receive.points.push_back({x, outcome->seconds.receive});
      file.points.push_back({x, outcome->seconds.file});
      inside.push_back(outcome->seconds.gather);
      between.push_back(outcome->seconds.receive);
      if (best == 0 || outcome->seconds.total < least) {
        least = outcome->seconds.total;
        best = nodes * count;
      }
    }
    // What weir does by itself stands beside them where its plan says so.
    const sim::Outcome* own = runs.play(on_theta(workload, ranks, {}));
    if (own == nullptr) return not_run(runs.take_trouble());
    charts.push_back({fmt::format("BTIO on theta, {} ranks: time against local aggregators; weir by itself {:.1f} s",
                                  ranks, own->seconds.total),
                      "local aggregators",
                      "s",
                      {gather, receive, file},
                      ChartKind::kStacked});
    words.push_back(fmt::format("{} ranks: best at P_L = {} ({:.1f} s), weir by itself {:.1f} s", ranks, best, least,
                                own->seconds.total));
    holds = holds && inside.back() < inside.front() && between.back() > between.front();
    if (ranks == 16384) holds = holds && best >= 128 && best <= 1024;
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, "; ")), charts);
}

}  // namespace weir::tool::reproduce

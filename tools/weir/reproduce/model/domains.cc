#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/aggregators.h"
#include "reproduce/model/model.h"
#include "reproduce/model/runs.h"

namespace weir::tool::reproduce {

namespace {

const std::vector<int> kRanks = {16, 64, 256, 512, 1024};

// The paper's ways: ROMIO's two-phase by messages of every rank, one aggregator a node, windows of 4 MiB.
Words hints_of(const std::string& domains, int aggregators) {
  return {"weir_method=two_phase",
          "weir_exchange=direct",
          "weir_domains=" + domains,
          "weir_merge=disable",
          "weir_pipeline_depth=1",
          "cb_buffer_size=4194304",
          fmt::format("cb_nodes={}", aggregators)};
}

int ranks_per_node(const std::string& machine) { return machine == "jaguar" ? 4 : 2; }

Run run_of(const std::string& machine, const std::string& workload, const std::string& domains, int ranks) {
  Run run;
  run.machine = machine;
  run.workload = workload;
  run.ranks = ranks;
  const int per_node = ranks_per_node(machine);
  if (domains != "weir") {
    run.hints = hints_of(domains, (ranks + per_node - 1) / per_node);
    run.lists = true;
  }
  return run;
}

Sweep by_domains(const std::string& machine, const std::string& workload, const std::vector<int>& ranks,
                 Direction direction = Direction::kWrite) {
  Sweep what{
      fmt::format("{} on {}, {}", workload, machine, direction == Direction::kWrite ? "write" : "read"), ranks, {}};
  for (const std::string domains : {"even", "aligned", "static_cyclic", "group_cyclic", "weir"}) {
    what.ways.emplace_back(domains, [=](int count) {
      Run run = run_of(machine, workload, domains, count);
      run.direction = direction;
      return run;
    });
  }
  return what;
}

// The part of the time that is not inspection or exchange: access to the file, with what has to be waited for there.
double file_share(Runs& runs, const Run& run) {
  const sim::Outcome* outcome = runs.play(run);
  if (outcome == nullptr) return 0;
  return 1 - (outcome->seconds.inspect + outcome->seconds.exchange) / outcome->seconds.total;
}

// What the paper sees on Lustre: contiguous domains alike and far below cyclic ones; static ones fall behind with more
// aggregators than servers, group-cyclic ones do not.
bool like_lustre(const Swept& swept) {
  const bool contiguous_below = std::ranges::all_of(std::vector{64, 256}, [&](int ranks) {
    return alike(swept.at("even", ranks), swept.at("aligned", ranks), 1.5) &&
           far_above(swept.at("static_cyclic", ranks), std::max(swept.at("even", ranks), swept.at("aligned", ranks)));
  });
  const bool cyclic_alike = std::ranges::all_of(std::vector{16, 64, 256}, [&](int ranks) {
    return alike(swept.at("static_cyclic", ranks), swept.at("group_cyclic", ranks), 1.05);
  });
  const bool static_falls = swept.at("static_cyclic", 512) < swept.at("static_cyclic", 256) &&
                            swept.at("static_cyclic", 1024) < swept.at("static_cyclic", 256);
  const bool group_grows = swept.at("group_cyclic", 1024) > swept.at("group_cyclic", 256);
  return contiguous_below && cyclic_alike && static_falls && group_grows;
}

}  // namespace

Finding coll_perf_on_lustre(const Setting& setting) {
  Runs& runs = *setting.runs;
  bool holds = true;
  std::vector<Chart> charts;
  std::vector<std::string> words;
  for (const char* workload : {"coll_perf:block=128", "coll_perf:block=100"}) {
    const Swept swept = sweep(runs, by_domains("jaguar", workload, kRanks));
    holds = holds && like_lustre(swept);
    words.push_back(fmt::format("{}: {}", workload, words_of(swept)));
    charts.push_back(swept.chart);
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, ". ")), charts);
}

Finding coll_perf_on_gpfs(const Setting& setting) {
  Runs& runs = *setting.runs;
  const Swept fitting = sweep(runs, by_domains("mercury", "coll_perf:block=128", kRanks));
  const Swept odd = sweep(runs, by_domains("mercury", "coll_perf:block=100", kRanks));
  const bool holds = std::ranges::all_of(std::vector{64, 256}, [&](int ranks) {
    return alike(fitting.at("even", ranks), fitting.at("aligned", ranks)) &&
           far_above(fitting.at("aligned", ranks), fitting.at("static_cyclic", ranks)) &&
           alike(odd.at("even", ranks), odd.at("static_cyclic", ranks), 1.5) &&
           far_above(odd.at("aligned", ranks), odd.at("even", ranks));
  });
  return concluded(runs, holds, fmt::format("128^3: {}. 100^3: {}", words_of(fitting), words_of(odd)),
                   {fitting.chart, odd.chart});
}

Finding file_shares(const Setting& setting) {
  Runs& runs = *setting.runs;
  const auto share = [&](const char* machine, const char* domains, int ranks) {
    return file_share(runs, run_of(machine, "coll_perf:block=128", domains, ranks));
  };
  std::vector<Chart> charts;
  for (const char* machine : {"jaguar", "mercury"}) {
    Chart& chart = charts.emplace_back(
        Chart{fmt::format("coll_perf 128^3 on {}: share of the file phase", machine), "ranks", "% of the time", {}});
    for (const std::string domains : {"even", "aligned", "static_cyclic", "group_cyclic", "weir"}) {
      Series& series = chart.series.emplace_back(Series{domains, {}, domains == "weir"});
      for (const int ranks : kRanks)
        series.points.push_back({static_cast<double>(ranks), 100 * share(machine, domains.c_str(), ranks)});
    }
  }
  const bool lustre = share("jaguar", "group_cyclic", 256) < share("jaguar", "even", 256) &&
                      share("jaguar", "group_cyclic", 256) < share("jaguar", "aligned", 256);
  const bool gpfs = share("mercury", "aligned", 256) < share("mercury", "static_cyclic", 256) &&
                    share("mercury", "aligned", 256) <= share("mercury", "even", 256);
  const bool rises = share("jaguar", "static_cyclic", 512) > share("jaguar", "static_cyclic", 256) &&
                     share("jaguar", "static_cyclic", 1024) > share("jaguar", "static_cyclic", 256);
  return concluded(runs, lustre && gpfs && rises,
                   fmt::format("at 256 ranks: jaguar group {:.0f} %, even {:.0f} %, aligned {:.0f} %; mercury aligned "
                               "{:.0f} %, even {:.0f} %, static {:.0f} %; jaguar static {:.0f}, {:.0f}, {:.0f} % at "
                               "256, 512, 1024",
                               100 * share("jaguar", "group_cyclic", 256), 100 * share("jaguar", "even", 256),
                               100 * share("jaguar", "aligned", 256), 100 * share("mercury", "aligned", 256),
                               100 * share("mercury", "even", 256), 100 * share("mercury", "static_cyclic", 256),
                               100 * share("jaguar", "static_cyclic", 256), 100 * share("jaguar", "static_cyclic", 512),
                               100 * share("jaguar", "static_cyclic", 1024)),
                   charts);
}

Finding reads_by_domains(const Setting& setting) {
  Runs& runs = *setting.runs;
  bool holds = true;
  std::vector<Chart> charts;
  std::vector<std::string> words;
  for (const char* machine : {"jaguar", "mercury"}) {
    const Swept swept = sweep(runs, by_domains(machine, "coll_perf:block=128", {16, 64, 256}, Direction::kRead));
    for (const int ranks : {64, 256}) {
      const double cyclic = swept.at("static_cyclic", ranks);
      holds = holds && alike(swept.at("even", ranks), swept.at("aligned", ranks)) &&
              cyclic < swept.at("aligned", ranks) && cyclic > swept.at("aligned", ranks) / 3;
    }
    words.push_back(fmt::format("{}: {}", machine, words_of(swept)));
    charts.push_back(swept.chart);
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, ". ")), charts);
}

Finding btio_on_lustre(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::string workload = "btio:side=162:arrays=40";
  const Sweep what{
      "BTIO 162^3 on jaguar, write",
      {16, 36, 49, 64, 100, 144, 256, 576},
      {{"cyclic, A = P / 4", [&](int ranks) { return run_of("jaguar", workload, "static_cyclic", ranks); }},
       {"cyclic, A fitted",
        [&](int ranks) {
          Run run = run_of("jaguar", workload, "group_cyclic", ranks);
          run.hints.back() = fmt::format("cb_nodes={}", plan::fit_to_servers((ranks + 3) / 4, 64));
          return run;
        }},
       {"weir", [&](int ranks) { return run_of("jaguar", workload, "weir", ranks); }}}};
  const Swept swept = sweep(runs, what);
  const auto plain = [&](int ranks) { return swept.at("cyclic, A = P / 4", ranks); };
  const auto fitted = [&](int ranks) { return swept.at("cyclic, A fitted", ranks); };
  const bool peaks =
      plain(64) > plain(49) && plain(64) > plain(100) && plain(256) > plain(144) && plain(256) > plain(576);
  const bool mends =
      std::ranges::all_of(std::vector{36, 49, 100, 144, 576}, [&](int ranks) { return fitted(ranks) > plain(ranks); });
  return concluded(runs, peaks && mends, words_of(swept), {swept.chart});
}

// From ever more ranks to the same 64 aggregators.
Finding btio_redistribution(const Setting& setting) {
  Runs& runs = *setting.runs;
  const std::vector<int> ranks = {256, 576, 1024};
  Series series{"64 aggregators", {}};
  std::vector<double> shares;
  for (const int count : ranks) {
    Run run = run_of("jaguar", "btio:side=162:arrays=40", "static_cyclic", count);
    run.hints.back() = "cb_nodes=64";
    shares.push_back(100 * file_share(runs, run));
    series.points.push_back({static_cast<double>(count), shares.back()});
  }
  return concluded(
      runs, shares[1] < shares[0] && shares[2] < shares[1],
      fmt::format("share of the file phase, 64 aggregators: {:.0f} % at 256, 576, 1024 ranks", fmt::join(shares, ", ")),
      {{"BTIO 162^3 on jaguar: share of the file phase", "ranks", "% of the time", {series}}});
}

Finding btio_on_gpfs(const Setting& setting) {
  Runs& runs = *setting.runs;
  const Swept swept = sweep(runs, by_domains("mercury", "btio:side=162:arrays=40", {16, 64, 256}));
  bool holds = true;
  for (const int ranks : {16, 64, 256}) {
    holds = holds && swept.at("aligned", ranks) > swept.at("static_cyclic", ranks) &&
            swept.at("static_cyclic", ranks) > swept.at("even", ranks);
  }
  const auto gap = [&](int ranks) { return swept.at("aligned", ranks) / swept.at("even", ranks); };
  return concluded(runs, holds && gap(256) > gap(16), words_of(swept), {swept.chart});
}

Finding flash_and_s3d(const Setting& setting) {
  Runs& runs = *setting.runs;
  bool holds = true;
  std::vector<Chart> charts;
  std::vector<std::string> words;
  for (const char* workload : {"flash:side=32", "s3d:block=50"}) {
    const Swept lustre = sweep(runs, by_domains("jaguar", workload, kRanks));
    const Swept gpfs = sweep(runs, by_domains("mercury", workload, {16, 64, 256}));
    holds = holds && like_lustre(lustre);
    for (const int ranks : {64, 256}) {
      const double aligned = gpfs.at("aligned", ranks);
      holds = holds && aligned * 1.02 >= gpfs.at("even", ranks) && aligned > gpfs.at("static_cyclic", ranks);
      if (std::string_view(workload).starts_with("flash")) holds = holds && alike(aligned, gpfs.at("even", ranks));
    }
    words.push_back(fmt::format("{} on jaguar: {}; on mercury: {}", workload, words_of(lustre), words_of(gpfs)));
    charts.push_back(lustre.chart);
    charts.push_back(gpfs.chart);
  }
  return concluded(runs, holds, fmt::format("{}", fmt::join(words, ". ")), charts);
}

}  // namespace weir::tool::reproduce

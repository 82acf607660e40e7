#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout/merge.h"
#include "plan/local_aggregators.h"
#include "plan/served_ranks.h"
#include "reproduce/exact/exact.h"
#include "reproduce/exact/workload_plan.h"
#include "workloads/views.h"

namespace weir::tool::reproduce {

namespace {

constexpr int kRanksPerNode = 64;
constexpr int kLocalAggregators = 256;  // of all nodes together
constexpr std::int64_t kMiB = 1 << 20;

// On Theta: 56 servers, as many aggregators, one stripe of 1 MiB a round.
plan::Facts theta(int ranks) {
  plan::Facts facts;
  facts.direction = Direction::kWrite;
  facts.machine = plan::Machine::evenly(ranks, kRanksPerNode);
  facts.machine.cores_per_node = kRanksPerNode;
  facts.storage = {kMiB, 56, LockProtocol::kServer, true};
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.domains = plan::DomainKind::kStaticCyclic;
  facts.wishes.aggregators = 56;
  facts.wishes.most_window_bytes = kMiB;
  return facts;
}

// The pieces of one call of each access, before and after local aggregators have merged those of their ranks.
layout::PieceCounts pieces_of(const bench::Settled& workload) {
  const int ranks = workload.shape.ranks;
  plan::Plan plan;
  const plan::Machine machine = plan::Machine::evenly(ranks, kRanksPerNode);
  plan.local_aggregators = kLocalAggregators / machine.nodes();
  plan.local_aggregator_of = plan::local_aggregator_of(machine.node_of, plan.local_aggregators);
  layout::PieceCounts total;
  for (int rank = 0; rank < ranks; ++rank) {
    if (plan.local_aggregator_of[static_cast<std::size_t>(rank)] != rank) continue;
    std::vector<std::vector<layout::Layout>> requests(bench::share_of(workload, rank).accesses.size());
    for (const int served : plan::served_with(plan, rank)) {
      const bench::Share share = bench::share_of(workload, served);
      for (std::size_t access = 0; access < requests.size(); ++access) {
        requests[access].push_back(bench::request_of(share.accesses[access], 0));
      }
    }
    for (const auto& of_access : requests) {
      const layout::PieceCounts counts = layout::count_pieces(of_access);
      total.apart += counts.apart;
      total.together += counts.together;
    }
  }
  return total;
}

// The pieces of a made-up case of E3SM, a hundredth of the paper's, times a hundred; and its bytes.
struct Size {
  double pieces = 0;
  double gibibytes = 0;
};
Size scaled_size(const std::string& text, double factor) {
  constexpr int kRanks = 64;
  const bench::Settled workload = settled(text, kRanks);
  Size size;
  for (int rank = 0; rank < kRanks; ++rank) {
    const bench::Share share = bench::share_of(workload, rank);
    for (const bench::Access& access : share.accesses) {
      size.pieces += static_cast<double>(bench::request_of(access, 0).piece_count()) * factor;
    }
    size.gibibytes += static_cast<double>(bench::moved_bytes(share)) * factor / static_cast<double>(1 << 30);
  }
  return size;
}

bool near(double value, double wanted) { return std::abs(value / wanted - 1) < 0.1; }

}  // namespace

Finding receives_of_a_round(const Setting&) {
  const int ranks = 256 * kRanksPerNode;
  const auto requests = first_requests(settled("btio:side=512:arrays=40", ranks));
  plan::Facts facts = theta(ranks);
  facts.wishes.exchange = plan::Exchange::kDirect;
  const plan::Plan direct = plan_of(facts, requests);
  facts.wishes.exchange = plan::Exchange::kShared;
  facts.wishes.local_aggregators = 1;
  const plan::Plan layered = plan_of(facts, requests);
  const int before = plan::receives_of_a_round(direct);
  const int after = plan::receives_of_a_round(layered);
  const auto all = std::ssize(layered.aggregators);
  return found(before == 16384 && after == 256 && all == 56,
               fmt::format("{} and {} receives of an aggregator, {} and {} messages in all", before, after,
                           before * std::ssize(direct.aggregators), after * all));
}

Finding btio_requests(const Setting&) {
  constexpr std::int64_t kArrays = 40;
  struct Case {
    int ranks;
    layout::PieceCounts pieces;
  };
  bool holds = true;
  std::vector<std::string> words;
  Series before{"of the ranks", {}};
  Series after{"merged by 256 local aggregators", {}};
  for (const Case& each :
       {Case{1024, {335544320, 84377600}}, Case{4096, {671088640, 43171840}}, Case{16384, {1342177280, 23552000}}}) {
    const layout::PieceCounts one = pieces_of(settled("btio:side=512:arrays=40", each.ranks));
    const layout::PieceCounts counted{kArrays * one.apart, kArrays * one.together};
    holds = holds && counted == each.pieces;
    words.push_back(fmt::format("{}: {} to {}", each.ranks, counted.apart, counted.together));
    before.points.push_back({static_cast<double>(each.ranks), static_cast<double>(counted.apart) / 1e6});
    after.points.push_back({static_cast<double>(each.ranks), static_cast<double>(counted.together) / 1e6});
  }
  const Chart chart{
      "BTIO 512^3 x 40: requests before and after merging on the node", "ranks", "millions", {before, after}};
  return found(holds, fmt::format("{}", fmt::join(words, "; ")), {chart});
}

Finding other_requests(const Setting&) {
  const layout::PieceCounts s3d = pieces_of(settled("s3d:side=800", 16384));
  const Size f = scaled_size("e3sm_f:columns=7776", 777602.0 / 7776);
  const Size g = scaled_size("e3sm_g:cells=36932", 3693225.0 / 36932);
  const bool holds = s3d.apart == 327680000 && near(f.pieces, 1.36e9) && near(f.gibibytes, 14) &&
                     near(g.pieces, 180e6) && near(g.gibibytes, 85);
  return found(holds, fmt::format("S3D {}; a hundredth of E3SM, times 100: F {:.3g} in {:.1f} GiB, G {:.3g} in {:.1f} "
                                  "GiB",
                                  s3d.apart, f.pieces, f.gibibytes, g.pieces, g.gibibytes));
}

}  // namespace weir::tool::reproduce

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reproduce/exact/exact.h"
#include "reproduce/exact/workload_plan.h"

namespace weir::tool::reproduce {

namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

plan::Facts writing(int ranks, int ranks_per_node) {
  plan::Facts facts;
  facts.direction = Direction::kWrite;
  facts.machine = plan::Machine::evenly(ranks, ranks_per_node);
  return facts;
}

// The aggregator that owns the block.
int owner_of(const std::vector<plan::Domain>& domains, std::int64_t offset) {
  for (std::size_t number = 0; number < domains.size(); ++number) {
    const plan::Domain& domain = domains[number];
    const bool turn = domain.block_bytes == 0 || (offset - domain.first_block) % domain.stride_bytes == 0;
    if (turn && domain.extent.contains(offset)) return static_cast<int>(number);
  }
  return -1;
}

// As the papers count MB.
double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(kMiB); }

}  // namespace

Finding even_domains(const Setting&) {
  plan::Facts facts = writing(4, 4);
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.domains = plan::DomainKind::kEven;
  facts.wishes.aggregators = 4;
  facts.wishes.most_window_bytes = 16;
  const plan::Plan plan = plan_of(facts, {layout::Layout::contiguous(150).shifted(10), {}, {}, {}});
  std::vector<std::int64_t> sizes;
  for (const plan::Domain& domain : plan.domains) sizes.push_back(domain.extent.bytes());
  return found(sizes == std::vector<std::int64_t>{38, 38, 38, 36} && plan.rounds == 3,
               fmt::format("domains of {} bytes, {} rounds", fmt::join(sizes, ", "), plan.rounds));
}

Finding group_cyclic_domains(const Setting&) {
  constexpr std::int64_t kLock = 512 * kKiB;
  const Extent region = {7 * kLock, 23 * kLock};
  const auto domains = plan::make_domains({plan::DomainKind::kGroupCyclic, region, 8, kLock, 4});
  std::vector<int> first;
  std::vector<int> second;
  for (std::int64_t block = 7; block < 11; ++block) first.push_back(owner_of(domains, block * kLock));
  for (std::int64_t block = 15; block < 19; ++block) second.push_back(owner_of(domains, block * kLock));
  return found(first == std::vector<int>{7, 0, 1, 2} && second == std::vector<int>{3, 4, 5, 6},
               fmt::format("groups {{{}}} and {{{}}}", fmt::join(first, ", "), fmt::join(second, ", ")));
}

Finding fitted_aggregators(const Setting&) {
  struct Case {
    int ranks;
    std::int64_t aggregators;
  };
  bool holds = true;
  std::vector<std::string> words;
  for (const Case& each : {Case{36, 8}, Case{49, 8}, Case{100, 16}, Case{144, 32}, Case{576, 128}}) {
    plan::Facts facts = writing(each.ranks, 4);
    std::ranges::fill(facts.machine.most_per_node, 1);
    facts.storage = {512 * kKiB, 64, LockProtocol::kServer, true};
    facts.wishes.method = plan::Method::kTwoPhase;
    facts.wishes.domains = plan::DomainKind::kGroupCyclic;
    const plan::Plan plan = plan_of(facts, first_requests(settled("btio:side=162:arrays=40", each.ranks)));
    holds = holds && std::ssize(plan.aggregators) == each.aggregators;
    words.push_back(fmt::format("{} at {} ranks", plan.aggregators.size(), each.ranks));
  }
  return found(holds, "aggregators: " + fmt::format("{}", fmt::join(words, ", ")));
}

Finding btio_bytes_of_a_rank(const Setting&) {
  const auto requests = first_requests(settled("btio:side=162:arrays=40", 576));
  std::int64_t bytes = 0;
  for (const layout::Layout& request : requests) bytes += request.data_bytes();
  const double mean = static_cast<double>(bytes) / 576 / kKiB;
  return found(fmt::format("{:.1f}", mean) == "288.3", fmt::format("{:.1f} KB a rank and array at 576 ranks", mean));
}

Finding flash_and_s3d_sizes(const Setting&) {
  std::vector<double> flash;
  const bench::Settled workload = settled("flash:side=32", 3);
  for (int rank = 0; rank < 3; ++rank) {
    flash.push_back(mebibytes(bench::data_bytes(bench::share_of(workload, rank).accesses.front().file)));
  }
  const double s3d = mebibytes(bench::moved_bytes(bench::share_of(settled("s3d:block=50", 512), 0)));
  return found(flash == std::vector<double>{20, 20.25, 20.5} && fmt::format("{:.2f}", s3d) == "15.26",
               fmt::format("FLASH {} MB a rank and variable; S3D {:.2f} MB a rank", fmt::join(flash, ", "), s3d));
}

}  // namespace weir::tool::reproduce

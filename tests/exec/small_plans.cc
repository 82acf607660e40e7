#include "exec/small_plans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "comm/shared_memory.h"
#include "exec/call/inspect.h"
#include "exec/effort.h"

namespace weir::exec {

namespace {

constexpr std::uint64_t kSeed = 12345;
constexpr std::int64_t kBegin = 10;  // of the region
constexpr std::int64_t kCells = 24;
constexpr std::int64_t kCellBytes = 3;
constexpr std::array kDomains = {plan::DomainKind::kEven, plan::DomainKind::kAligned, plan::DomainKind::kStaticCyclic,
                                 plan::DomainKind::kGroupCyclic};
constexpr std::array<std::int64_t, 4> kWindowBytes = {5, 9, 16, 100};

layout::Layout layout_of(const SmallPlan::Offsets& offsets) {
  return layout::Layout::blocks(offsets, SmallPlan::Offsets(offsets.size(), 1));
}

plan::AccessSummary summary_of(const SmallPlan::Offsets& offsets) {
  plan::AccessSummary summary;
  if (offsets.empty()) return summary;
  summary.file_extent = {offsets.front(), offsets.back() + 1};
  summary.bytes = std::ssize(offsets);
  summary.file_pieces = summary.bytes;
  summary.first_piece = offsets.front();
  return summary;
}

// Who has a cell of the region: one rank each; some ranks or nobody; the rank of the part it lies in, unless that has
// nothing; two, nobody or one, as many as there are cells in all.
bool has_cell(const Nodes& nodes, int rank, std::int64_t cell, int variant) {
  const bool turn = cell % nodes.ranks == rank;
  switch ((variant + variant / 4) % 4) {
    case 0: return turn;
    case 1: return (cell * 7 + rank * 3 + variant) % 5 < 2;
    case 2: return cell * nodes.ranks / kCells == rank && (rank == nodes.ranks - 1 || (rank + variant) % 4 != 0);
    default: return cell % 4 == 0 ? turn || (cell + 1) % nodes.ranks == rank : cell % 4 != 1 && turn;
  }
}

std::vector<SmallPlan::Offsets> offsets_of(const Nodes& nodes, int variant) {
  std::vector<SmallPlan::Offsets> offsets(static_cast<std::size_t>(nodes.ranks));
  for (std::int64_t cell = 0; cell < kCells; ++cell) {
    for (int rank = 0; rank < nodes.ranks; ++rank) {
      if (!has_cell(nodes, rank, cell, variant)) continue;
      for (std::int64_t i = 0; i < kCellBytes; ++i) {
        offsets[static_cast<std::size_t>(rank)].push_back(kBegin + cell * kCellBytes + i);
      }
    }
  }
  return offsets;
}

plan::Machine machine_of(const Nodes& nodes) {
  plan::Machine machine;
  for (int rank = 0; rank < nodes.ranks; ++rank) machine.node_of.push_back(rank / nodes.ranks_per_node);
  machine.sharing_of = machine.node_of;
  machine.most_per_node.assign(static_cast<std::size_t>(machine.node_of.back() + 1), plan::kAnyNumber);
  return machine;
}

// The ranks that this one meets in memory in calls with the plan. COLLECTIVE.
std::unique_ptr<ShareGroup> group_for(comm::Comm& comm, const plan::Plan& plan) {
  if (!plan.in_memory) return std::make_unique<ShareGroup>(comm.rank());
  const std::size_t words = ShareGroup::word_bytes_for(comm.topology().largest_node());
  Result<comm::SharedMemory> created = comm::SharedMemory::create(comm, words);
  EXPECT_TRUE(created.ok()) << created.status().text();
  if (!created.ok()) std::abort();  // the other ranks wait: no test can go on
  auto memory = std::make_shared<comm::SharedMemory>(std::move(created).value());
  std::byte* begin = memory->bytes().data();
  return std::make_unique<ShareGroup>(comm.topology().ranks_beside(comm.rank()), std::move(memory), begin);
}

// What changes from one plan to the next.
plan::Facts facts_of(const Nodes& nodes, Direction direction, int variant) {
  const auto number = static_cast<std::size_t>(variant);
  plan::Facts facts;
  facts.direction = direction;
  facts.machine = machine_of(nodes);
  facts.storage.lock_bytes = 8;
  facts.storage.servers = 2;
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.domains = kDomains[number / 2 % kDomains.size()];
  facts.wishes.most_window_bytes = kWindowBytes[number / 3 % kWindowBytes.size()];
  facts.wishes.local_aggregators = 1 + variant / 4 % 3;
  facts.wishes.depth = 1 + variant % 3;
  return facts;
}

}  // namespace

SmallPlan::SmallPlan(const plan::Facts& facts, std::vector<Offsets> offsets) : offsets_(std::move(offsets)) {
  for (const Offsets& of_rank : offsets_) summaries_.push_back(summary_of(of_rank));
  plan_ = plan::make_plan(facts, summaries_);
  EXPECT_EQ(plan_.method, plan::Method::kTwoPhase) << text();
  find_landings();
  count_bytes();
}

void SmallPlan::find_landings() {
  landings_.resize(static_cast<std::size_t>(plan_.region.bytes()));
  std::vector<int> found(landings_.size());
  for (std::size_t a = 0; a < plan_.domains.size(); ++a) {
    for (std::int64_t round = 0; round < plan::round_count(plan_.domains[a], plan_.round_size); ++round) {
      const plan::Window window = window_of(plan_, a, round);
      for (std::int64_t i = 0; i < window.count; ++i) {
        const Extent extent = window.extent(i);
        for (std::int64_t offset = extent.begin; offset < extent.end; ++offset) {
          const auto index = static_cast<std::size_t>(offset - plan_.region.begin);
          landings_[index] = {a, round, window.place(i) + offset - extent.begin};
          ++found[index];
        }
      }
    }
  }
  EXPECT_EQ(found, std::vector<int>(found.size(), 1)) << text();
}

bool SmallPlan::near(int rank, int other) const {
  return plan_.sharing_of[static_cast<std::size_t>(rank)] == plan_.sharing_of[static_cast<std::size_t>(other)];
}

bool SmallPlan::several_groups() const {
  const auto groups = plan_.sharing_of.all();
  return std::ranges::any_of(groups, [&](int group) { return group != groups.front(); });
}

void SmallPlan::count_bytes() {
  for (const Offsets& of_rank : offsets_) {
    RoundTable<std::int64_t>& counts = bytes_.emplace_back(plan_.aggregators.size(), plan_.rounds);
    for (const std::int64_t offset : of_rank) ++counts.at(landing(offset).aggregator, landing(offset).round);
  }
}

layout::RequestList SmallPlan::request(int rank, const layout::Memory& memory) const {
  return layout::RequestList::in_file(layout_of(offsets(rank)), memory);
}

std::string SmallPlan::text() const {
  std::string text =
      plan::print(plan_) + fmt::format("\nnodes of the ranks: {}", fmt::join(plan_.sharing_of.all(), " "));
  for (std::size_t rank = 0; rank < offsets_.size(); ++rank) {
    text += fmt::format("\nrank {}: {}", rank, layout::describe(layout_of(offsets_[rank])));
  }
  return text;
}

std::vector<Nodes> small_nodes() {
  std::vector<Nodes> all;
  for (int ranks = 1; ranks <= 6; ++ranks) {
    for (int ranks_per_node = 1; ranks_per_node <= std::min(ranks, 3); ++ranks_per_node) {
      all.push_back({ranks, ranks_per_node});
    }
  }
  return all;
}

std::vector<SmallPlan> small_plans(const Nodes& nodes, Direction direction) {
  std::vector<SmallPlan> plans;
  const auto step = static_cast<int>(every_nth());
  int variant = nodes.ranks * 5 + nodes.ranks_per_node * 2;
  for (const plan::Exchange exchange : {plan::Exchange::kShared, plan::Exchange::kDirect, plan::Exchange::kPairwise}) {
    for (int aggregators = 1; aggregators <= nodes.ranks; ++aggregators) {
      for (const bool sparse : {false, true}) {
        for (const bool merging : {false, true}) {
          if (merging && exchange != plan::Exchange::kShared) continue;
          if (++variant % step != 0) continue;
          plan::Facts facts = facts_of(nodes, direction, variant);
          facts.wishes.exchange = exchange;
          // Without local aggregators by wish, ranks trade, not nodes.
          if (exchange == plan::Exchange::kPairwise && variant % 2 == 0) facts.wishes.local_aggregators.reset();
          facts.wishes.aggregators = aggregators;
          facts.wishes.sparse = sparse;
          facts.wishes.merging = merging;
          plans.emplace_back(facts, offsets_of(nodes, variant));
        }
      }
    }
  }
  return plans;
}

SmallRank::SmallRank(comm::Comm& with, const SmallPlan& small, const layout::Memory& memory)
    : comm(with), planned(small), requests(small.request(with.rank(), memory)), group(group_for(with, small.plan())) {}

SmallRank::SmallRank(comm::Comm& with, const SmallPlan& small)
    : SmallRank(with, small, layout::Memory::of(nullptr, std::ssize(small.offsets(with.rank())))) {}

Result<Schedule> SmallRank::inspect() {
  return exec::inspect({comm, *group, planned.plan(), planned.summaries(), requests, kSeed, stores, counters});
}

}  // namespace weir::exec

// From a Lustre file's layout, as its client tells it, to the plans of collective calls: aggregators fitted to the
// servers, and domains that keep each of them to its own.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "comm/ranks.h"
#include "driver/lustre_bytes.h"
#include "driver/scripted_syscalls.h"
#include "driver/storage.h"
#include "exec/collective_combination.h"
#include "exec/file/facts.h"
#include "exec/file/wishes.h"
#include "plan/plan_cases.h"
#include "sys/unique_fd.h"

namespace weir::exec {
namespace {

using driver::lustre_bytes::composite_layout;
using driver::lustre_bytes::plain_layout;
using plan::DomainKind;
using plan::kKiB;
using plan::kMiB;

driver::StorageLayout storage_with(const std::string& layout) {
  driver::ScriptedSyscalls system;
  system.mounted = driver::MountEntry();
  system.mounted->type = "lustre";
  if (!layout.empty()) system.attributes["lustre.lov"] = layout;
  const sys::UniqueFd fd(::open("/", O_RDONLY | O_CLOEXEC));
  return driver::storage_of(system, fd.get(), nullptr).layout;
}

plan::Plan plan_for(const driver::StorageLayout& storage, int nodes, Direction direction) {
  constexpr int kRanksOfANode = 4;
  const int ranks = nodes * kRanksOfANode;
  plan::Plan made;
  comm::run_tested_ranks(ranks, kRanksOfANode, [&](comm::ThreadComm& channel) {
    const OpenFacts facts = gather_facts(channel, {storage, true}).value();
    if (channel.rank() != 0) return;
    const auto of_direction = plan_facts(Combination{{{"romio_cb_write", "enable"}}, 0}.hint_set(), facts, {});
    made = plan::make_plan(of_direction[static_cast<std::size_t>(direction)], plan::interleaved(ranks, 100 * kKiB, 64));
  });
  return made;
}

struct Case {
  std::string layout;
  int nodes;
  std::size_t aggregators;
  std::int64_t unit;
  int servers;
};

std::string striped(std::int64_t unit, int servers) {
  const auto count = static_cast<std::uint64_t>(servers);
  return plain_layout({.unit = static_cast<std::uint64_t>(unit), .servers = count, .objects = count});
}

std::vector<Case> cases() {
  return {{striped(kMiB, 1), 4, 4, kMiB, 1},
          {striped(kMiB, 2), 4, 4, kMiB, 2},
          {striped(512 * kKiB, 4), 4, 4, 512 * kKiB, 4},
          {striped(kMiB, 3), 4, 3, kMiB, 3},
          {striped(kMiB, 8), 4, 8, kMiB, 8},
          {striped(64 * kKiB, 64), 4, 16, 64 * kKiB, 64},
          {striped(kMiB, 12), 2, 6, kMiB, 12},
          {composite_layout({{{.servers = 1, .objects = 1}}, {{.unit = 2 << 20, .servers = 16, .objects = 0}, 0}}), 4,
           16, 2 * kMiB, 16}};
}

TEST(LustrePlan, AggregatorsAreFittedToTheServers) {
  for (const Case& each : cases()) {
    const driver::StorageLayout storage = storage_with(each.layout);
    EXPECT_EQ(storage.stripe_bytes, each.unit);
    EXPECT_EQ(storage.stripe_count, each.servers);
    const plan::Plan plan = plan_for(storage, each.nodes, Direction::kWrite);
    EXPECT_EQ(plan.domain_kind, DomainKind::kGroupCyclic) << each.servers;
    EXPECT_EQ(plan.aggregators.size(), each.aggregators) << each.servers;
    const int count = static_cast<int>(plan.aggregators.size());
    EXPECT_TRUE(count % each.servers == 0 || each.servers % count == 0) << each.servers;
  }
}

// With as many aggregators as servers or more, each speaks to one server, and those who speak to the same one do not
// interleave there. With fewer, each has servers of its own.
TEST(LustrePlan, EveryAggregatorKeepsToItsServers) {
  for (const Case& each : cases()) {
    const plan::Plan plan = plan_for(storage_with(each.layout), each.nodes, Direction::kWrite);
    const int count = static_cast<int>(plan.aggregators.size());
    const int step = std::min(count, each.servers);
    for (const plan::Domain& domain : plan.domains) {
      if (domain.extent.empty()) continue;
      EXPECT_EQ(domain.block_bytes, each.unit);
      EXPECT_EQ(domain.stride_bytes, step * each.unit) << each.servers;
      EXPECT_EQ(domain.first_block % each.unit, 0);
      for (const plan::Domain& other : plan.domains) {
        const bool same = (domain.first_block / each.unit - other.first_block / each.unit) % step == 0;
        if (&other == &domain || other.extent.empty() || !same) continue;
        EXPECT_TRUE(intersection(domain.extent, other.extent).empty()) << each.servers;
      }
    }
  }
}

TEST(LustrePlan, ReadsAreNeverCyclic) {
  for (const Case& each : cases()) {
    const plan::Plan plan = plan_for(storage_with(each.layout), each.nodes, Direction::kRead);
    EXPECT_TRUE(plan.method == plan::Method::kIndependent || plan.domain_kind == DomainKind::kAligned ||
                plan.domain_kind == DomainKind::kEven);
  }
}

TEST(LustrePlan, WithoutALayoutDomainsAreAligned) {
  const driver::StorageLayout unknown = storage_with("");
  EXPECT_EQ(plan_for(unknown, 4, Direction::kWrite).domain_kind, DomainKind::kAligned);
}

}  // namespace
}  // namespace weir::exec

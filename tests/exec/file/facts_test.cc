#include "exec/file/facts.h"

#include <gtest/gtest.h>

#include <string>

#include "comm/ranks.h"
#include "exec/collective_combination.h"
#include "exec/file/wishes.h"
#include "model/built_in.h"
#include "plan/wishes.h"

namespace weir::exec {
namespace {

plan::Wishes wishes(const hints::Pairs& pairs, Direction direction = Direction::kWrite) {
  return plan::wishes_of(Combination{pairs, 0}.hint_set(), direction);
}

TEST(Wishes, WithoutHintsThereAreNone) {
  const plan::Wishes none = wishes({});
  EXPECT_FALSE(none.method);
  EXPECT_FALSE(none.domains);
  EXPECT_FALSE(none.aggregators);
  EXPECT_FALSE(none.local_aggregators);
  EXPECT_FALSE(none.exchange);
  EXPECT_FALSE(none.sparse);
  EXPECT_EQ(none.most_window_bytes, 16 << 20);
  EXPECT_FALSE(none.window_asked);
  EXPECT_FALSE(none.depth);
  EXPECT_EQ(none.max_acc, 0);
}

TEST(Wishes, EveryWordOfTheDomainsAndExchangeHints) {
  using plan::DomainKind;
  using plan::Exchange;
  for (const DomainKind kind :
       {DomainKind::kEven, DomainKind::kAligned, DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
    EXPECT_EQ(wishes({{"weir_domains", plan::name(kind)}}).domains, kind);
  }
  for (const Exchange exchange : {Exchange::kShared, Exchange::kDirect, Exchange::kPairwise}) {
    EXPECT_EQ(wishes({{"weir_exchange", plan::name(exchange)}}).exchange, exchange);
  }
  EXPECT_FALSE(wishes({{"weir_domains", "auto"}, {"weir_exchange", "auto"}}).domains);
}

TEST(Wishes, NumbersAreTakenAsTheyAre) {
  const plan::Wishes all = wishes({{"cb_nodes", "5"},
                                   {"weir_local_aggregators", "3"},
                                   {"cb_buffer_size", "12345"},
                                   {"weir_pipeline_depth", "7"},
                                   {"weir_max_acc", "4"},
                                   {"weir_sparse", "false"}});
  EXPECT_EQ(all.aggregators, 5);
  EXPECT_EQ(all.local_aggregators, 3);
  EXPECT_EQ(all.most_window_bytes, 12345);
  EXPECT_TRUE(all.window_asked);
  EXPECT_EQ(all.depth, 7);
  EXPECT_EQ(all.max_acc, 4);
  EXPECT_EQ(all.sparse, false);
  EXPECT_EQ(wishes({{"weir_sparse", "true"}}).sparse, true);
}

TEST(Wishes, TheMostSpecificHintOfTheMethodWins) {
  using plan::Method;
  EXPECT_EQ(wishes({{"weir_method", "two_phase"}, {"romio_cb_write", "disable"}}).method, Method::kTwoPhase);
  EXPECT_EQ(wishes({{"weir_method", "independent"}, {"romio_cb_write", "enable"}}).method, Method::kIndependent);
  EXPECT_EQ(wishes({{"romio_cb_write", "enable"}, {"collective_buffering", "false"}}).method, Method::kTwoPhase);
  EXPECT_EQ(wishes({{"collective_buffering", "false"}}).method, Method::kIndependent);
  EXPECT_FALSE(wishes({{"collective_buffering", "true"}}).method);
}

TEST(Wishes, RomioHintsSpeakOfOneDirection) {
  const hints::Pairs pairs = {{"romio_cb_read", "enable"}, {"romio_cb_write", "disable"}};
  EXPECT_EQ(wishes(pairs, Direction::kRead).method, plan::Method::kTwoPhase);
  EXPECT_EQ(wishes(pairs, Direction::kWrite).method, plan::Method::kIndependent);
}

TEST(GatherFacts, AreThoseOfRankZeroAndEqualEverywhere) {
  std::vector<OpenFacts> gathered(6);
  comm::run_tested_ranks(6, 2, [&](comm::ThreadComm& channel) {
    driver::StorageLayout storage;
    storage.stripe_bytes = channel.rank() == 0 ? 65536 : 7;
    storage.stripe_count = channel.rank() == 0 ? 4 : 9;
    storage.lock_protocol = channel.rank() == 0 ? LockProtocol::kServer : LockProtocol::kNone;
    storage.network = channel.rank() == 0;
    gathered[static_cast<std::size_t>(channel.rank())] = gather_facts(channel, {storage, true}).value();
  });
  for (const OpenFacts& facts : gathered) {
    EXPECT_EQ(facts.storage.lock_bytes, 65536);
    EXPECT_EQ(facts.storage.servers, 4);
    EXPECT_EQ(facts.storage.protocol, LockProtocol::kServer);
    EXPECT_TRUE(facts.storage.network);
    EXPECT_EQ(facts.machine.node_of, (std::vector<int>{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(facts.machine.sharing_of, facts.machine.node_of);
    EXPECT_EQ(facts.machine.nodes(), 3);
    EXPECT_EQ(facts.host_of_node.size(), 3U);
    EXPECT_GE(facts.machine.cores_per_node, 1);
    EXPECT_EQ(facts.machine.cores_per_node, gathered[0].machine.cores_per_node);
  }
}

TEST(GatherFacts, TheModelOfTheMachineIsRankZeros) {
  for (const bool given : {false, true}) {
    model::MachineModel model = model::built_in(true, LockProtocol::kToken);
    model.network.latency_us = 7.5;
    comm::run_tested_ranks(4, 2, [&](comm::ThreadComm& channel) {
      OwnFacts mine;
      if (given == (channel.rank() == 0)) mine.model = model;  // others' count for nothing
      const OpenFacts facts = gather_facts(channel, mine).value();
      EXPECT_EQ(facts.model, given ? std::optional(model) : std::nullopt);
    });
  }
}

TEST(GatherFacts, RanksThatShareNoMemoryAreGroupsOfOne) {
  comm::run_tested_ranks(4, 2, [&](comm::ThreadComm& channel) {
    const OpenFacts facts = gather_facts(channel, {{}, false}).value();
    EXPECT_EQ(facts.machine.sharing_of, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(facts.machine.node_of, (std::vector<int>{0, 0, 1, 1}));
  });
}

}  // namespace
}  // namespace weir::exec

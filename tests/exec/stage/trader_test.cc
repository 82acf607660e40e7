// Bytes through the steps of the pairwise exchange and back, ranks as threads.
#include "exec/stage/trader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "comm/ranks.h"
#include "exec/stage/trade_oracle.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

using Bytes = std::vector<std::byte>;

// A block's bytes tell whose it is, for whom, in which round, and which byte of it each is.
void append_block(const TradeOracle& oracle, std::int64_t round, std::size_t chunk, std::size_t party, Bytes& bytes) {
  for (std::int64_t i = 0; i < oracle.size(round, chunk, party); ++i) {
    bytes.push_back(static_cast<std::byte>(static_cast<std::size_t>(round * 7 + i) + chunk * 31 + party * 101));
  }
}

Bytes own_blocks(const TradeOracle& oracle, std::int64_t round, std::size_t party) {
  Bytes bytes;
  for (std::size_t chunk = 0; chunk < oracle.traders(); ++chunk) append_block(oracle, round, chunk, party, bytes);
  return bytes;
}

// The blocks of all parties for a chunk, in the order of their places.
Bytes bundle_of(const TradeOracle& oracle, std::int64_t round, std::size_t chunk) {
  std::vector<std::size_t> parties(oracle.parties());
  for (std::size_t party = 0; party < parties.size(); ++party) parties[party] = party;
  std::ranges::sort(parties, {}, [&](std::size_t party) { return Trades::place_in_bundle(party, parties.size()); });
  Bytes bytes;
  for (const std::size_t party : parties) append_block(oracle, round, chunk, party, bytes);
  return bytes;
}

std::int64_t bytes_of(std::span<const std::int64_t> sizes) {
  std::int64_t bytes = 0;
  for (const std::int64_t size : sizes) bytes += size;
  return bytes;
}

void expect_there_and_back(const TradeOracle& oracle) {
  comm::run_tested_ranks(static_cast<int>(oracle.parties()), [&](comm::ThreadComm& comm) {
    const auto party = static_cast<std::size_t>(comm.rank());
    Trades trades = oracle.trades_of(party);
    std::vector<std::int64_t> numbers(trades.most_numbers());
    EXPECT_TRUE(learn_sizes(comm, trades, numbers).ok());
    EXPECT_LE(comm.sent().messages, std::ssize(trades.steps()));
    Bytes memory(Trader::kBuffers * static_cast<std::size_t>(trades.most_bytes()));
    trace::Counters counters;
    std::int64_t messages = 0;
    Trader trader(comm, trades, memory, counters, [&](int, std::int64_t) { ++messages; });
    for (std::int64_t round = 0; round < oracle.rounds(); ++round) {
      const Bytes own = own_blocks(oracle, round, party);
      Bytes sent = own;
      trader.carry(Direction::kWrite, round, sent.data());
      EXPECT_EQ(sent, own) << "writing changed what a party has itself";
      if (party < oracle.traders() && !trades.steps().empty()) {
        const auto bytes = static_cast<std::size_t>(bytes_of(trades.held(trades.steps().size(), round)));
        const Bytes bundle(trader.bundle(), trader.bundle() + bytes);
        EXPECT_EQ(bundle, bundle_of(oracle, round, reversed(party, oracle.phases()))) << "party " << party;
      }
      Bytes back = trades.steps().empty() ? own : Bytes(own.size());  // a party alone trades with nobody
      trader.carry(Direction::kRead, round, back.data());
      EXPECT_EQ(back, own) << "party " << party;
    }
    EXPECT_TRUE(trader.status().ok());
    EXPECT_LE(messages, 2 * oracle.rounds() * std::ssize(trades.steps()));
  });
}

TEST(Trader, BringsEveryBlockToItsAggregatorAndBack) {
  std::mt19937_64 random(2);
  for (const int parties : comm::tested_sizes()) {
    SCOPED_TRACE(parties);
    expect_there_and_back(TradeOracle::random(static_cast<std::size_t>(parties), 2, random));
  }
}

TEST(Trader, BringsWhateverSizes) {
  const std::uint64_t seed = layout::test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    expect_there_and_back(TradeOracle::random(1 + random() % 12, static_cast<std::int64_t>(random() % 4), random));
  }
}

TEST(Trader, SendsNothingWhereThereIsNothing) {
  const TradeOracle nothing(11, 3);
  comm::run_tested_ranks(11, [&](comm::ThreadComm& comm) {
    Trades trades = nothing.trades_of(static_cast<std::size_t>(comm.rank()));
    std::vector<std::int64_t> numbers(trades.most_numbers());
    EXPECT_TRUE(learn_sizes(comm, trades, numbers).ok());
    EXPECT_EQ(trades.most_bytes(), 0);
    const std::int64_t before = comm.sent().messages;
    trace::Counters counters;
    Trader trader(comm, trades, {}, counters, [](int, std::int64_t) { FAIL(); });
    for (std::int64_t round = 0; round < 3; ++round) trader.carry(Direction::kWrite, round, nullptr);
    EXPECT_EQ(comm.sent().messages, before);
  });
}

}  // namespace
}  // namespace weir::exec

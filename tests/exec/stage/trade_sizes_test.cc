// The pairwise exchange in numbers: what parties tell each other, against the blocks one by one; and how much that is
// with very many of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "exec/stage/trade_oracle.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers told(const Trades& trades, std::size_t step) {
  Numbers numbers(trades.told_numbers(step));
  trades.tell(step, numbers);
  return numbers;
}

// The step of `party` in which it meets `partner`.
std::size_t step_with(const Trades& trades, std::size_t partner) {
  const auto found = std::ranges::find(trades.steps(), static_cast<int>(partner), &Trades::Step::partner);
  EXPECT_NE(found, trades.steps().end());
  return static_cast<std::size_t>(found - trades.steps().begin());
}

// All parties, told everything. Partners meet in the same order as when they send messages.
std::vector<Trades> all_told(const TradeOracle& oracle) {
  std::vector<Trades> all;
  for (std::size_t party = 0; party < oracle.parties(); ++party) all.push_back(oracle.trades_of(party));
  const auto meet = [&](std::size_t one, std::size_t other) {
    const std::size_t step_of_one = step_with(all[one], other);
    const std::size_t step_of_other = step_with(all[other], one);
    const Numbers from_one = told(all[one], step_of_one);
    const Numbers from_other = told(all[other], step_of_other);
    EXPECT_EQ(from_one.size(), all[other].heard_numbers(step_of_other));
    EXPECT_EQ(from_other.size(), all[one].heard_numbers(step_of_one));
    all[one].hear(step_of_one, from_other);
    all[other].hear(step_of_other, from_one);
  };
  for (std::size_t party = oracle.traders(); party < oracle.parties(); ++party) meet(party, oracle.trader_of(party));
  for (std::size_t bit = 1; bit < oracle.traders(); bit *= 2) {
    for (std::size_t party = 0; party < oracle.traders(); ++party) {
      if ((party & bit) == 0) meet(party, party | bit);
    }
  }
  return all;
}

// Of one party: what it holds before every phase and in the end.
void expect_held(const TradeOracle& oracle, const Trades& trades, std::size_t party) {
  const std::size_t first_step = trades.steps().size() - static_cast<std::size_t>(oracle.phases());
  for (std::int64_t round = 0; round < oracle.rounds(); ++round) {
    for (int phase = 0; phase <= oracle.phases(); ++phase) {
      Numbers expected;
      for (const auto& [chunk, bytes] : oracle.held(phase, party, round)) expected.push_back(bytes);
      const auto held = trades.held(first_step + static_cast<std::size_t>(phase), round);
      EXPECT_EQ(Numbers(held.begin(), held.end()), expected) << "party " << party << " before phase " << phase;
    }
  }
}

// What is held is given or kept, and what is taken fits what is set aside.
void expect_loads(const Trades& trades) {
  for (std::int64_t round = 0; round < trades.rounds(); ++round) {
    for (std::size_t step = 0; step < trades.steps().size(); ++step) {
      const auto before = trades.held(step, round);
      const auto after = trades.held(step + 1, round);
      const Trades::Load load = trades.load(step, round);
      EXPECT_EQ(load.given + load.kept, std::accumulate(before.begin(), before.end(), std::int64_t{0}));
      EXPECT_EQ(load.taken + load.kept, std::accumulate(after.begin(), after.end(), std::int64_t{0}));
      EXPECT_EQ(std::min(load.given_begin, load.kept_begin), 0);
      EXPECT_LE(load.taken + load.kept, trades.most_bytes());
      EXPECT_LE(trades.told_numbers(step) + trades.heard_numbers(step), trades.most_numbers());
    }
  }
}

TEST(TradeSizes, EveryPartyLearnsWhatItHoldsBeforeEveryPhase) {
  std::mt19937_64 random(1);
  for (std::size_t parties = 1; parties <= 33; ++parties) {
    SCOPED_TRACE(parties);
    const TradeOracle oracle = TradeOracle::random(parties, 1, random);
    const std::vector<Trades> all = all_told(oracle);
    for (std::size_t party = 0; party < oracle.traders(); ++party) expect_held(oracle, all[party], party);
    for (const Trades& trades : all) expect_loads(trades);
  }
}

TEST(TradeSizes, RoundsDoNotMix) {
  const std::uint64_t seed = layout::test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 30; ++i) {
    const auto rounds = static_cast<std::int64_t>(random() % 5);
    const TradeOracle oracle = TradeOracle::random(1 + random() % 40, rounds, random);
    SCOPED_TRACE(std::to_string(oracle.parties()) + " parties, " + std::to_string(rounds) + " rounds");
    const std::vector<Trades> all = all_told(oracle);
    for (std::size_t party = 0; party < oracle.traders(); ++party) expect_held(oracle, all[party], party);
    for (const Trades& trades : all) expect_loads(trades);
  }
}

// The paper's example: x has N_x entries, which P ranks hold cyclically, B_x = 1. The file is cut in P chunks of N_x /
// P, and a rank has as many entries of each.
class PaperVector {
 public:
  PaperVector(std::size_t ranks, std::int64_t entries) : ranks_(ranks), entries_(entries) {
    TradeOracle oracle(ranks, 1);
    for (std::size_t chunk = 0; chunk < ranks; ++chunk) {
      for (std::size_t rank = 0; rank < ranks; ++rank) oracle.set(chunk, rank, entries / square(ranks));
    }
    all_ = all_told(oracle);
  }

  const Trades& of(std::size_t rank) const { return all_[rank]; }
  std::int64_t half() const { return entries_ / (2 * static_cast<std::int64_t>(ranks_)); }  // N_x / (2 P)
  // Where in the file the rank writes what it holds in the end.
  std::int64_t file_offset(std::size_t rank) const {
    std::size_t chunk = 0;
    for (const Trades::Step& step : all_[rank].steps()) chunk += step.kept.begin;
    return static_cast<std::int64_t>(chunk) * 2 * half();
  }
  // The paper's layout, in which nothing that is kept moves: a rank's own entries stand behind what it gets from lower
  // partners, and what it gets from a partner in the order of the partners.
  std::int64_t alloc_offset(std::size_t rank) const {
    return half() * std::ranges::count(all_[rank].steps(), false, &Trades::Step::first);
  }
  std::int64_t receive_offset(std::size_t rank, std::size_t phase) const {
    const auto& steps = all_[rank].steps();
    const int partner = steps[phase].partner;
    const auto lower = std::ranges::count_if(steps, [&](const auto& step) { return partner > step.partner; });
    return half() * lower + (partner > static_cast<int>(rank) ? 2 * half() : 0);
  }

 private:
  static std::int64_t square(std::size_t ranks) { return static_cast<std::int64_t>(ranks * ranks); }

  std::size_t ranks_;
  std::int64_t entries_;
  std::vector<Trades> all_;
};

// Equations 1 and 2.
TEST(TradeSizes, EveryPhaseMovesHalfOfWhatARankHas) {
  for (const std::size_t ranks : {2U, 4U, 8U, 16U, 64U}) {
    const auto phases = static_cast<std::size_t>(std::bit_width(ranks - 1));
    const PaperVector vector(ranks, static_cast<std::int64_t>(ranks * ranks) * 6);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const Trades& trades = vector.of(rank);
      ASSERT_EQ(trades.steps().size(), phases);
      std::int64_t taken = 0;
      for (std::size_t phase = 0; phase < phases; ++phase) {
        EXPECT_EQ(trades.load(phase, 0).given, vector.half());
        EXPECT_EQ(trades.load(phase, 0).taken, vector.half());
        taken += trades.load(phase, 0).taken;
      }
      EXPECT_EQ(taken, static_cast<std::int64_t>(phases) * vector.half());
    }
  }
}

// Equation 1 for any number of ranks: nobody has more steps, and somebody has as many.
TEST(TradeSizes, StepsAreTheLogarithmRoundedUp) {
  for (std::size_t parties = 1; parties <= 200; ++parties) {
    std::size_t most = 0;
    for (std::size_t party = 0; party < parties; ++party)
      most = std::max(most, TradeOracle(parties, 1).trades_of(party).steps().size());
    EXPECT_EQ(most, static_cast<std::size_t>(std::bit_width(parties - 1))) << parties;
  }
}

TEST(TradeSizes, Tables1And3And4OfThePaper) {
  const PaperVector vector(4, 16);
  const auto of_all = [](auto value) { return std::vector{value(0U), value(1U), value(2U), value(3U)}; };
  using Row = std::vector<std::int64_t>;
  EXPECT_EQ(of_all([&](std::size_t rank) { return vector.alloc_offset(rank); }), (Row{0, 2, 2, 4}));
  EXPECT_EQ(of_all([&](std::size_t rank) { return vector.receive_offset(rank, 0); }), (Row{4, 0, 6, 2}));
  EXPECT_EQ(of_all([&](std::size_t rank) { return vector.receive_offset(rank, 1); }), (Row{6, 6, 0, 0}));
  EXPECT_EQ(of_all([&](std::size_t rank) { return vector.file_offset(rank); }), (Row{0, 8, 4, 12}));
}

TEST(TradeSizes, Table2OfThePaper) {
  const PaperVector vector(8, 64);
  const std::vector<std::vector<int>> partners = {
      {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}};
  for (std::size_t phase = 0; phase < partners.size(); ++phase) {
    for (std::size_t rank = 0; rank < 8; ++rank)
      EXPECT_EQ(vector.of(rank).steps()[phase].partner, partners[phase][rank])
          << "phase " << phase << ", rank " << rank;
  }
}

TEST(TradeSizes, PartnersMeetOnceAndInEveryPhase) {
  for (std::size_t parties = 1; parties <= 70; ++parties) {
    const TradeOracle oracle(parties, 1);
    for (std::size_t party = 0; party < parties; ++party) {
      const Trades trades = oracle.trades_of(party);
      std::size_t expected = static_cast<std::size_t>(oracle.phases());
      if (party >= oracle.traders()) expected = 1;
      if (party + oracle.traders() < parties) ++expected;
      EXPECT_EQ(trades.steps().size(), expected) << "party " << party << " of " << parties;
    }
  }
}

// The order that the lower partner's part before the upper one's comes to.
TEST(TradeSizes, BlocksOfABundleStandInTheOrderOfTheirPlaces) {
  for (std::size_t parties = 1; parties <= 40; ++parties) {
    const std::size_t traders = Trades::traders_of(parties);
    std::vector<std::vector<std::size_t>> order(parties);  // of the parties in each one's bundles
    for (std::size_t party = 0; party < parties; ++party) order[party] = {party};
    for (std::size_t party = traders; party < parties; ++party) order[party - traders].push_back(party);
    for (std::size_t bit = 1; bit < traders; bit *= 2) {
      for (std::size_t party = 0; party < traders; ++party) {
        if ((party & bit) != 0) continue;
        order[party].insert(order[party].end(), order[party | bit].begin(), order[party | bit].end());
        order[party | bit] = order[party];
      }
    }
    const auto place = [&](std::size_t party) { return Trades::place_in_bundle(party, parties); };
    EXPECT_EQ(order[0].size(), parties);
    EXPECT_TRUE(std::ranges::is_sorted(order[0], {}, place)) << parties;
  }
}

// Sizes that can be added up without looking at every block: party p has p + 1 bytes and the chunk's number.
class Model {
 public:
  explicit Model(std::size_t parties) : parties_(parties), traders_(Trades::traders_of(parties)) {}

  // Before a phase, of a trader.
  std::int64_t held(std::size_t phase, std::size_t holder, std::size_t chunk) const {
    const std::size_t begin = holder >> phase << phase;
    const std::size_t end = begin + (std::size_t{1} << phase);
    const std::size_t above_begin = std::min(begin + traders_, parties_);
    const std::size_t above_end = std::min(end + traders_, parties_);
    return range(begin, end, chunk) + range(above_begin, above_end, chunk);
  }
  std::int64_t range(std::size_t begin, std::size_t end, std::size_t chunk) const {
    return static_cast<std::int64_t>((begin + 1 + end) * (end - begin) / 2 + chunk * (end - begin));
  }

 private:
  std::size_t parties_;
  std::size_t traders_;
};

struct Effort {
  std::size_t bytes_heard = 0;
  std::size_t steps = 0;    // numbers that are read or written, told, heard and in one round of data
  std::size_t numbers = 0;  // that are kept
};

// One party's part, its partners' told by the model. Ends with its chunk's total.
Effort run(std::size_t parties, std::size_t party) {
  const Model model(parties);
  const std::size_t traders = Trades::traders_of(parties);
  Trades trades = TradeOracle(parties, 1).trades_of(party);
  for (std::size_t chunk = 0; chunk < traders; ++chunk) trades.own(0)[chunk] = model.range(party, party + 1, chunk);
  const std::size_t first_phase = trades.steps().size() - static_cast<std::size_t>(std::countr_zero(traders));
  Effort effort;
  std::size_t first_chunk = 0;
  for (std::size_t step = 0; step < trades.steps().size(); ++step) {
    const Trades::Step& now = trades.steps()[step];
    const Numbers given = told(trades, step);
    first_chunk += now.kept.begin;
    Numbers taken;
    for (std::size_t i = 0; i < now.kept.count(); ++i) {
      const auto partner = static_cast<std::size_t>(now.partner);
      taken.push_back(step < first_phase ? model.range(partner, partner + 1, first_chunk + i)
                                         : model.held(step - first_phase, partner, first_chunk + i));
    }
    trades.hear(step, taken);
    effort.bytes_heard += taken.size() * sizeof(std::int64_t);
    effort.numbers += trades.held(step, 0).size();
    // Told and heard; then, in a round, added up twice, and two copies for each chunk that is kept.
    effort.steps += given.size() + taken.size();
    effort.steps += trades.held(step, 0).size() + trades.held(step + 1, 0).size() + 2 * taken.size();
  }
  if (party < traders) {
    const auto end = trades.held(trades.steps().size(), 0);
    EXPECT_EQ(end.size(), 1U);
    EXPECT_EQ(end[0], model.range(0, parties, first_chunk)) << "party " << party;
  }
  return effort;
}

TEST(TradeSizes, WithManyPartiesEachHearsAndWalksWithinFourTimesPLogP) {
  for (const std::size_t parties : {1024U, 16384U, 20000U, 32767U}) {
    const std::size_t limit = 4 * parties * static_cast<std::size_t>(std::bit_width(parties - 1));
    Effort most;
    for (std::size_t party : {std::size_t{0}, std::size_t{1}, parties / 3, parties / 2, parties - 1}) {
      const Effort effort = run(parties, party);
      most.bytes_heard = std::max(most.bytes_heard, effort.bytes_heard);
      most.steps = std::max(most.steps, effort.steps);
      most.numbers = std::max(most.numbers, effort.numbers);
    }
    EXPECT_LE(most.bytes_heard, limit) << parties;
    EXPECT_LE(most.steps, limit) << parties;
    EXPECT_LE(most.numbers, 3 * parties);
    std::printf("%zu parties: %zu bytes heard, %zu steps, %zu numbers kept; 4 P log2(P) = %zu\n", parties,
                most.bytes_heard, most.steps, most.numbers, limit);
  }
}

}  // namespace
}  // namespace weir::exec

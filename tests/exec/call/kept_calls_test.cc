// Which call ranks find again, from what each of them knows alone.
#include "exec/call/kept_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace weir::exec {
namespace {

constexpr CallCode kWrite = {CallKind::kAccess, Direction::kWrite, Positioning::kExplicit};
constexpr CallCode kRead = {CallKind::kAccess, Direction::kRead, Positioning::kExplicit};

// A rank's request for `bytes` bytes from `begin` on; what it wants of them is `structure`.
plan::AccessSummary summary(std::int64_t begin, std::int64_t bytes, std::uint64_t structure = 1) {
  if (bytes == 0) return {};
  return {{begin, begin + bytes}, bytes, 1, structure, begin};
}

// Some ranks, and what they keep.
class Ranks {
 public:
  using Requests = std::vector<plan::AccessSummary>;

  explicit Ranks(std::size_t count) : kept_(count), held_(count) { use(std::make_shared<const plan::Facts>()); }

  void use(const std::shared_ptr<const plan::Facts>& facts) {
    facts_ = facts;
    for (KeptCalls& kept : kept_) kept.use(facts);
  }
  void unit(std::int64_t bytes) { unit_ = bytes; }

  // Keeps a call for these requests on all ranks.
  void keep(const Requests& requests, CallCode call = kWrite, bool hold = false) {
    for (std::size_t rank = 0; rank < kept_.size(); ++rank) {
      auto made = std::make_shared<KeptCall>();
      made->asked = asked(requests[rank], call);
      auto plan = std::make_shared<plan::Plan>();
      plan->method = plan::Method::kTwoPhase;
      plan->round_size = {unit_, unit_};
      made->plan = plan;
      kept_[rank].keep(made);
      if (hold) held_[rank].call = made;
    }
  }

  // The number of the call that all ranks find, and by what distance; 0 when they find none.
  struct Found {
    std::int64_t number = 0;
    std::int64_t distance = 0;
    bool operator==(const Found&) const = default;
  };
  Found find(const Requests& requests, CallCode call = kWrite, bool held = false) {
    KeptCalls::Offer combined;
    combined.fill(std::numeric_limits<std::int64_t>::max());
    for (std::size_t rank = 0; rank < kept_.size(); ++rank) {
      const KeptCalls::Offer offer = kept_[rank].offer(asked(requests[rank], call), held ? &held_[rank] : nullptr);
      for (std::size_t i = 0; i < offer.size(); ++i) combined[i] = std::min(combined[i], offer[i]);
    }
    std::vector<Found> found;
    for (std::size_t rank = 0; rank < kept_.size(); ++rank) {
      const auto call_of_rank = kept_[rank].find(combined, held ? &held_[rank] : nullptr);
      found.push_back(call_of_rank ? Found{call_of_rank->call->number, call_of_rank->distance} : Found());
    }
    EXPECT_EQ(std::count(found.begin(), found.end(), found[0]), std::ssize(found)) << "ranks find different calls";
    return found[0];
  }

 private:
  Asked asked(const plan::AccessSummary& request, CallCode call) const { return {call, false, facts_, request}; }

  std::vector<KeptCalls> kept_;
  std::vector<HeldCall> held_;
  std::shared_ptr<const plan::Facts> facts_;
  std::int64_t unit_ = 1;
};

using Found = Ranks::Found;

TEST(KeptCalls, TheSameIsFoundAlsoFurtherOn) {
  Ranks ranks(3);
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(16, 8)}), Found());
  ranks.keep({summary(0, 8), summary(8, 8), summary(16, 8)});
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(16, 8)}), (Found{1, 0}));
  EXPECT_EQ(ranks.find({summary(100, 8), summary(108, 8), summary(116, 8)}), (Found{1, 100}));
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(16, 8, 2)}), Found()) << "another structure";
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(17, 8)}), Found()) << "not by the same distance";
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(0, 0)}), Found()) << "one rank wants nothing";
  EXPECT_EQ(ranks.find({summary(0, 8), summary(8, 8), summary(16, 8)}, kRead), Found()) << "the other direction";
}

TEST(KeptCalls, WhoWantsNothingFollowsTheOthers) {
  Ranks ranks(2);
  ranks.keep({summary(0, 8), summary(0, 0)});
  EXPECT_EQ(ranks.find({summary(64, 8), summary(0, 0)}), (Found{1, 64}));
  ranks.keep({summary(0, 0), summary(0, 0)});
  EXPECT_EQ(ranks.find({summary(0, 0), summary(0, 0)}), (Found{2, 0}));
}

// Each rank alone would take the latest that fits it; together they have only one.
TEST(KeptCalls, TheOneThatFitsAllIsFound) {
  Ranks ranks(2);
  ranks.keep({summary(0, 8), summary(8, 8)});
  ranks.keep({summary(0, 8), summary(8, 9)});
  ranks.keep({summary(0, 7), summary(8, 8)});
  EXPECT_EQ(ranks.find({summary(10, 8), summary(18, 8)}), (Found{1, 10}));
  EXPECT_EQ(ranks.find({summary(10, 8), summary(18, 9)}), (Found{2, 10}));
  EXPECT_EQ(ranks.find({summary(10, 7), summary(18, 9)}), Found());
}

TEST(KeptCalls, FailuresFindNothing) {
  Ranks ranks(2);
  plan::AccessSummary failed = summary(8, 8);
  ranks.keep({summary(0, 8), failed});
  failed.failed = 1;
  EXPECT_EQ(ranks.find({summary(0, 8), failed}), Found());
  failed.failed = 0;
  failed.move_failed = 1;
  EXPECT_EQ(ranks.find({summary(0, 8), failed}), Found());
}

TEST(KeptCalls, PlansMoveByWhatFitsThem) {
  Ranks ranks(1);
  ranks.unit(4096);
  ranks.keep({summary(0, 8)});
  EXPECT_EQ(ranks.find({summary(8192, 8)}), (Found{1, 8192}));
  EXPECT_EQ(ranks.find({summary(8193, 8)}), Found());
}

TEST(KeptCalls, OtherFactsHideThemEqualOnesShowThem) {
  Ranks ranks(1);
  ranks.keep({summary(0, 8)});
  plan::Facts other;
  other.wishes.depth = 7;
  ranks.use(std::make_shared<const plan::Facts>(other));
  EXPECT_EQ(ranks.find({summary(0, 8)}), Found());
  ranks.use(std::make_shared<const plan::Facts>());
  EXPECT_EQ(ranks.find({summary(0, 8)}), (Found{1, 0}));
}

TEST(KeptCalls, TheOldestGoesUnlessItIsHeld) {
  Ranks ranks(2);
  ranks.keep({summary(0, 1000), summary(0, 1000)}, kWrite, true);
  for (std::int64_t bytes = 1; bytes <= std::int64_t{KeptCalls::kMost}; ++bytes) {
    ranks.keep({summary(0, bytes), summary(0, bytes)});
  }
  EXPECT_EQ(ranks.find({summary(0, 1), summary(0, 1)}), (Found{2, 0}));
  EXPECT_EQ(ranks.find({summary(0, 1000), summary(0, 1000)}), Found());
  EXPECT_EQ(ranks.find({summary(5, 1000), summary(5, 1000)}, kWrite, true), (Found{1, 5}));
}

// What is known of every rank is kept once, however many calls are.
TEST(KeptCalls, PlansShareTablesThatAreEqual) {
  KeptCalls kept;
  plan::Plan first;
  first.sharing_of = {0, 0, 1, 1};
  first.local_aggregator_of = {0, 0, 2, 2};
  auto call = std::make_shared<KeptCall>();
  call->plan = std::make_shared<plan::Plan>(first);
  kept.keep(call);
  plan::Plan second;
  second.sharing_of = {0, 0, 1, 1};
  second.local_aggregator_of = {0, 1, 2, 3};
  kept.share_tables(second);
  EXPECT_TRUE(second.sharing_of.shares(first.sharing_of));
  EXPECT_FALSE(second.local_aggregator_of.shares(first.local_aggregator_of));
  EXPECT_EQ(second.local_aggregator_of, (plan::RankTable{0, 1, 2, 3}));
}

}  // namespace
}  // namespace weir::exec

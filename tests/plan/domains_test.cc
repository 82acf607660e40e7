#include "plan/domains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace weir::plan {
namespace {

std::vector<Extent> extents_of(const std::vector<Domain>& domains) {
  std::vector<Extent> extents;
  for (const Domain& domain : domains) extents.push_back(domain.extent);
  return extents;
}

// The slow answer to what a domain holds.
bool holds(const Domain& domain, std::int64_t byte) {
  if (!domain.extent.contains(byte)) return false;
  if (domain.block_bytes == 0) return true;
  if (byte < domain.first_block) return false;
  return (byte - domain.first_block) % domain.stride_bytes < domain.block_bytes;
}

// The aggregators that own blocks of a group-cyclic region, in the order of their blocks' first appearance.
std::vector<int> owners_in_order(const std::vector<Domain>& domains, Extent region) {
  std::vector<int> owners;
  for (std::int64_t byte = region.begin; byte < region.end; ++byte) {
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (!holds(domains[i], byte)) continue;
      const int owner = static_cast<int>(i);
      if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
    }
  }
  return owners;
}

TEST(Domains, EvenOnesAreOfEqualSizeRoundedUp) {
  EXPECT_EQ(extents_of(make_domains({DomainKind::kEven, {10, 20}, 3, 4096, 1})),
            (std::vector<Extent>{{10, 14}, {14, 18}, {18, 20}}));
  EXPECT_EQ(extents_of(make_domains({DomainKind::kEven, {0, 12}, 4, 1, 1})),
            (std::vector<Extent>{{0, 3}, {3, 6}, {6, 9}, {9, 12}}));
  // Rounding up leaves nothing for the last.
  EXPECT_EQ(extents_of(make_domains({DomainKind::kEven, {0, 6}, 4, 1, 1})),
            (std::vector<Extent>{{0, 2}, {2, 4}, {4, 6}, {6, 6}}));
  EXPECT_EQ(extents_of(make_domains({DomainKind::kEven, {7, 8}, 3, 1, 1})),
            (std::vector<Extent>{{7, 8}, {8, 8}, {8, 8}}));
}

TEST(Domains, AlignedOnesHaveTheEvenBoundariesMovedToTheNearestMultiple) {
  // Even boundaries 34 and 67 of [1, 100), 10 apart: to 30 and 70.
  EXPECT_EQ(extents_of(make_domains({DomainKind::kAligned, {1, 100}, 3, 10, 1})),
            (std::vector<Extent>{{1, 30}, {30, 70}, {70, 100}}));
  // 5 lies in the middle between 0 and 10, and goes up; it may not leave the region.
  EXPECT_EQ(extents_of(make_domains({DomainKind::kAligned, {0, 10}, 2, 10, 1})),
            (std::vector<Extent>{{0, 10}, {10, 10}}));
  EXPECT_EQ(extents_of(make_domains({DomainKind::kAligned, {3, 7}, 2, 100, 1})), (std::vector<Extent>{{3, 3}, {3, 7}}));
}

TEST(Domains, EveryAlignedBoundaryIsTheNearestMultipleOfTheLockGranularity) {
  for (std::int64_t unit = 1; unit <= 9; ++unit) {
    for (std::int64_t end = 1; end <= 60; ++end) {
      const auto even = make_domains({DomainKind::kEven, {0, end}, 3, unit, 1});
      const auto aligned = make_domains({DomainKind::kAligned, {0, end}, 3, unit, 1});
      for (std::size_t i = 1; i < 3; ++i) {
        const std::int64_t boundary = aligned[i].extent.begin;
        const std::int64_t distance = std::abs(boundary - even[i].extent.begin);
        EXPECT_TRUE(boundary == end || boundary % unit == 0) << boundary << " of " << end << " by " << unit;
        EXPECT_LE(2 * distance, unit) << boundary << " of " << end << " by " << unit;
      }
    }
  }
}

TEST(Domains, StaticCyclicBlocksBelongToTheSameAggregatorInEveryCall) {
  for (std::int64_t begin = 0; begin < 40; ++begin) {
    const auto domains = make_domains({DomainKind::kStaticCyclic, {begin, 40}, 3, 4, 2});
    for (std::int64_t byte = begin; byte < 40; ++byte) {
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(holds(domains[i], byte), byte / 4 % 3 == std::int64_t(i)) << byte;
    }
  }
}

TEST(Domains, GroupsBeginAtTheAggregatorOfTheFirstBlock) {
  constexpr std::int64_t kLock = 10;
  const Extent region = {7 * kLock + 3, 7 * kLock + 16 * kLock};  // the first block is 7 modulo 8
  const auto domains = make_domains({DomainKind::kGroupCyclic, region, 8, kLock, 4});
  // Groups {7, 0, 1, 2} and {3, 4, 5, 6}, each with eight blocks in a row; blocks go to members of the same residue.
  EXPECT_EQ(owners_in_order(domains, region), (std::vector<int>{7, 0, 1, 2, 3, 4, 5, 6}));
  for (const std::size_t i : {7U, 0U, 1U, 2U}) EXPECT_EQ(domains[i].extent, (Extent{region.begin, 15 * kLock}));
  for (const std::size_t i : {3U, 4U, 5U, 6U}) EXPECT_EQ(domains[i].extent, (Extent{15 * kLock, region.end}));
}

TEST(Domains, GroupCyclicOnesAreStaticCyclicWithNoMoreAggregatorsThanServers) {
  for (int aggregators = 1; aggregators <= 4; ++aggregators) {
    for (int servers = aggregators; servers <= 5; ++servers) {
      const Extent region = {13, 97};
      EXPECT_EQ(make_domains({DomainKind::kGroupCyclic, region, aggregators, 4, servers}),
                make_domains({DomainKind::kStaticCyclic, region, aggregators, 4, servers}));
    }
  }
}

// All small requests of a kind.
template <typename Body>
void for_each_small_request(const Body& body) {
  for (const DomainKind kind :
       {DomainKind::kEven, DomainKind::kAligned, DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
    for (int aggregators = 1; aggregators <= 5; ++aggregators) {
      for (int servers = 1; servers <= 3; ++servers) {
        if (kind == DomainKind::kGroupCyclic && aggregators > servers && aggregators % servers != 0) continue;
        if (kind != DomainKind::kGroupCyclic && servers > 1) continue;  // no other kind looks at them
        for (std::int64_t lock_bytes = 1; lock_bytes <= 5; ++lock_bytes) {
          for (std::int64_t begin = 0; begin < 24; ++begin) {
            for (std::int64_t end = begin + 1; end <= 24; ++end) {
              body(DomainRequest{kind, {begin, end}, aggregators, lock_bytes, servers});
            }
          }
        }
      }
    }
  }
}

std::string text(const DomainRequest& request) {
  return std::string(name(request.kind)) + " [" + std::to_string(request.region.begin) + ", " +
         std::to_string(request.region.end) + ") A " + std::to_string(request.aggregators) + " g " +
         std::to_string(request.lock_bytes) + " S " + std::to_string(request.servers);
}

TEST(Domains, EveryByteOfTheRegionHasOneOwnerAndNoOtherByteAny) {
  for_each_small_request([](const DomainRequest& request) {
    const auto domains = make_domains(request);
    ASSERT_EQ(domains.size(), static_cast<std::size_t>(request.aggregators));
    for (std::int64_t byte = 0; byte < 30; ++byte) {
      const auto owners =
          std::count_if(domains.begin(), domains.end(), [&](const Domain& d) { return holds(d, byte); });
      ASSERT_EQ(owners, request.region.contains(byte) ? 1 : 0) << text(request) << " byte " << byte;
    }
  });
}

TEST(Domains, AnAggregatorOfAGroupCyclicDomainMeetsOneServerOnly) {
  for_each_small_request([](const DomainRequest& request) {
    if (request.kind != DomainKind::kGroupCyclic || request.aggregators <= request.servers) return;
    const auto domains = make_domains(request);
    for (std::size_t i = 0; i < domains.size(); ++i) {
      for (std::int64_t byte = request.region.begin; byte < request.region.end; ++byte) {
        if (!holds(domains[i], byte)) continue;
        ASSERT_EQ(byte / request.lock_bytes % request.servers, std::int64_t(i) % request.servers) << text(request);
      }
    }
  });
}

// What the windows of one domain do to a map of bytes: how often each is in a window, and where in the buffer.
void check_windows(const Domain& domain, RoundSize size, const std::string& what) {
  std::vector<int> covered(40, 0);
  for (std::int64_t round = 0; round < round_count(domain, size); ++round) {
    const Window window = window_of(domain, size, round);
    std::vector<bool> taken(static_cast<std::size_t>(size.window_bytes), false);
    std::int64_t bytes = 0;
    for (std::int64_t i = 0; i < window.count; ++i) {
      const Extent extent = window.extent(i);
      bytes += extent.bytes();
      for (std::int64_t byte = extent.begin; byte < extent.end; ++byte) {
        ASSERT_TRUE(holds(domain, byte)) << what << " round " << round << " byte " << byte;
        ++covered[static_cast<std::size_t>(byte)];
        const std::int64_t place = window.place(i) + byte - extent.begin;
        ASSERT_TRUE(place >= 0 && place < size.window_bytes) << what << " round " << round << " byte " << byte;
        ASSERT_FALSE(taken[static_cast<std::size_t>(place)]) << what << " round " << round << " byte " << byte;
        taken[static_cast<std::size_t>(place)] = true;
      }
    }
    ASSERT_EQ(window.bytes(), bytes) << what;
  }
  for (std::int64_t byte = 0; byte < 40; ++byte) {
    ASSERT_EQ(covered[static_cast<std::size_t>(byte)], holds(domain, byte) ? 1 : 0) << what << " byte " << byte;
  }
}

TEST(Domains, WindowsLieInTheirDomainCoverItOnceAndFitTheBuffer) {
  for_each_small_request([](const DomainRequest& request) {
    for (const Domain& domain : make_domains(request)) {
      for (const std::int64_t window_bytes : {1, 2, 3, 4, 7, 10, 64}) {
        check_windows(domain, {window_bytes, request.lock_bytes}, text(request));
      }
    }
  });
}

// Windows of contiguous domains meet at multiples of the unit: no page is touched in two rounds.
TEST(Domains, WindowsOfContiguousDomainsBeginAtMultiplesOfTheUnit) {
  const Domain domain = {{13, 71}};
  const RoundSize size = {20, 10};
  ASSERT_EQ(round_count(domain, size), 4);
  for (std::int64_t round = 1; round < 3; ++round) {
    EXPECT_EQ(window_of(domain, size, round).extent(0), (Extent{10 + 20 * round, 30 + 20 * round}));
  }
  EXPECT_EQ(window_of(domain, size, 0).extent(0), (Extent{13, 30}));
  EXPECT_EQ(window_of(domain, {15, 10}, 0).extent(0), (Extent{13, 28}));  // the buffer does not hold whole units
}

TEST(Domains, AMovedWindowIsTheSameElsewhere) {
  const Domain domain = {{13, 71}, 20, 5, 15};
  const RoundSize size = {10, 1};
  const Window window = window_of(domain, size, 1);
  const Window moved = window.moved(-13);
  ASSERT_EQ(moved.count, window.count);
  for (std::int64_t i = 0; i < window.count; ++i) {
    EXPECT_EQ(moved.extent(i), (Extent{window.extent(i).begin - 13, window.extent(i).end - 13}));
    EXPECT_EQ(moved.place(i), window.place(i));
  }
}

TEST(Domains, HugeRegionsDoNotOverflow) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const DomainKind kind :
       {DomainKind::kEven, DomainKind::kAligned, DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
    for (const int aggregators : {1, 4, 12}) {
      for (const Extent region : {Extent{0, kHuge}, Extent{12345, kHuge - 1}, Extent{kHuge - 100000, kHuge}}) {
        const auto domains = make_domains({kind, region, aggregators, 65536, 4});
        const RoundSize size = {1 << 24, 65536};
        Extent all;
        for (const Domain& domain : domains) {
          all = hull(all, domain.extent);
          const std::int64_t rounds = round_count(domain, size);
          if (rounds == 0) continue;
          const Window last = window_of(domain, size, rounds - 1);
          EXPECT_GT(last.bytes(), 0) << name(kind);
          EXPECT_LE(last.bytes(), size.window_bytes) << name(kind);
        }
        EXPECT_EQ(all, region) << name(kind);
      }
    }
  }
}

TEST(Domains, ContiguousOnesOfAHugeRegionAreDisjointAndCoverIt) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const DomainKind kind : {DomainKind::kEven, DomainKind::kAligned}) {
    std::int64_t at = 7;
    for (const Domain& domain : make_domains({kind, {7, kHuge}, 1000, 4096, 1})) {
      EXPECT_EQ(domain.extent.begin, at);
      at = domain.extent.end;
    }
    EXPECT_EQ(at, kHuge);
  }
}

}  // namespace
}  // namespace weir::plan

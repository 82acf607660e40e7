// Ranges of touched blocks, against looking at every byte.
#include "exec/stage/touched_blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace weir::exec {
namespace {

using Offsets = std::vector<std::int64_t>;

// Requests in a region that does not begin at a block, as an aggregator knows them.
struct Situation {
  plan::Plan plan;
  std::vector<Offsets> wanted;  // by rank, in offsets of the file

  // The schedule of one of the aggregators, with every second rank on another node.
  Schedule schedule(std::size_t aggregator) const {
    Schedule schedule;
    schedule.aggregator = aggregator;
    for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
      Offsets relative = wanted[rank];
      for (std::int64_t& offset : relative) offset -= plan.region.begin;
      const auto layout = layout::Layout::blocks(relative, Offsets(relative.size(), 1));
      const auto request = layout::RequestList::in_file(layout, layout::Memory::of(nullptr, std::ssize(relative)));
      if (rank % 2 == 0) {
        schedule.near_requests.push_back(request);
      } else {
        schedule.far_ranks.push_back({static_cast<int>(rank), static_cast<int>(rank), request, {}});
      }
    }
    return schedule;
  }

  bool owns(std::size_t aggregator, std::int64_t offset) const {
    const plan::Domain& domain = plan.domains[aggregator];
    if (!domain.extent.contains(offset)) return false;
    if (domain.block_bytes == 0) return true;
    return offset >= domain.first_block && (offset - domain.first_block) % domain.stride_bytes < domain.block_bytes;
  }

  // The slow answer: all ranges at or behind an offset, by block.
  std::vector<Extent> ranges(std::size_t aggregator, std::int64_t from) const {
    std::map<std::int64_t, Extent> by_block;
    for (const Offsets& of_rank : wanted) {
      for (const std::int64_t offset : of_rank) {
        if (offset < from || !owns(aggregator, offset)) continue;
        Extent& range = by_block[offset / plan.prefetch.block_bytes];
        range = hull(range, {offset, offset + 1});
      }
    }
    std::vector<Extent> all;
    for (const auto& [block, range] : by_block) all.push_back(range);
    return all;
  }
};

Situation draw(std::mt19937& random) {
  const auto below = [&](int most) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(most)); };
  Situation situation;
  plan::Plan& plan = situation.plan;
  const std::int64_t block = 1 + below(9);
  const std::int64_t begin = below(40);
  const int aggregators = 1 + static_cast<int>(below(4));
  plan.region = {begin, begin + 1 + below(120)};
  plan.prefetch = {1, block};
  plan.domain_kind = static_cast<plan::DomainKind>(below(4));
  plan.domains = plan::make_domains({plan.domain_kind, plan.region, aggregators, block, 1});
  situation.wanted.resize(1 + random() % 5);
  const std::int64_t rarely = 1 + below(12);
  for (Offsets& of_rank : situation.wanted) {
    for (std::int64_t offset = plan.region.begin; offset < plan.region.end; ++offset) {
      if (below(static_cast<int>(rarely)) == 0) of_rank.push_back(offset);
    }
  }
  return situation;
}

void check(const Situation& situation, std::size_t aggregator, std::mt19937& random) {
  const Schedule schedule = situation.schedule(aggregator);
  std::vector<Extent> room(TouchedBlocks::ranks_of(schedule));
  TouchedBlocks touched(situation.plan, schedule, room);
  std::int64_t from = 0;
  std::size_t left = situation.ranges(aggregator, 0).size() + 1;
  while (left-- > 0) {
    const std::vector<Extent> expected = situation.ranges(aggregator, from);
    const Extent found = touched.next(from);
    ASSERT_EQ(found, expected.empty() ? Extent{} : expected.front()) << "from " << from;
    if (found.empty()) return;
    // Mostly on to the next block; now and then over some bytes that are read without advice.
    from = random() % 4 == 0 ? found.begin + static_cast<std::int64_t>(random() % 20) : found.end;
    left += from < found.end ? 1 : 0;
  }
}

TEST(TouchedBlocks, AreOneRangeForEveryBlockThatSomebodyTouches) {
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    const Situation situation = draw(random);
    for (std::size_t aggregator = 0; aggregator < situation.plan.domains.size(); ++aggregator) {
      check(situation, aggregator, random);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "situation " << i << " of seed 11";
  }
}

TEST(TouchedBlocks, OfNobodyAreNone) {
  Situation situation;
  situation.plan.region = {0, 100};
  situation.plan.prefetch = {1, 10};
  situation.plan.domains = plan::make_domains({plan::DomainKind::kEven, {0, 100}, 1, 10, 1});
  const Schedule schedule = situation.schedule(0);
  EXPECT_EQ(TouchedBlocks(situation.plan, schedule, {}).next(0), Extent{});
}

}  // namespace
}  // namespace weir::exec

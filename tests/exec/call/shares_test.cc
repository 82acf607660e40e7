#include "exec/call/shares.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace weir::exec {
namespace {

using layout::Layout;

layout::RequestList request_of(const Layout& wanted) {
  const layout::FileView view(0, 1, wanted, wanted.span().end);
  return layout::RequestList::make(view, 0, layout::Memory::of(nullptr, wanted.data_bytes())).value();
}

plan::Plan plan_of(plan::DomainKind kind, Extent region, int aggregators, std::int64_t window_bytes) {
  plan::Plan plan;
  plan.method = plan::Method::kTwoPhase;
  plan.region = region;
  plan.aggregators.resize(static_cast<std::size_t>(aggregators));
  plan.domains = plan::make_domains({kind, region, aggregators, 8, 1});
  plan.round_size = {window_bytes, 1};
  for (const std::int64_t rounds : rounds_of(plan)) plan.rounds = std::max(plan.rounds, rounds);
  return plan;
}

// How many bytes of a layout lie in a window, byte by byte.
std::int64_t bytes_in(const layout::RequestList& requests, const plan::Window& window) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < requests.bytes(); ++i) {
    const std::int64_t offset = requests.view().file_offset(i);
    for (std::int64_t block = 0; block < window.count; ++block) bytes += window.extent(block).contains(offset) ? 1 : 0;
  }
  return bytes;
}

template <typename Body>
void for_each_plan(Extent region, const Body& body) {
  for (const plan::DomainKind kind : {plan::DomainKind::kEven, plan::DomainKind::kAligned,
                                      plan::DomainKind::kStaticCyclic, plan::DomainKind::kGroupCyclic}) {
    for (const int aggregators : {1, 2, 3}) {
      for (const std::int64_t window_bytes : {5, 8, 16, 100}) {
        body(plan_of(kind, region, aggregators, window_bytes));
      }
    }
  }
}

TEST(Shares, CountTheBytesInEveryWindow) {
  const layout::RequestList requests = request_of(Layout::repeat(9, 13, Layout::contiguous(5)).shifted(7));
  for_each_plan({0, 150}, [&](const plan::Plan& plan) {
    const RoundTable<Share> shares = shares_of(requests, plan, nullptr);
    std::int64_t all = 0;
    for (std::size_t a = 0; a < plan.domains.size(); ++a) {
      for (std::int64_t round = 0; round < plan::round_count(plan.domains[a], plan.round_size); ++round) {
        ASSERT_EQ(shares.at(a, round).bytes, bytes_in(requests, window_of(plan, a, round)));
        all += shares.at(a, round).bytes;
      }
    }
    ASSERT_EQ(all, requests.bytes());
  });
}

// Sums of ranks that together have every byte once are those of full windows; with a byte twice and one missing they
// are not, though the number of bytes is the same.
TEST(Shares, SumsTellATilingFromAnOverlapWithAHole) {
  const layout::Tiling tiling(12345);
  const layout::RequestList even = request_of(Layout::repeat(10, 10, Layout::contiguous(5)));
  const layout::RequestList odd = request_of(Layout::repeat(10, 10, Layout::contiguous(5)).shifted(5));
  const layout::RequestList wrong = request_of(Layout::repeat(10, 10, Layout::contiguous(5)).shifted(4));
  for_each_plan({0, 100}, [&](const plan::Plan& plan) {
    bool differs = false;
    for (std::size_t a = 0; a < plan.domains.size(); ++a) {
      for (std::int64_t round = 0; round < plan::round_count(plan.domains[a], plan.round_size); ++round) {
        const plan::Window window = window_of(plan, a, round);
        const std::uint64_t first = share_of(even, window, &tiling).sum;
        const std::uint64_t full = full_sum(window, tiling);
        ASSERT_EQ(layout::Tiling::add(first, share_of(odd, window, &tiling).sum), full);
        differs = differs || layout::Tiling::add(first, share_of(wrong, window, &tiling).sum) != full;
      }
    }
    ASSERT_TRUE(differs);
  });
}

TEST(Shares, OfARankWithoutBytesAreNothing) {
  const plan::Plan plan = plan_of(plan::DomainKind::kEven, {0, 100}, 2, 10);
  const layout::Tiling tiling(1);
  const RoundTable<Share> shares = shares_of(layout::RequestList(), plan, &tiling);
  for (const Share& share : shares.all()) {
    EXPECT_EQ(share.bytes, 0);
    EXPECT_EQ(share.sum, 0U);
  }
}

}  // namespace
}  // namespace weir::exec

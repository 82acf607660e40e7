#include "exec/call/structures.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "exec/call/shares.h"
#include "layout/encode.h"
#include "layout/type_tree.h"

namespace weir::exec {
namespace {

using layout::Layout;

constexpr std::int64_t kPieces = 1000000000;
constexpr std::int64_t kMostBytes = 4096;  // of structures, per rank

layout::TypeTree bytes() { return layout::make_type(layout::BasicKind::kByte); }

Layout layout_of(const layout::TypeTree& type) {
  Result<layout::SizedLayout> built = layout::build(*type, layout::Representation::native());
  EXPECT_TRUE(built.ok()) << built.status().text();
  return built.value().layout;
}

// A request for one instance of a layout; its memory is never looked at.
layout::RequestList request_of(const Layout& wanted) {
  const layout::FileView view(0, 1, wanted, wanted.span().end);
  return layout::RequestList::make(view, 0, layout::Memory::of(nullptr, wanted.data_bytes())).value();
}

plan::Plan plan_of(Extent region, int aggregators, plan::DomainKind kind) {
  plan::Plan plan;
  plan.method = plan::Method::kTwoPhase;
  plan.region = region;
  plan.aggregators.resize(static_cast<std::size_t>(aggregators));
  std::iota(plan.aggregators.begin(), plan.aggregators.end(), 0);
  plan.domain_kind = kind;
  plan.domains = plan::make_domains({kind, region, aggregators, 1 << 20, 4});
  return plan;
}

struct Pattern {
  std::string name;
  Layout wanted;
};

// Regular patterns of 10^9 pieces.
std::vector<Pattern> large_patterns() {
  using Kind = layout::Distribution::Kind;
  const auto vector = layout::make_type(layout::Vector{kPieces, 3, 7, bytes()});
  const auto subarray = layout::make_type(
      layout::Subarray{{1024, 1024, 1024, 8}, {1000, 1000, 1000, 4}, {5, 7, 11, 2}, layout::ArrayOrder::kC, bytes()});
  const auto darray = layout::make_type(layout::Darray{
      4, 1, {40000, 100000}, {{Kind::kCyclic, 1}, {Kind::kCyclic, 1}}, {2, 2}, layout::ArrayOrder::kC, bytes()});
  return {{"vector", layout_of(vector)}, {"subarray", layout_of(subarray)}, {"darray", layout_of(darray)}};
}

TEST(Structures, OfABillionRegularPiecesAreSmall) {
  for (const Pattern& pattern : large_patterns()) {
    ASSERT_EQ(pattern.wanted.piece_count(), kPieces) << pattern.name;
    const layout::RequestList requests = request_of(pattern.wanted);
    std::vector<std::byte> whole;
    layout::encode(pattern.wanted, whole);
    EXPECT_LT(whole.size(), 256U) << pattern.name;
    for (const plan::DomainKind kind :
         {plan::DomainKind::kEven, plan::DomainKind::kAligned, plan::DomainKind::kGroupCyclic}) {
      for (const int aggregators : {1, 4, 16}) {
        const plan::Plan plan = plan_of(requests.file_extent(), aggregators, kind);
        const Structures structures = structures_for(plan, requests, [](std::size_t) { return true; });
        EXPECT_LT(structures.packed_bytes(), kMostBytes)
            << pattern.name << " for " << aggregators << " aggregators with " << name(kind) << " domains";
      }
    }
  }
}

// What arrives says the same bytes as what was asked for, in offsets from the begin of the region.
TEST(Structures, SayTheSameBytesAfterTheJourney) {
  const Layout wanted = Layout::repeat(40, 23, Layout::contiguous(9)).shifted(1000);
  const layout::RequestList requests = request_of(wanted);
  for (int aggregators = 1; aggregators <= 5; ++aggregators) {
    const plan::Plan plan = plan_of({990, 2000}, aggregators, plan::DomainKind::kEven);
    const Structures structures = structures_for(plan, requests, [](std::size_t) { return true; });
    std::vector<std::byte> block(static_cast<std::size_t>(structures.packed_bytes()));
    structures.pack(block);
    for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
      std::span<const std::byte> packed = Structures::unpack(block.data(), a);
      const Extent positions = requests.positions_within(plan.domains[a].extent);
      if (positions.empty()) {
        EXPECT_TRUE(packed.empty());
        continue;
      }
      Result<Layout> arrived = layout::decode(packed);
      ASSERT_TRUE(arrived.ok()) << arrived.status().text();
      EXPECT_TRUE(packed.empty());
      EXPECT_EQ(arrived.value().data_bytes(), positions.bytes());
      EXPECT_EQ(arrived.value().first(), requests.view().file_offset(positions.begin) - 990);
    }
  }
}

TEST(Structures, OfNobodyWantedTakeNothing) {
  const layout::RequestList requests = request_of(Layout::contiguous(100));
  const plan::Plan plan = plan_of({0, 100}, 3, plan::DomainKind::kEven);
  EXPECT_EQ(structures_for(plan, requests, [](std::size_t) { return false; }).packed_bytes(), 0);
  const Structures one = structures_for(plan, requests, [](std::size_t a) { return a == 1; });
  std::vector<std::byte> block(static_cast<std::size_t>(one.packed_bytes()));
  one.pack(block);
  EXPECT_TRUE(Structures::unpack(block.data(), 0).empty());
  EXPECT_FALSE(Structures::unpack(block.data(), 1).empty());
}

}  // namespace
}  // namespace weir::exec

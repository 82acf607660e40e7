#include "plan/wishes.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "base/toggle.h"
#include "hints/table.h"

namespace weir::plan {

namespace {

// Several hints speak of the method; the most specific one wins.
std::optional<Method> method_of(const hints::HintSet& hints, Direction direction) {
  switch (hints.choice<hints::Method>(hints::Id::kWeirMethod)) {
    case hints::Method::kIndependent: return Method::kIndependent;
    case hints::Method::kTwoPhase: return Method::kTwoPhase;
    case hints::Method::kAuto: break;
  }
  const bool reading = direction == Direction::kRead;
  switch (hints.choice<Toggle>(reading ? hints::Id::kRomioCbRead : hints::Id::kRomioCbWrite)) {
    case Toggle::kEnable: return Method::kTwoPhase;
    case Toggle::kDisable: return Method::kIndependent;
    case Toggle::kAutomatic: break;
  }
  if (hints.choice<hints::LargeBlock>(hints::Id::kIbmLargeblockIo) == hints::LargeBlock::kTrue) {
    return Method::kIndependent;
  }
  const bool says = hints.has(hints::Id::kCollectiveBuffering);
  if (says && !hints.boolean(hints::Id::kCollectiveBuffering)) return Method::kIndependent;
  return std::nullopt;
}

std::optional<int> count_of(const hints::HintSet& hints, hints::Id id) {
  if (!hints.has(id)) return std::nullopt;
  return static_cast<int>(hints.integer(id));
}

std::optional<DomainKind> domains_of(hints::Domains domains) {
  switch (domains) {
    case hints::Domains::kEven: return DomainKind::kEven;
    case hints::Domains::kAligned: return DomainKind::kAligned;
    case hints::Domains::kStaticCyclic: return DomainKind::kStaticCyclic;
    case hints::Domains::kGroupCyclic: return DomainKind::kGroupCyclic;
    case hints::Domains::kAuto: break;
  }
  return std::nullopt;
}

std::optional<Exchange> exchange_of(hints::Exchange exchange) {
  switch (exchange) {
    case hints::Exchange::kShared: return Exchange::kShared;
    case hints::Exchange::kDirect: return Exchange::kDirect;
    case hints::Exchange::kPairwise: return Exchange::kPairwise;
    case hints::Exchange::kAuto: break;
  }
  return std::nullopt;
}

}  // namespace

Wishes wishes_of(const hints::HintSet& hints, Direction direction) {
  Wishes wishes;
  wishes.method = method_of(hints, direction);
  wishes.domains = domains_of(hints.choice<hints::Domains>(hints::Id::kWeirDomains));
  wishes.exchange = exchange_of(hints.choice<hints::Exchange>(hints::Id::kWeirExchange));
  const auto sparse = hints.choice<hints::Sparse>(hints::Id::kWeirSparse);
  if (sparse != hints::Sparse::kAuto) wishes.sparse = sparse == hints::Sparse::kTrue;
  wishes.aggregators = count_of(hints, hints::Id::kCbNodes);
  const auto merging = hints.choice<hints::Merge>(hints::Id::kWeirMerge);
  if (merging != hints::Merge::kAuto) wishes.merging = merging == hints::Merge::kTrue;
  wishes.local_aggregators = count_of(hints, hints::Id::kWeirLocalAggregators);
  wishes.most_window_bytes = hints.integer(hints::Id::kCbBufferSize);
  wishes.window_asked = hints.text(hints::Id::kCbBufferSize) != hints::row(hints::Id::kCbBufferSize).default_text;
  wishes.depth = count_of(hints, hints::Id::kWeirPipelineDepth);
  wishes.max_acc = hints.integer(hints::Id::kWeirMaxAcc);
  return wishes;
}

bool wants_agents(const hints::HintSet& hints) {
  switch (hints.choice<hints::LargeBlock>(hints::Id::kIbmLargeblockIo)) {
    case hints::LargeBlock::kFalse: return true;
    case hints::LargeBlock::kTrue: return false;
    case hints::LargeBlock::kAuto:
    case hints::LargeBlock::kSwitchable: break;
  }
  return hints.integer(hints::Id::kWeirAgents) > 0;
}

std::int64_t agent_block(const hints::HintSet& hints, std::int64_t lock_bytes, std::int64_t rank_memory_bytes) {
  constexpr std::int64_t kLeastBlock = 64;
  constexpr std::int64_t kFileSystemBlocks = 16;
  constexpr std::int64_t kBlocksOfAnAgent = 8;
  const std::int64_t block = hints.has(hints::Id::kIbmIoBufferSize)
                                 ? hints.integer(hints::Id::kIbmIoBufferSize)
                                 : std::min(kFileSystemBlocks * lock_bytes, rank_memory_bytes / kBlocksOfAnAgent);
  return round_up(std::max(block, kLeastBlock), kLeastBlock);
}

}  // namespace weir::plan

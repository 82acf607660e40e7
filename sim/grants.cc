#include "sim/grants.h"

#include <algorithm>

namespace weir::sim {

namespace {

GrantPtr make_grant(int node, Extent blocks) {
  return std::make_shared<Grant>(Grant{.node = node, .blocks = blocks, .used = {}});
}

}  // namespace

bool GrantTable::holds(int node, std::int64_t block) const {
  const GrantPtr grant = find(block);
  return grant != nullptr && grant->node == node;
}

Taken GrantTable::take(int node, std::int64_t block) {
  const Extent wanted{block, block + 1};
  Taken taken;
  taken.grant = find(block);
  if (taken.grant == nullptr) {
    taken.asked = true;
    taken.grant = make_grant(node, gap_around(block));
    insert(taken.grant);
  } else if (taken.grant->node != node) {
    taken.asked = true;
    taken.given_up = taken.grant;
    taken.grant = wrest(node, block, taken.given_up, taken.whole);
    insert(taken.grant);
  }
  taken.grant->used = hull(taken.grant->used, wanted);
  return taken;
}

std::vector<Grant> GrantTable::grants() const {
  std::vector<Grant> all;
  for (const auto& [begin, grant] : by_begin_) all.push_back(*grant);
  return all;
}

GrantPtr GrantTable::find(std::int64_t block) const {
  auto next = by_begin_.upper_bound(block);
  if (next == by_begin_.begin()) return nullptr;
  const GrantPtr& last = (--next)->second;
  return last->blocks.contains(block) ? last : nullptr;
}

Extent GrantTable::gap_around(std::int64_t block) const {
  const auto next = by_begin_.upper_bound(block);
  Extent gap{0, next == by_begin_.end() ? kEnd : next->first};
  if (next != by_begin_.begin()) gap.begin = std::prev(next)->second->blocks.end;
  return gap;
}

GrantPtr ServerExtents::wrest(int node, std::int64_t block, const GrantPtr& held, bool& whole) {
  remove(held);
  whole = true;
  return make_grant(node, gap_around(block));
}

GrantPtr Tokens::wrest(int node, std::int64_t block, const GrantPtr& held, bool& whole) {
  const Extent all = held->blocks;
  remove(held);
  Extent below{all.begin, block};
  Extent above{block + 1, all.end};
  Extent wanted{block, block + 1};
  if (held->used.empty() || block >= held->used.end) {
    wanted.end = all.end;
    above = {};
  } else if (block < held->used.begin) {
    wanted = {all.begin, held->used.begin};
    below = {};
    above = {held->used.begin, all.end};
  }
  whole = below.empty() && above.empty();
  for (const Extent& kept : {below, above}) {
    if (kept.empty()) continue;
    const Extent used = intersection(held->used, kept);
    insert(std::make_shared<Grant>(Grant{held->node, kept, used.empty() ? Extent{} : used, held->ready}));
  }
  return make_grant(node, wanted);
}

}  // namespace weir::sim

#include "sim/grants.h"

#include <algorithm>

namespace weir::sim {

namespace {

GrantPtr make_grant(int node, Extent blocks) {
  auto grant = std::make_shared<Grant>();
  grant->node = node;
  grant->blocks = blocks;
  return grant;
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
  } else {
    taken.grant = part_of(taken.grant, block);
  }
  taken.grant->used = hull(taken.grant->used, wanted);
  return taken;
}

// Where a node goes on elsewhere, what lies between is not used: its grant becomes two.
GrantPtr GrantTable::part_of(const GrantPtr& grant, std::int64_t block) {
  if (grant->used.empty() || (block >= grant->used.begin - 1 && block <= grant->used.end)) return grant;
  GrantPtr fresh = make_grant(grant->node, grant->blocks);
  fresh->ready = grant->ready;
  remove(grant);
  if (block > grant->used.end) {
    fresh->blocks.begin = block;
    grant->blocks.end = block;
  } else {
    fresh->blocks.end = grant->used.begin;
    grant->blocks.begin = grant->used.begin;
  }
  insert(grant);
  insert(fresh);
  return fresh;
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
  Extent wanted = gap_around(block);
  if (block >= held->used.end) wanted.begin = block;
  if (block < held->used.begin) wanted.end = std::min(wanted.end, held->used.begin);
  return make_grant(node, wanted);
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
    const GrantPtr left = make_grant(held->node, kept);
    left->used = used.empty() ? Extent{} : used;
    left->ready = held->ready;
    insert(left);
  }
  return make_grant(node, wanted);
}

}  // namespace weir::sim

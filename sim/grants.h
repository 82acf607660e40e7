// Lock protocols of file systems, as who holds which blocks. Blocks are numbered; no clock is needed here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/extent.h"
#include "sim/gate.h"

namespace weir::sim {

// How many use something, and what waits until nobody does.
class Users {
 public:
  void add() { ++count_; }
  void leave() {
    if (--count_ > 0) return;
    const std::vector<std::function<void()>> ready = std::exchange(waiting_, {});
    for (const auto& action : ready) action();
  }
  void when_none(std::function<void()> action) {
    if (count_ == 0) {
      action();
    } else {
      waiting_.push_back(std::move(action));
    }
  }

 private:
  int count_ = 0;
  std::vector<std::function<void()>> waiting_;
};

// Blocks that a node may write without asking.
struct Grant {
  int node = 0;
  Extent blocks;
  Extent used;  // the smallest extent of blocks that the node has written under it
  std::shared_ptr<Gate> ready = std::make_shared<Gate>();  // opened by who keeps time, when the node has it
  Users users = {};                                        // system calls that need it, by who keeps time
};
using GrantPtr = std::shared_ptr<Grant>;

// What became of a wish to write a block.
struct Taken {
  GrantPtr grant;      // of the node that asked, now
  GrantPtr given_up;   // what another node had to give up the block of, if one had it
  bool asked = false;  // the manager had to be asked
  bool whole = false;  // the other node gave up all of its grant, else a part
};

class GrantTable {
 public:
  static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

  virtual ~GrantTable() = default;

  // Whether `node` may write `block` without asking.
  bool holds(int node, std::int64_t block) const;
  // Node `node` is about to write `block`.
  Taken take(int node, std::int64_t block);

  // All grants, ascending, none overlapping.
  std::vector<Grant> grants() const;

 protected:
  GrantTable() = default;

  // The grant that `block` is to be in, where another node's `held` contains it. Leaves in the table what that node
  // keeps; `whole` says that it keeps nothing.
  virtual GrantPtr wrest(int node, std::int64_t block, const GrantPtr& held, bool& whole) = 0;

  void insert(const GrantPtr& grant) { by_begin_[grant->blocks.begin] = grant; }
  void remove(const GrantPtr& grant) { by_begin_.erase(grant->blocks.begin); }
  // The largest extent around `block` that no grant overlaps. REQUIRES: none contains it.
  Extent gap_around(std::int64_t block) const;

 private:
  GrantPtr find(std::int64_t block) const;
  GrantPtr part_of(const GrantPtr& grant, std::int64_t block);

  std::map<std::int64_t, GrantPtr> by_begin_;
};

// The stripes of one server (Lustre). A grant grows to the largest extent that conflicts with no other; where one does,
// its holder is called back and gives all of it up. Whoever comes behind all that the holder has used gets what is from
// its block on, whoever comes before that what is up to there: the holder can have the rest again.
class ServerExtents : public GrantTable {
 protected:
  GrantPtr wrest(int node, std::int64_t block, const GrantPtr& held, bool& whole) override;
};

// The blocks of a file (GPFS). The first writer gets all of them. One that comes later gets those that the holder does
// not use: from its block on to the end of the grant, or all before the first that the holder has used. In the midst of
// what is used, its block alone.
class Tokens : public GrantTable {
 protected:
  GrantPtr wrest(int node, std::int64_t block, const GrantPtr& held, bool& whole) override;
};

}  // namespace weir::sim

// Plans for a few ranks with a few bytes each, and where every byte has to be, counted one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/comm.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "exec/stage/stores.h"
#include "layout/request_list.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::exec {

// The window that a byte of the file is in, and its place in the buffer.
struct Landing {
  std::size_t aggregator = 0;
  std::int64_t round = 0;
  std::int64_t place = 0;
};

// What all ranks ask for, and a plan for it that goes through aggregators.
class SmallPlan {
 public:
  using Offsets = std::vector<std::int64_t>;

  // `offsets` are those of each byte that a rank asks for, ascending, by rank. Fails the test when the plan leaves a
  // byte of its region out, or has one in two windows.
  SmallPlan(const plan::Facts& facts, std::vector<Offsets> offsets);

  const plan::Plan& plan() const { return plan_; }
  const std::vector<plan::AccessSummary>& summaries() const { return summaries_; }
  int ranks() const { return static_cast<int>(offsets_.size()); }
  const Offsets& offsets(int rank) const { return offsets_[static_cast<std::size_t>(rank)]; }
  const Landing& landing(std::int64_t offset) const {
    return landings_[static_cast<std::size_t>(offset - plan_.region.begin)];
  }

  // Whether two ranks meet in memory.
  bool near(int rank, int other) const;
  bool several_groups() const;
  int local_aggregator_of(int rank) const { return plan_.local_aggregator_of[static_cast<std::size_t>(rank)]; }
  // The rank that other groups take a rank's bytes to be of: its local aggregator where requests are merged.
  bool merged() const { return plan_.merging == plan::Merging::kOn; }
  int sender_of(int rank) const { return merged() ? local_aggregator_of(rank) : rank; }
  // How many bytes the rank has in a window.
  std::int64_t bytes(int rank, std::size_t aggregator, std::int64_t round) const {
    return bytes_[static_cast<std::size_t>(rank)].at(aggregator, round);
  }

  // A rank's request, to or from `memory`. REQUIRES as many bytes.
  layout::RequestList request(int rank, const layout::Memory& memory) const;
  std::string text() const;

 private:
  void find_landings();
  void count_bytes();

  std::vector<Offsets> offsets_;
  std::vector<plan::AccessSummary> summaries_;
  plan::Plan plan_;
  std::vector<Landing> landings_;                // of each byte of the region
  std::vector<RoundTable<std::int64_t>> bytes_;  // by rank
};

// How ranks lie on nodes.
struct Nodes {
  int ranks = 1;
  int ranks_per_node = 1;
};
// One to six ranks on nodes of one, two and three.
std::vector<Nodes> small_nodes();

// Every number of aggregators with every exchange, sparse and dense, merged and not. Domains, windows, local
// aggregators, rounds in flight and requests (that tile the region; with holes and overlaps, also of equal size; with
// ranks that have nothing) change from one to the next. Under a sanitizer and by rendezvous, some of these (effort.h).
std::vector<SmallPlan> small_plans(const Nodes& nodes, Direction direction);

// One rank's part in a call with a small plan.
class SmallRank {
 public:
  // COLLECTIVE. REQUIRES memory for as many bytes as the rank asks for.
  SmallRank(comm::Comm& with, const SmallPlan& small, const layout::Memory& memory);
  // With memory that is never looked at.
  SmallRank(comm::Comm& with, const SmallPlan& small);

  // COLLECTIVE.
  Result<Schedule> inspect();

  comm::Comm& comm;
  const SmallPlan& planned;
  const layout::RequestList requests;
  std::unique_ptr<ShareGroup> group;
  Stores stores;
  trace::Counters counters;
};

}  // namespace weir::exec

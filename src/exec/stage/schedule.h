// Schedule: what one rank does in each round of a plan. Made once by all ranks together, and used again for every call
// that asks for the same bytes, wherever in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/stage/buffers.h"
#include "exec/stage/merged_places.h"
#include "exec/stage/mover.h"
#include "exec/stage/trades.h"
#include "layout/request_list.h"
#include "plan/merging.h"
#include "plan/plan.h"

namespace weir::exec {

// A value for every aggregator and round.
template <typename T>
class RoundTable {
 public:
  RoundTable() = default;
  RoundTable(std::size_t aggregators, std::int64_t rounds)
      : rounds_(static_cast<std::size_t>(rounds)), values_(aggregators * rounds_) {}

  T& at(std::size_t aggregator, std::int64_t round) {
    return values_[aggregator * rounds_ + static_cast<std::size_t>(round)];
  }
  const T& at(std::size_t aggregator, std::int64_t round) const {
    return values_[aggregator * rounds_ + static_cast<std::size_t>(round)];
  }
  std::span<const T> all() const { return values_; }
  std::span<T> all() { return values_; }

 private:
  std::size_t rounds_ = 0;
  std::vector<T> values_;
};

// Values of each round, added round by round.
template <typename T>
class RoundLists {
 public:
  void reserve(std::int64_t rounds, std::size_t values) {
    end_.reserve(static_cast<std::size_t>(rounds));
    values_.reserve(values);
  }
  void add(const T& value) { values_.push_back(value); }
  void end_round() { end_.push_back(values_.size()); }
  // REQUIRES a round that has ended.
  std::span<const T> of(std::int64_t round) const {
    const auto index = static_cast<std::size_t>(round);
    const std::size_t begin = index == 0 ? 0 : end_[index - 1];
    return std::span(values_).subspan(begin, end_[index] - begin);
  }

 private:
  std::vector<std::size_t> end_;
  std::vector<T> values_;
};

// What a rank has in one window.
struct Share {
  std::int64_t bytes = 0;
  std::uint64_t sum = 0;  // layout::Tiling of these bytes, exponents counting places in the window; 0 when reading
};

// A message: the bytes that one local aggregator's ranks and one aggregator have for each other in a round. Merged,
// they are in file order, each once; else rank after rank, each in file order. Before them stands where in the file the
// data ends.
struct Parcel {
  static constexpr std::int64_t kHeaderBytes = 8;
  int peer = 0;            // whom it goes to or comes from
  std::int64_t begin = 0;  // in the buffer, with its header
  std::int64_t bytes = 0;  // of data
  // Of an aggregator: the far ranks from the first to the last that has bytes in it.
  std::size_t far_begin = 0;
  std::size_t far_end = 0;
};

// A rank whose bytes an aggregator gets by messages; merged, a local aggregator with those of all its ranks.
struct FarRank {
  int rank = 0;
  int local_aggregator = 0;
  layout::RequestList requests;  // offsets count from the begin of the plan's region; memory is set round by round
  Extent extent = {};            // that holds them
};

struct ParcelPlace {
  std::int64_t parcel = 0;  // where in the local aggregator's buffer the parcel begins
  std::int64_t mine = 0;    // and this rank's bytes in it; merged, those of all ranks
};

// A round in which a rank has bytes for an aggregator that shares no memory with it.
struct Visit {
  std::size_t aggregator = 0;
  ParcelPlace place;
};

struct Schedule {
  std::optional<std::size_t> aggregator;  // this rank's number as aggregator
  std::vector<std::int64_t> rounds;       // of each aggregator
  std::vector<std::size_t> near;          // the aggregators that share memory with this rank
  RoundTable<std::int64_t> near_bytes;    // that this rank has for each of these
  std::size_t own_place = 0;              // of this rank among them, if it is an aggregator
  RoundLists<Visit> visits;               // of this rank to all others; empty when it meets all aggregators in memory
  Berths berths;
  bool dense = false;  // all meet in every round, and parcels are sent without bytes, too
  plan::Pairs pairs;   // of all ranks

  // Where this rank's bytes stand in merged parcels; null where these are not merged. Calls use it one after the other.
  std::shared_ptr<MergedPlaces> merged;
  // What merging found: all local aggregators together, and this one, if it is one.
  plan::MergeCounts merge_counts;
  layout::PieceCounts own_pieces;

  // As local aggregator, for each round: the parcels, and how many ranks have a part in them.
  std::vector<std::vector<Parcel>> parcels;
  std::vector<int> parcel_users;

  // As aggregator, for each round: how many ranks of its group meet in the window, how many bytes there are in all,
  // and whether they have to be marked because they do not tile the window; parcels from and to other groups.
  std::vector<int> window_users;
  std::vector<std::int64_t> window_bytes;
  std::vector<bool> window_marked;
  std::vector<std::vector<Parcel>> freight;
  std::vector<FarRank> far_ranks;  // by local aggregator, then by rank; for pairwise exchange, in a bundle's order

  // Where reads prefetch: the requests of its own group's ranks, as those of far ranks.
  std::vector<layout::RequestList> near_requests;

  // What walks the requests of far_ranks; calls use them one after the other.
  std::shared_ptr<std::vector<Mover>> far_movers = std::make_shared<std::vector<Mover>>();

  // For pairwise exchange, as local aggregator; parcels and freight have no gaps then.
  Trades trades;

  std::int64_t parcel_buffer_bytes = 0;  // the largest round of any local aggregator
  std::int64_t most_message_bytes = 0;   // the largest round of any local aggregator or aggregator; 0 for trades
  // The largest round of this aggregator; for pairwise exchange, what one buffer of this trader's has to hold.
  std::int64_t freight_buffer_bytes = 0;

  // This rank's bytes in its own window. REQUIRES an aggregator.
  std::int64_t own_bytes(std::int64_t round) const { return near_bytes.at(own_place, round); }
};

// Whether a rank comes to an aggregator's window: when it has bytes there; in dense mode always; the aggregator itself
// always.
inline bool meets(const Schedule& schedule, const plan::Plan& plan, int rank, std::size_t aggregator,
                  std::int64_t bytes) {
  return bytes > 0 || schedule.dense || plan.aggregators[aggregator] == rank;
}

inline plan::Window window_of(const plan::Plan& plan, std::size_t aggregator, std::int64_t round) {
  return plan::window_of(plan.domains[aggregator], plan.round_size, round);
}

}  // namespace weir::exec

// Schedule: what one rank does in each round of a plan. Made once by all ranks together, and used again for every call
// that asks for the same bytes, wherever in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exec/stage/mover.h"
#include "layout/request_list.h"
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

// What a rank has in one window.
struct Share {
  std::int64_t bytes = 0;
  std::uint64_t sum = 0;  // layout::Tiling of these bytes, exponents counting places in the window; 0 when reading
};

// A message: the bytes that one local aggregator's ranks and one aggregator have for each other in a round, rank after
// rank, each in file order. Before them stands where in the file the data ends.
struct Parcel {
  static constexpr std::int64_t kHeaderBytes = 8;
  int peer = 0;            // whom it goes to or comes from
  std::int64_t begin = 0;  // in the buffer, with its header
  std::int64_t bytes = 0;  // of data
};

// A rank whose bytes an aggregator gets by messages.
struct FarRank {
  int rank = 0;
  int local_aggregator = 0;
  layout::RequestList requests;  // offsets count from the begin of the plan's region; memory is set round by round
};

struct ParcelPlace {
  std::int64_t parcel = 0;  // where in the local aggregator's buffer the parcel begins
  std::int64_t mine = 0;    // and this rank's bytes in it
};

struct Schedule {
  RoundTable<Share> shares;          // of this rank
  std::vector<std::int64_t> rounds;  // of each aggregator

  // As one of a local aggregator's ranks: its places in parcels for aggregators that share no memory with it.
  RoundTable<ParcelPlace> places;

  // As local aggregator, for each round: the parcels, and how many ranks have a part in them.
  std::vector<std::vector<Parcel>> parcels;
  std::vector<int> parcel_users;

  // As aggregator, for each round: how many ranks of its group meet in the window, how many bytes there are in all,
  // and whether they have to be marked because they do not tile the window; parcels from and to other groups.
  std::vector<int> window_users;
  std::vector<std::int64_t> window_bytes;
  std::vector<bool> window_marked;
  std::vector<std::vector<Parcel>> freight;
  std::vector<FarRank> far_ranks;  // by local aggregator, then by rank

  // What walks the requests of far_ranks; calls use them one after the other.
  std::shared_ptr<std::vector<Mover>> far_movers = std::make_shared<std::vector<Mover>>();

  // For pairwise exchange: the bytes of every rank, by rank and aggregator.
  RoundTable<std::int64_t> everyone;

  std::int64_t parcel_buffer_bytes = 0;  // the largest round of any local aggregator
  std::int64_t most_message_bytes = 0;   // the largest round of any local aggregator or aggregator; 0 for trades
  // The largest round of this aggregator; for pairwise exchange, the most that this rank has in one buffer.
  std::int64_t freight_buffer_bytes = 0;
};

// Whether a rank comes to an aggregator's window: when it has bytes there; in dense mode always; the aggregator itself
// always.
inline bool meets(const plan::Plan& plan, int rank, std::size_t aggregator, std::int64_t bytes) {
  return bytes > 0 || !plan.sparse || plan.aggregators[aggregator] == rank;
}

inline plan::Window window_of(const plan::Plan& plan, std::size_t aggregator, std::int64_t round) {
  return plan::window_of(plan.domains[aggregator], plan.round_size, round);
}

}  // namespace weir::exec

// RoundPlayer: the rounds of one collective call: exchange, then file, or the other way round, `depth` of them in
// flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "plan/plan.h"
#include "sim/events.h"
#include "sim/network.h"
#include "sim/store.h"
#include "sim/traffic.h"

namespace weir::sim {

// What everything is played on.
struct Stage {
  const model::MachineModel& machine;
  EventQueue& events;
  Network& network;
  Store& store;
};

// Where the time of a call went. Parts overlap where several rounds are in flight.
struct CallTimes {
  Micros gather = 0;    // the busiest party: its ranks' copies, and its messages
  Micros receive = 0;   // the busiest aggregator: messages, and placing what they bring
  Micros exchange = 0;  // that aggregators waited for it, in the mean
  Micros file = 0;      // that aggregators were busy with the file, in the mean
};

class RoundPlayer {
 public:
  // Keeps the references. The plan and the traffic may be those of a call before, moved in the file by `distance`.
  RoundPlayer(const Stage& stage, const plan::Plan& plan, const Traffic& traffic, std::int64_t distance);

  // Plays from now on; afterwards the events end with the last round.
  void start();

  bool finished() const { return windows_left_ == 0; }
  CallTimes times() const;
  // The most messages that one aggregator gets in one round.
  std::int64_t most_receives() const { return most_receives_; }

 private:
  // One aggregator in one round.
  struct Cell {
    std::int64_t bytes = 0;
    std::int64_t pieces = 0;
    std::int64_t memory_bytes = 0;  // placed by ranks of its own node
    std::int64_t memory_pieces = 0;
    int memory_ranks = 0;
    int left = 0;  // messages, and one more for what is placed in memory
    std::vector<std::uint32_t> parcels;
    bool done = false;
  };
  struct PartyState {
    std::int64_t next = 0;         // round
    std::vector<int> outstanding;  // messages, by round modulo depth
    Micros packed = 0;             // in all
    Micros busy_before = 0;
  };
  struct Lane {
    std::int64_t opened = 0;  // rounds that have a slot
    std::int64_t done = 0;    // all rounds below are
    std::int64_t next = 0;    // round of the file: one after the other
    std::deque<std::int64_t> ready;
    bool busy = false;
    std::map<std::int64_t, std::vector<std::size_t>> held;  // messages that came before their slot, by round
    Micros exchange_from = 0;
    Micros exchange = 0;
    Micros file = 0;
    Micros file_from = 0;
    Micros busy_before = 0;
  };

  // What messages have taken of the core of a party's rank, and of an aggregator's.
  Micros messages_of_party(int rank) const {
    return writing() ? stage_.network.sending(rank) : stage_.network.taking(rank);
  }
  Micros messages_of_aggregator(int rank) const {
    return writing() ? stage_.network.taking(rank) : stage_.network.sending(rank);
  }
  bool writing() const { return plan_.direction == Direction::kWrite; }
  Cell& cell(std::int64_t round, std::size_t aggregator) {
    return cells_[static_cast<std::size_t>(round) * lanes_.size() + aggregator];
  }
  const std::vector<Parcel>& parcels(std::int64_t round) const {
    return traffic_.of_round[static_cast<std::size_t>(round)];
  }
  std::size_t slot_of(std::int64_t round) const {
    return static_cast<std::size_t>(round % static_cast<std::int64_t>(depth_));
  }
  std::size_t party_of(int rank) const;

  void index_parcels();
  void advance_party(std::size_t party);
  void send_round(std::size_t party, std::int64_t round);
  Micros copy_time(std::int64_t bytes, std::int64_t pieces, int ranks) const;
  void open_slots(std::size_t aggregator);
  void begin_window(std::size_t aggregator, std::int64_t round);
  void begin_exchange(std::size_t aggregator, std::int64_t round);
  void send_window(std::size_t aggregator, std::int64_t round);
  void end_part(std::size_t aggregator, std::int64_t round);
  void end_exchange(std::size_t aggregator, std::int64_t round);
  void use_file(std::size_t aggregator);
  void end_file(std::size_t aggregator, std::int64_t round);
  void end_window(std::size_t aggregator, std::int64_t round);
  void on_arrived(std::size_t number);
  void on_taken(const Message& message);
  FileAccess access_of(std::size_t aggregator, std::int64_t round);

  Stage stage_;
  const plan::Plan& plan_;
  const Traffic& traffic_;
  std::int64_t distance_;
  std::size_t depth_;
  std::int64_t rounds_;
  std::vector<Cell> cells_;
  std::vector<PartyState> parties_;
  std::vector<std::vector<std::uint32_t>> first_parcel_;  // by round and party
  std::vector<Lane> lanes_;                               // by aggregator
  std::int64_t windows_left_ = 0;
  std::int64_t most_receives_ = 0;
};

}  // namespace weir::sim

#include "sim/rounds.h"

#include <algorithm>

namespace weir::sim {

RoundPlayer::RoundPlayer(const Stage& stage, const plan::Plan& plan, const Traffic& traffic, std::int64_t distance)
    : stage_(stage),
      plan_(plan),
      traffic_(traffic),
      distance_(distance),
      depth_(static_cast<std::size_t>(std::max(plan.depth, 1))),
      rounds_(static_cast<std::int64_t>(traffic.of_round.size())),
      cells_(traffic.of_round.size() * plan.aggregators.size()),
      parties_(traffic.parties.size()),
      lanes_(plan.aggregators.size()) {
  for (PartyState& party : parties_) party.outstanding.resize(depth_);
  windows_left_ = static_cast<std::int64_t>(cells_.size());
  index_parcels();
}

std::size_t RoundPlayer::party_of(int rank) const {
  const auto found = std::ranges::lower_bound(traffic_.parties, rank, {}, &Party::rank);
  return static_cast<std::size_t>(found - traffic_.parties.begin());
}

void RoundPlayer::index_parcels() {
  first_parcel_.resize(static_cast<std::size_t>(rounds_));
  for (std::int64_t round = 0; round < rounds_; ++round) {
    const std::vector<Parcel>& all = parcels(round);
    std::vector<std::uint32_t>& first = first_parcel_[static_cast<std::size_t>(round)];
    std::uint32_t next = 0;
    for (const Party& party : traffic_.parties) {
      first.push_back(next);
      for (; next < all.size() && all[next].party == party.rank; ++next) {
        const Parcel& parcel = all[next];
        Cell& window = cell(round, static_cast<std::size_t>(parcel.aggregator));
        window.bytes += parcel.bytes;
        window.pieces += parcel.pieces;
        if (parcel.in_memory) {
          if (window.memory_ranks == 0) ++window.left;
          window.memory_ranks += party.ranks;
          window.memory_bytes += parcel.bytes;
          window.memory_pieces += parcel.pieces;
        } else {
          ++window.left;
          if (!writing()) window.parcels.push_back(next);
        }
      }
    }
    first.push_back(next);
  }
  for (const Cell& window : cells_) {
    const int messages = window.left - (window.memory_ranks > 0 ? 1 : 0);
    most_receives_ = std::max<std::int64_t>(most_receives_, messages);
  }
}

void RoundPlayer::start() {
  stage_.network.set_users({.arrived = [this](std::size_t number) { on_arrived(number); },
                            .taken = [this](const Message& message) { on_taken(message); }});
  for (std::size_t i = 0; i < parties_.size(); ++i)
    parties_[i].busy_before = messages_of_party(traffic_.parties[i].rank);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].busy_before = messages_of_aggregator(plan_.aggregators[i]);
    lanes_[i].exchange_from = stage_.events.now();
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) open_slots(i);
  if (!writing()) return;
  for (std::size_t i = 0; i < parties_.size(); ++i) advance_party(i);
}

// By all of them at once.
Micros RoundPlayer::copy_time(std::int64_t bytes, std::int64_t pieces, int ranks) const {
  const model::MachineModel& machine = stage_.machine;
  const double cores = std::max(1, std::min(ranks, machine.nodes.cores_per_node));
  const double alone = static_cast<double>(bytes) / cores / machine.memory.copy_mb_s;
  const double together = static_cast<double>(bytes) / machine.memory.node_copy_mb_s;
  return std::max(alone, together) + static_cast<double>(pieces) / cores * machine.memory.piece_us;
}

// A party is at most `depth` rounds ahead of its messages.
void RoundPlayer::advance_party(std::size_t party) {
  PartyState& state = parties_[party];
  while (state.next < rounds_ && state.outstanding[slot_of(state.next)] == 0) send_round(party, state.next++);
}

void RoundPlayer::send_round(std::size_t party, std::int64_t round) {
  const std::vector<std::uint32_t>& first = first_parcel_[static_cast<std::size_t>(round)];
  const Party& who = traffic_.parties[party];
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
  int messages = 0;
  for (std::uint32_t i = first[party]; i < first[party + 1]; ++i) {
    const Parcel& parcel = parcels(round)[i];
    if (parcel.in_memory) continue;
    ++messages;
    bytes += parcel.bytes;
    pieces += static_cast<std::int64_t>(static_cast<double>(parcel.pieces) / who.merged);
  }
  if (messages == 0) return;
  parties_[party].outstanding[slot_of(round)] = messages;
  const Micros packing = copy_time(bytes, pieces, who.ranks) + (who.ranks > 1 ? stage_.machine.memory.sleep_us : 0);
  parties_[party].packed += packing;
  stage_.events.after(packing, [this, party, round] {
    const std::vector<std::uint32_t>& range = first_parcel_[static_cast<std::size_t>(round)];
    const std::uint32_t count = range[party + 1] - range[party];
    for (std::uint32_t i = 0; i < count; ++i) {
      // Parties begin with different aggregators.
      const Parcel& parcel = parcels(round)[range[party] + (i + static_cast<std::uint32_t>(party)) % count];
      if (parcel.in_memory) continue;
      const int to = plan_.aggregators[static_cast<std::size_t>(parcel.aggregator)];
      const std::int64_t tag = round * static_cast<std::int64_t>(lanes_.size()) + parcel.aggregator;
      stage_.network.send({parcel.party, to, parcel.bytes, parcel.pieces, tag});
    }
  });
}

void RoundPlayer::open_slots(std::size_t aggregator) {
  Lane& lane = lanes_[aggregator];
  while (lane.opened < rounds_ && lane.opened < lane.done + static_cast<std::int64_t>(depth_))
    begin_window(aggregator, lane.opened++);
}

void RoundPlayer::begin_window(std::size_t aggregator, std::int64_t round) {
  if (cell(round, aggregator).left == 0) {
    stage_.events.after(0, [this, aggregator, round] { end_window(aggregator, round); });
  } else if (writing()) {
    begin_exchange(aggregator, round);
  } else {
    lanes_[aggregator].ready.push_back(round);
    use_file(aggregator);
  }
}

// The window may be filled, or emptied: messages that have come are taken, ranks of the node copy.
void RoundPlayer::begin_exchange(std::size_t aggregator, std::int64_t round) {
  Lane& lane = lanes_[aggregator];
  if (const auto held = lane.held.find(round); held != lane.held.end()) {
    for (const std::size_t number : held->second) stage_.network.take(number);
    lane.held.erase(held);
  }
  const Cell& window = cell(round, aggregator);
  if (window.memory_ranks > 0) {
    const Micros time = copy_time(window.memory_bytes, window.memory_pieces, window.memory_ranks);
    stage_.events.after(time + stage_.machine.memory.sleep_us,
                        [this, aggregator, round] { end_part(aggregator, round); });
  }
  if (!writing()) send_window(aggregator, round);
}

void RoundPlayer::send_window(std::size_t aggregator, std::int64_t round) {
  const std::int64_t tag = round * static_cast<std::int64_t>(lanes_.size()) + static_cast<std::int64_t>(aggregator);
  for (const std::uint32_t i : cell(round, aggregator).parcels) {
    const Parcel& parcel = parcels(round)[i];
    stage_.network.send({plan_.aggregators[aggregator], parcel.party, parcel.bytes, parcel.pieces, tag});
  }
}

void RoundPlayer::on_arrived(std::size_t number) {
  const std::int64_t tag = stage_.network.message(number).tag;
  const auto aggregator = static_cast<std::size_t>(tag) % lanes_.size();
  const std::int64_t round = tag / static_cast<std::int64_t>(lanes_.size());
  if (writing() && round >= lanes_[aggregator].opened) {
    lanes_[aggregator].held[round].push_back(number);
  } else {
    stage_.network.take(number);
  }
}

void RoundPlayer::on_taken(const Message& message) {
  const auto aggregator = static_cast<std::size_t>(message.tag) % lanes_.size();
  const std::int64_t round = message.tag / static_cast<std::int64_t>(lanes_.size());
  if (writing()) {
    const std::size_t party = party_of(message.from);
    if (--parties_[party].outstanding[slot_of(round)] == 0) advance_party(party);
  } else {
    const std::size_t party = party_of(message.to);
    parties_[party].packed += copy_time(message.bytes, message.pieces, traffic_.parties[party].ranks);
  }
  end_part(aggregator, round);
}

void RoundPlayer::end_part(std::size_t aggregator, std::int64_t round) {
  if (--cell(round, aggregator).left == 0) end_exchange(aggregator, round);
}

void RoundPlayer::end_exchange(std::size_t aggregator, std::int64_t round) {
  Lane& lane = lanes_[aggregator];
  lane.exchange += stage_.events.now() - lane.exchange_from;
  lane.exchange_from = stage_.events.now();
  if (!writing() || cell(round, aggregator).bytes == 0) {
    end_window(aggregator, round);
    return;
  }
  lane.ready.push_back(round);
  use_file(aggregator);
}

FileAccess RoundPlayer::access_of(std::size_t aggregator, std::int64_t round) {
  const Cell& window = cell(round, aggregator);
  const plan::Window blocks = plan::window_of(plan_.domains[aggregator], plan_.round_size, round);
  FileAccess access;
  access.direction = plan_.direction;
  access.rank = plan_.aggregators[aggregator];
  access.node = stage_.network.node_of(access.rank);
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < blocks.count; ++i) {
    const Extent extent = blocks.extent(i);
    if (extent.empty()) continue;
    all += extent.bytes();
    access.extents.push_back({extent.begin + distance_, extent.end + distance_});
  }
  access.bytes = all;
  if (writing() && window.bytes < all) {  // only what was asked for, a call for each run of it
    access.bytes = window.bytes;
    access.more_calls = static_cast<std::int64_t>(static_cast<double>(window.pieces) *
                                                  static_cast<double>(all - window.bytes) / static_cast<double>(all));
  }
  return access;
}

void RoundPlayer::use_file(std::size_t aggregator) {
  Lane& lane = lanes_[aggregator];
  if (writing()) {
    while (lane.next < rounds_ && cell(lane.next, aggregator).done) ++lane.next;
  } else if (!lane.ready.empty()) {
    lane.next = lane.ready.front();
  }
  const std::int64_t round = lane.next;
  const auto found = std::ranges::find(lane.ready, round);
  if (lane.busy || found == lane.ready.end()) return;
  lane.ready.erase(found);
  lane.busy = true;
  lane.file_from = stage_.events.now();
  stage_.store.access(access_of(aggregator, round), [this, aggregator, round] { end_file(aggregator, round); });
}

void RoundPlayer::end_file(std::size_t aggregator, std::int64_t round) {
  Lane& lane = lanes_[aggregator];
  lane.busy = false;
  lane.file += stage_.events.now() - lane.file_from;
  if (writing()) {
    end_window(aggregator, round);
  } else {
    if (depth_ == 1) lane.exchange_from = stage_.events.now();
    begin_exchange(aggregator, round);
  }
  use_file(aggregator);
}

void RoundPlayer::end_window(std::size_t aggregator, std::int64_t round) {
  Lane& lane = lanes_[aggregator];
  --windows_left_;
  cell(round, aggregator).done = true;
  while (lane.done < rounds_ && cell(lane.done, aggregator).done) ++lane.done;
  if (depth_ == 1) lane.exchange_from = stage_.events.now();
  open_slots(aggregator);
  if (writing()) use_file(aggregator);
}

CallTimes RoundPlayer::times() const {
  CallTimes times;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    const Micros messages = messages_of_party(traffic_.parties[i].rank) - parties_[i].busy_before;
    times.gather = std::max(times.gather, parties_[i].packed + messages);
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    times.receive = std::max(times.receive, messages_of_aggregator(plan_.aggregators[i]) - lanes_[i].busy_before);
    times.exchange += lanes_[i].exchange / static_cast<double>(lanes_.size());
    times.file += lanes_[i].file / static_cast<double>(lanes_.size());
  }
  return times;
}

}  // namespace weir::sim

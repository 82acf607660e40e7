#include "exec/stage/trade_ship.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

constexpr std::int64_t kHeaderBytes = Trades::kHeaderBytes;

}  // namespace

TradeShip::TradeShip(const PlannedCall& call, Mover& mover)
    : call_(call), mover_(mover), trades_(call.plan, call.schedule), far_movers_(*call.schedule.far_movers) {
  const auto bytes = static_cast<std::size_t>(call.schedule.freight_buffer_bytes);
  std::byte* buffer = call.stores.freight.data();
  for (auto* part : {&held_, &next_, &outgoing_, &incoming_}) {
    *part = {buffer, bytes};
    buffer += bytes;
  }
}

// Every block of `to` that is also in `from`. Both are in the same order.
void TradeShip::copy_blocks(const Blocks& from, const std::byte* source, const Blocks& to, std::byte* target) const {
  std::size_t i = 0;
  for (const Block& block : to) {
    const auto before = [&](const Block& other) {
      return other.aggregator != block.aggregator ? other.aggregator < block.aggregator : other.origin < block.origin;
    };
    while (i < from.size() && before(from[i])) ++i;
    if (i == from.size() || from[i].aggregator != block.aggregator || from[i].origin != block.origin) continue;
    if (block.bytes > 0) {
      std::memcpy(target + block.begin, source + from[i].begin, static_cast<std::size_t>(block.bytes));
    }
  }
}

void TradeShip::exchange(std::int64_t round) {
  const bool trades = call_.rank() < trades_.traders();
  if (call_.writing()) {
    pack_own(round);
    fold(round);
    for (int phase = 0; trades && phase < trades_.phases(); ++phase) trade(phase, round);
    if (trades) deliver(round);
  } else {
    if (trades) deliver(round);
    for (int phase = trades_.phases() - 1; trades && phase >= 0; --phase) trade(phase, round);
    fold(round);
    pack_own(round);
  }
}

// Blocks of this rank alone, in what it (or the rank that acts for it) holds before the first phase.
void TradeShip::pack_own(std::int64_t round) {
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime);
  const int rank = call_.rank();
  trades_.list(0, trades_.trader_of(rank), round, before_);
  for (const Block& block : before_) {
    if (block.origin != rank || block.bytes == 0) continue;
    std::byte* header = held_.data() + block.begin;
    std::int64_t data_end = kNoEnd;
    if (call_.writing()) {
      std::memcpy(header, &data_end, sizeof(data_end));
    } else {
      std::memcpy(&data_end, header, sizeof(data_end));
      data_end_ = std::min(data_end_, data_end);
    }
    const std::size_t number = trades_.number_of(block.aggregator);
    const std::int64_t copied =
        mover_.pack(call_.plan.direction, window_of(call_.plan, number, round), header + kHeaderBytes, data_end);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
  }
}

void TradeShip::fold(std::int64_t round) {
  const int rank = call_.rank();
  const bool above = rank >= trades_.traders();
  const int partner = above ? rank - trades_.traders() : rank + trades_.traders();
  if (partner >= call_.comm.size()) return;
  const int origin = above ? rank : partner;
  trades_.list(0, trades_.trader_of(rank), round, before_);
  given_ = before_;
  std::erase_if(given_, [&](const Block& block) { return block.origin != origin; });
  std::int64_t begin = 0;
  for (Block& block : given_) {
    block.begin = begin;
    begin += block.bytes;
  }
  if (begin == 0) return;
  const bool sending = above == call_.writing();
  if (sending) copy_blocks(before_, held_.data(), given_, outgoing_.data());
  swap_messages(partner, sending ? begin : 0, sending ? 0 : begin);
  if (!sending) copy_blocks(given_, incoming_.data(), before_, held_.data());
}

void TradeShip::trade(int phase, std::int64_t round) {
  const int rank = call_.rank();
  const int partner = rank ^ (1 << phase);
  trades_.list(phase, rank, round, before_);
  trades_.list(phase + 1, rank, round, after_);
  trades_.list_given(phase, rank, partner, round, given_);
  trades_.list_given(phase, partner, rank, round, taken_);
  const bool writing = call_.writing();
  const Blocks& held_now = writing ? before_ : after_;
  const Blocks& held_then = writing ? after_ : before_;
  const Blocks& leaves = writing ? given_ : taken_;
  const Blocks& comes = writing ? taken_ : given_;
  copy_blocks(held_now, held_.data(), leaves, outgoing_.data());
  swap_messages(partner, Trades::total(leaves), Trades::total(comes));
  copy_blocks(held_now, held_.data(), held_then, next_.data());
  copy_blocks(comes, incoming_.data(), held_then, next_.data());
  std::swap(held_, next_);
}

void TradeShip::swap_messages(int partner, std::int64_t send_bytes, std::int64_t receive_bytes) {
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kExchangeTime);
  std::array<comm::Ticket, 2> tickets;
  std::size_t count = 0;
  if (receive_bytes > 0) {
    tickets[count++] = call_.comm.receive(partner, incoming_.first(static_cast<std::size_t>(receive_bytes)));
  }
  if (send_bytes > 0) {
    tickets[count++] = call_.comm.send(partner, outgoing_.first(static_cast<std::size_t>(send_bytes)));
    count_message(call_, partner, send_bytes);
  }
  status_ = std::move(status_).or_else(call_.comm.wait(std::span(tickets).first(count)));
}

void TradeShip::deliver(std::int64_t round) {
  if (round >= call_.schedule.rounds[*call_.schedule.aggregator]) return;
  const int rank = call_.rank();
  trades_.list(trades_.phases(), rank, round, after_);
  if (Trades::total(after_) == 0) return;
  comm::SlotRing& windows = call_.group.windows(rank);
  windows.await_open(round, &call_.comm);
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime);
  const WindowSlot slot = call_.buffers.window(rank, windows.slot_of(round));
  const std::int64_t begin = call_.plan.region.begin;
  const plan::Window window = window_of(call_.plan, *call_.schedule.aggregator, round).moved(-begin);
  const std::int64_t data_end = call_.writing() ? kNoEnd : slot.header->data_end;
  for (std::size_t i = 0; i < far_movers_.size(); ++i) {
    const int origin = call_.schedule.far_ranks[i].rank;
    const auto block = std::find_if(after_.begin(), after_.end(), [&](const Block& b) { return b.origin == origin; });
    if (block == after_.end() || block->bytes == 0) continue;
    std::byte* header = held_.data() + block->begin;
    if (!call_.writing()) std::memcpy(header, &data_end, sizeof(data_end));
    const std::int64_t copied = far_movers_[i].move_packed(
        call_.plan.direction, window, slot, data_end == kNoEnd ? kNoEnd : data_end - begin, header + kHeaderBytes);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
  }
}

}  // namespace weir::exec

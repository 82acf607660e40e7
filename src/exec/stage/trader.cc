#include "exec/stage/trader.h"

#include <array>
#include <cstring>
#include <utility>

#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

// Whatever is empty is not sent: both sides know.
Status exchange(comm::Comm& comm, int partner, std::span<const std::byte> given, std::span<std::byte> taken) {
  std::array<comm::Ticket, 2> tickets = {};
  std::size_t count = 0;
  if (!taken.empty()) tickets[count++] = comm.receive(partner, taken);
  if (!given.empty()) tickets[count++] = comm.send(partner, given);
  return comm.wait(std::span(tickets).first(count));
}

std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

// Copies a part to where it is in the whole, or from there, and steps over both.
void copy_part(Direction direction, std::byte*& part, std::byte*& whole, std::int64_t bytes) {
  if (bytes == 0) return;
  if (direction == Direction::kWrite) {
    std::memcpy(whole, part, size(bytes));
  } else {
    std::memcpy(part, whole, size(bytes));
  }
  part += bytes;
  whole += bytes;
}

}  // namespace

Status learn_sizes(comm::Comm& comm, Trades& trades, std::span<std::int64_t> numbers) {
  Status status;
  for (std::size_t step = 0; step < trades.steps().size(); ++step) {
    const auto told = numbers.first(trades.told_numbers(step));
    const auto heard = numbers.subspan(told.size(), trades.heard_numbers(step));
    trades.tell(step, told);
    status = std::move(status).or_else(
        exchange(comm, trades.steps()[step].partner, std::as_bytes(told), std::as_writable_bytes(heard)));
    trades.hear(step, heard);
  }
  return status;
}

Trader::Trader(comm::Comm& comm, const Trades& trades, std::span<std::byte> memory, trace::Counters& counters,
               Sent sent)
    : comm_(comm),
      trades_(trades),
      counters_(counters),
      sent_(std::move(sent)),
      held_(memory.data()),
      next_(memory.data() + memory.size() / kBuffers),
      partners_(memory.data() + memory.size() / kBuffers * 2) {}

void Trader::carry(Direction direction, std::int64_t round, std::byte* own) {
  const std::size_t steps = trades_.steps().size();
  if (direction == Direction::kWrite) {
    for (std::size_t step = 0; step < steps; ++step) write_step(step, round, step == 0 ? own : held_);
  } else {
    for (std::size_t step = steps; step-- > 0;) read_step(step, round, step == 0 ? own : next_);
  }
}

// `before` is what is held before the step.
void Trader::write_step(std::size_t step, std::int64_t round, std::byte* before) {
  const Trades::Load load = trades_.load(step, round);
  swap(trades_.steps()[step].partner, {before + load.given_begin, size(load.given)}, {partners_, size(load.taken)});
  std::swap(held_, next_);
  join(Direction::kWrite, step, round, before + load.kept_begin);
}

void Trader::read_step(std::size_t step, std::int64_t round, std::byte* before) {
  const Trades::Load load = trades_.load(step, round);
  join(Direction::kRead, step, round, before + load.kept_begin);
  std::swap(held_, next_);
  swap(trades_.steps()[step].partner, {partners_, size(load.taken)}, {before + load.given_begin, size(load.given)});
}

// Between the two partners' parts of the bundles that this party keeps, and the bundles in held_.
void Trader::join(Direction direction, std::size_t step, std::int64_t round, std::byte* mine) {
  trace::Stopwatch stopwatch(counters_, trace::Counter::kCopyTime);
  const Trades::Step& now = trades_.steps()[step];
  const auto kept = trades_.held(step, round).subspan(now.kept.begin, now.kept.count());
  const auto whole = trades_.held(step + 1, round);
  std::byte* theirs = partners_;
  std::byte* bundle = held_;
  for (std::size_t chunk = 0; chunk < whole.size(); ++chunk) {
    if (now.first) copy_part(direction, mine, bundle, kept[chunk]);
    copy_part(direction, theirs, bundle, whole[chunk] - kept[chunk]);
    if (!now.first) copy_part(direction, mine, bundle, kept[chunk]);
  }
}

void Trader::swap(int partner, std::span<const std::byte> given, std::span<std::byte> taken) {
  trace::Stopwatch stopwatch(counters_, trace::Counter::kExchangeTime, {trace::kUnsaid, std::ssize(given)});
  if (!given.empty()) sent_(partner, std::ssize(given));
  status_ = std::move(status_).or_else(exchange(comm_, partner, given, taken));
}

}  // namespace weir::exec

#include "comm/thread_desk.h"

#include <utility>

namespace weir::comm {

namespace {

void grant(Transfer& offer, Ticket ticket, std::span<std::byte> room) {
  offer.stage = Transfer::Stage::kGranted;
  offer.receive = ticket;
  offer.room = room;
}

}  // namespace

// A sleeper names itself and then looks at the word; who rings changes the word and then looks for sleepers. One of the
// two sees the other.
void Bell::ring() {
  rings_.fetch_add(1);
  if (sleepers_.load() != 0) sys::wake_all(rings_);
}

void Bell::sleep(std::uint32_t seen, const sys::Waiting& how) {
  for (int look = 0; look < how.patience.looks; ++look) {
    if (rings() != seen) return;
    sys::relax();
  }
  sleepers_.fetch_add(1);
  sys::Wait wait({how.company, how.step, how.patience.without_looks()});
  while (rings() == seen) wait.pause(rings_, seen);
  sleepers_.fetch_sub(1);
}

Ticket Desk::new_ticket() {
  const std::lock_guard lock(mutex_);
  return next_ticket_++;
}

void Desk::finish(Ticket ticket, Status status) {
  {
    const std::lock_guard lock(mutex_);
    finished_.emplace(ticket, std::move(status));
  }
  bell_.ring();
}

std::optional<Status> Desk::take_finished(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.find(ticket);
  if (found == finished_.end()) return std::nullopt;
  Status status = std::move(found->second);
  finished_.erase(found);
  return status;
}

void Desk::put(Transfer transfer) {
  const std::lock_guard lock(mutex_);
  put_.push_back(std::move(transfer));
}

std::optional<Transfer> Desk::next(bool& sorted) {
  bool rings = false;
  std::optional<Transfer> leaving;
  {
    const std::lock_guard lock(mutex_);
    while (!put_.empty() && !leaving) {
      sorted = true;
      Transfer transfer = std::move(put_.front());
      put_.pop_front();
      if (leaves(transfer)) {
        leaving = std::move(transfer);
      } else {
        rings = true;
      }
    }
  }
  if (rings) bell_.ring();
  return leaving;
}

bool Desk::leaves(Transfer& transfer) {
  switch (transfer.stage) {
    case Transfer::Stage::kOffered: return meets_receive(transfer);
    case Transfer::Stage::kGranted: transfer.stage = Transfer::Stage::kCopied; return true;
    case Transfer::Stage::kCopied: break;
  }
  finished_.emplace(transfer.receive, std::move(transfer.status));
  return false;
}

bool Desk::meets_receive(Transfer& offer) {
  Line& line = lines_[offer.from];
  if (line.receives.empty()) {
    line.offers.push_back(std::move(offer));
    return false;
  }
  grant(offer, line.receives.front().ticket, line.receives.front().room);
  line.receives.pop_front();
  return true;
}

std::optional<Transfer> Desk::meet(Line& line, const Receive& receive) {
  if (line.offers.empty()) return std::nullopt;
  Transfer offer = std::move(line.offers.front());
  line.offers.pop_front();
  grant(offer, receive.ticket, receive.room);
  return offer;
}

std::optional<Transfer> Desk::post_receive(int from, Ticket ticket, std::span<std::byte> room) {
  const std::lock_guard lock(mutex_);
  Line& line = lines_[from];
  const Receive receive{ticket, room};
  std::optional<Transfer> met = meet(line, receive);
  if (!met) line.receives.push_back(receive);
  return met;
}

std::optional<Transfer> Desk::meet_any(Ticket ticket, std::span<std::byte> room) {
  const std::lock_guard lock(mutex_);
  for (auto& [from, line] : lines_) {
    std::optional<Transfer> met = meet(line, {ticket, room});
    if (met) return met;
  }
  return std::nullopt;
}

}  // namespace weir::comm

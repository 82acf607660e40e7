// Desk: where one of several ranks as threads keeps its transfers (thread_comm.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

#include "comm/comm.h"

namespace weir::comm {

// One message on its way. It lies on the desk of the rank that has the next step to take:
//   kOffered   on the receiver's: to be met by a receive
//   kGranted   on the sender's: to be copied
//   kCopied    on the receiver's: the receive is done
struct Transfer {
  enum class Stage : std::uint8_t { kOffered, kGranted, kCopied };
  Stage stage = Stage::kOffered;
  int from = 0;
  int to = 0;
  Ticket send = 0;
  std::span<const std::byte> data;
  Ticket receive = 0;
  std::span<std::byte> room;
  Status status;  // of the receive
};

// Wakes the thread that sleeps here.
class Bell {
 public:
  std::uint32_t rings() const { return rings_.load(); }
  void ring();
  // Returns when it rang since rings() was `seen`.
  void sleep(std::uint32_t seen, const sys::Waiting& how);

 private:
  std::atomic<std::uint32_t> rings_ = 0;
  std::atomic<std::uint32_t> sleepers_ = 0;
};

// Thread-safe. The bell rings when a transfer finished or an offer has no receive yet.
class Desk {
 public:
  Ticket new_ticket();
  void finish(Ticket ticket, Status status);
  // The status of a finished transfer, once; nothing while it is under way.
  std::optional<Status> take_finished(Ticket ticket);

  // Lays a transfer here, for its next step; the bell does not ring.
  void put(Transfer transfer);
  // Sorts what was put here up to the first transfer that leaves the desk, and returns that one, in the stage that it
  // enters: kGranted, an offer that met a receive, for its sender; kCopied, to be copied now, for its receiver.
  // Nothing when nothing is left; `sorted` becomes true when there was anything.
  std::optional<Transfer> next(bool& sorted);

  // A receive; the transfer, now kGranted, whose offer it meets.
  std::optional<Transfer> post_receive(int from, Ticket ticket, std::span<std::byte> room);
  // The same for an offer of any rank; where there is none, no receive is posted.
  std::optional<Transfer> meet_any(Ticket ticket, std::span<std::byte> room);

  Bell& bell() { return bell_; }

 private:
  struct Receive {
    Ticket ticket;
    std::span<std::byte> room;
  };
  // Messages from one rank that have not met. At most one of the two holds something.
  struct Line {
    std::deque<Transfer> offers;
    std::deque<Receive> receives;
  };

  // All three REQUIRE the mutex held. Of the last two, true when the transfer goes on; else it stays here.
  static std::optional<Transfer> meet(Line& line, const Receive& receive);
  bool leaves(Transfer& transfer);
  bool meets_receive(Transfer& offer);

  std::mutex mutex_;
  Ticket next_ticket_ = 1;
  std::deque<Transfer> put_;
  std::map<int, Line> lines_;  // by the rank that sends
  std::unordered_map<Ticket, Status> finished_;
  Bell bell_;
};

}  // namespace weir::comm

// Watchdog: says who waits where and for whom when a collective call takes too long.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comm/comm.h"
#include "exec/call/presence.h"

namespace weir::exec {

class Watchdog;

// The watchdogs of a process: a rank that waits in one file is seen to do so by those who wait for it in another.
// LOCAL; thread-safe.
class WatchRoom {
 public:
  void add(Watchdog* watchdog);
  void remove(Watchdog* watchdog);
  // Lets the ranks of all other files know what this rank waits for; empty: nothing any more.
  void tell_others(const Watchdog* from, const std::string& waits_for);
  // Where the watchdog's entry is from now on; nowhere without entries.
  void move(Watchdog* watchdog, const PresenceBoard& board);

 private:
  std::mutex mutex_;
  std::vector<Watchdog*> watchdogs_;
};

// How a watchdog makes itself heard.
struct Voice {
  std::function<void(const std::string&)> tell = [](const std::string&) {};
  std::function<void()> abort = [] {};  // ends the job
};

struct WatchSettings {
  std::chrono::seconds limit{300};  // 0: never
  bool abort = false;               // end the job then
};

// What a rank sees of its node when it has waited too long.
struct Scene {
  std::string path;
  CallCode call;
  std::uint32_t calls = 0;  // of the rank that looks
  std::chrono::seconds waited{0};
  std::vector<std::pair<int, Presence::Sighting>> node;  // by rank
};

// The members of the node that have not entered the call.
std::vector<int> missing_in(const Scene& scene);
// Who waits, who is missing and what these do, in sentences.
std::string explain(const Scene& scene);
// "0-6, 8".
std::string text_of_ranks(const std::vector<int>& ranks);

// One file's, on one rank. Between two calls it costs nothing; a call costs a few stores.
class Watchdog final : public sys::Watch {
 public:
  // `room` and `comm` outlive it.
  Watchdog(std::string path, const comm::Comm& comm, WatchRoom& room, Voice voice);
  ~Watchdog() override;
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // LOCAL, all of them. From now on the ranks of the node see each other.
  void use(const PresenceBoard& board);
  // No more: the memory may go to another file, or away.
  void stop_using();
  void set(const WatchSettings& settings);

  // A collective call of this rank. While ranks meet, nobody knows yet who will come; after that, all have.
  void enter(CallCode call);
  void all_have_met() { meeting_.store(false, std::memory_order_relaxed); }
  void leave();

  // Only the thread that is inside the call is heard: what another of this rank waits for is this one.
  void still_waiting(const sys::Step& step, std::chrono::seconds waited) override;

 private:
  friend class WatchRoom;
  Presence* mine() const;
  Scene look(std::chrono::seconds waited) const;
  // Whether this rank is the one that speaks, of those on its node.
  bool claim(std::uint32_t calls);
  void check_alive() const;
  void report(const sys::Step& step, std::chrono::seconds waited);
  bool waits_for_the_next(const sys::Step& step) const;
  bool waits_for_a_lonely_rank(const sys::Step& step) const;
  void speak(const std::string& text) const;

  const std::string path_;
  const comm::Comm& comm_;
  const std::vector<int> members_;  // of this node, ascending
  const std::size_t place_;         // of this rank among them
  WatchRoom& room_;
  const Voice voice_;
  PresenceBoard board_;
  std::atomic<std::int64_t> limit_seconds_;
  std::atomic<bool> abort_;
  std::atomic<bool> meeting_ = false;
  std::atomic<std::thread::id> inside_ = {};  // the thread that is in the call
  std::atomic<std::uint32_t> call_ = 0;
  std::atomic<bool> published_ = false;  // that this rank waits
  std::atomic<std::uint32_t> own_calls_ = 0;
  std::atomic<std::uint32_t> own_told_ = 0;  // where no memory is shared
};

// A call from here to the end of the block.
class WatchedCall {
 public:
  WatchedCall(Watchdog* watchdog, CallCode call) : watchdog_(watchdog) {
    if (watchdog_ != nullptr) watchdog_->enter(call);
  }
  ~WatchedCall() {
    if (watchdog_ != nullptr) watchdog_->leave();
  }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

 private:
  Watchdog* watchdog_;
};

}  // namespace weir::exec

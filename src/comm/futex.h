// Waiting for a word that other processes of the node change.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weir::comm {

// A number that only grows (and wraps around), in memory that several ranks share; zero when the memory is new.
// A rank that waits looks a few times and then sleeps: more ranks than cores is a normal case.
class alignas(64) Latch {
 public:
  // Adds one; wakes a waiter whose number is reached.
  void add();
  // Sets it, and wakes all waiters. REQUIRES: not below the present value; only one rank at a time.
  void raise_to(std::uint32_t value);
  // Returns once the number is `target` or beyond. Several ranks may wait, for add() all for the same target.
  // `looks` is from looks_for().
  void wait_for(std::uint32_t target, int looks = 0);

 private:
  bool reached(std::uint32_t target) const;
  void sleep_until(std::uint32_t target);

  std::atomic<std::uint32_t> value_;
  std::atomic<std::uint32_t> sleepers_;
  std::atomic<std::uint32_t> wake_at_;
};

// Sleeps while the word holds `value`, and wakes whoever sleeps so. A sleep may end early: look again.
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value);
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::milliseconds longest);
void wake_all(std::atomic<std::uint32_t>& word);

// How often a rank looks before it sleeps, when so many wait for each other on a node: long enough to meet a rank that
// runs on another core at this moment; hardly at all when there are more ranks than cores, where the one that is waited
// for needs this core.
int looks_for(int ranks);
// Between two looks.
void relax();

// The race detector does not know that two mappings are one memory: it is shown a word that all ranks as threads have.
void show_to_race_detector();

}  // namespace weir::comm

// Strand: jobs of one file, one after the other, in the order they were given.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "sys/latch.h"

namespace weir::sys {

// A thread is started with the first posted job and lives until the strand is destroyed. LOCAL; thread-safe.
class Strand {
 public:
  using Job = std::function<void()>;

  Strand() = default;
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  ~Strand();  // finishes all jobs first; call drain() before where they need the calling thread's company

  // Returns at once; the job runs on the strand's thread. False when there is no thread to be had: then the job was not
  // taken.
  [[nodiscard]] bool post(Job job);
  // Runs the job on the calling thread, after all jobs given before. `company` as for Waiting.
  void run(const Job& job, Company* company);
  // Returns when all jobs given so far are done.
  void drain(Company* company);

 private:
  struct Posted {
    std::uint32_t turn;
    Job job;
  };

  bool has_thread();  // starts it where there is none yet; REQUIRES mutex_ held
  void serve();
  // Takes the next posted job; false when there is none left and the strand ends.
  bool next(Posted& posted);
  void end_turn(std::uint32_t turn) { turn_.raise_to(turn + 1); }

  std::mutex mutex_;
  std::uint32_t next_turn_ = 0;  // of the next job to be given; wraps around
  std::deque<Posted> posted_;
  bool stopping_ = false;
  std::uint32_t calls_ = 0;  // of the thread: jobs posted, and the end
  Latch called_{};
  Latch turn_{};  // of the job that runs or may run now
  std::thread thread_;
};

}  // namespace weir::sys

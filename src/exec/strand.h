// Strand: jobs of one file, one after the other, in the order they were given.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace weir::exec {

// A thread is started with the first posted job and lives until the strand is destroyed. LOCAL; thread-safe.
class Strand {
 public:
  using Job = std::function<void()>;

  Strand() = default;
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  ~Strand();  // finishes all jobs first

  // Returns at once; the job runs on the strand's thread.
  void post(Job job);
  // Runs the job on the calling thread, after all jobs given before.
  void run(const Job& job);
  // Returns when all jobs given so far are done.
  void drain();

 private:
  void serve();

  struct Posted {
    std::uint64_t turn;
    Job job;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_turn_ = 0;     // turn of the next job to be given
  std::uint64_t current_turn_ = 0;  // turn of the job that runs or may run now
  std::deque<Posted> posted_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace weir::exec

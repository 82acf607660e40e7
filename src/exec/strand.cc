#include "exec/strand.h"

#include "comm/helper_thread.h"

namespace weir::exec {

Strand::~Strand() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Strand::post(Job job) {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) thread_ = comm::start_helper_thread([this] { serve(); });
  posted_.push_back({next_turn_++, std::move(job)});
  changed_.notify_all();
}

void Strand::run(const Job& job) {
  std::unique_lock lock(mutex_);
  const std::uint64_t turn = next_turn_++;
  changed_.wait(lock, [&] { return current_turn_ == turn; });
  lock.unlock();
  job();
  lock.lock();
  ++current_turn_;
  changed_.notify_all();
}

void Strand::drain() {
  std::unique_lock lock(mutex_);
  const std::uint64_t last = next_turn_;
  changed_.wait(lock, [&] { return current_turn_ >= last; });
}

void Strand::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return posted_.empty() ? stopping_ : posted_.front().turn == current_turn_; });
    if (posted_.empty()) return;
    Job job = std::move(posted_.front().job);
    posted_.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // what it held is released before the next job sees it done
    lock.lock();
    ++current_turn_;
    changed_.notify_all();
  }
}

}  // namespace weir::exec

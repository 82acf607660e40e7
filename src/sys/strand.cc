#include "sys/strand.h"

#include "sys/helper_thread.h"

namespace weir::sys {

namespace {

constexpr Step kEarlierCalls = {"earlier calls of this rank on the same file"};

}  // namespace

Strand::~Strand() {
  {
    std::scoped_lock lock(mutex_);
    stopping_ = true;
    called_.raise_to(++calls_);
  }
  if (thread_.joinable()) thread_.join();
}

bool Strand::has_thread() {
  if (thread_.joinable()) return true;
  Result<std::thread> started = start_helper_thread([this] { serve(); });
  if (!started.ok()) return false;
  thread_ = std::move(started).value();
  return true;
}

bool Strand::post(Job job) {
  std::scoped_lock lock(mutex_);
  if (!has_thread()) return false;
  posted_.push_back({next_turn_++, std::move(job)});
  called_.raise_to(++calls_);
  return true;
}

void Strand::run(const Job& job, Company* company) {
  std::uint32_t turn = 0;
  {
    std::scoped_lock lock(mutex_);
    turn = next_turn_++;
  }
  turn_.wait_for(turn, {company, kEarlierCalls});
  // The turn ends also when the job throws.
  struct Turn {
    Strand& strand;
    std::uint32_t number;
    ~Turn() { strand.end_turn(number); }
  } current{*this, turn};
  job();
}

void Strand::drain(Company* company) {
  std::uint32_t last = 0;
  {
    std::scoped_lock lock(mutex_);
    last = next_turn_;
  }
  turn_.wait_for(last, {company, kEarlierCalls});
}

bool Strand::next(Posted& posted) {
  for (;;) {
    std::uint32_t calls = 0;
    {
      std::scoped_lock lock(mutex_);
      if (!posted_.empty()) {
        posted = std::move(posted_.front());
        posted_.pop_front();
        return true;
      }
      if (stopping_) return false;
      calls = calls_;
    }
    called_.wait_for(calls + 1);
  }
}

void Strand::serve() {
  Posted posted;
  while (next(posted)) {
    turn_.wait_for(posted.turn);
    posted.job();
    posted.job = nullptr;  // what it held is released before the next job sees it done
    end_turn(posted.turn);
  }
}

}  // namespace weir::sys

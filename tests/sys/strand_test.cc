#include "sys/strand.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "comm/watchdog.h"

namespace weir::sys {
namespace {

class StrandTest : public testing::Test {
 protected:
  HangGuard watchdog_{"a test of Strand"};
};

// Numbers written down by jobs. No lock: the strand itself must keep jobs apart (the thread sanitizer looks on).
class Log {
 public:
  Strand::Job entry(int number) {
    return [this, number] { numbers_.push_back(number); };
  }
  const std::vector<int>& numbers() const { return numbers_; }
  static std::vector<int> up_to(int end) {
    std::vector<int> expected(static_cast<std::size_t>(end));
    std::iota(expected.begin(), expected.end(), 0);
    return expected;
  }

 private:
  std::vector<int> numbers_;
};

// Counts how often it was kept moving, and lets a gate go the third time.
class Audience final : public sys::Company {
 public:
  bool progress() override {
    if (++calls_ == 3) gate_.set_value();
    return false;
  }
  std::shared_future<void> third_call() { return third_call_; }

 private:
  std::atomic<int> calls_ = 0;
  std::promise<void> gate_;
  std::shared_future<void> third_call_ = gate_.get_future().share();
};

// The job ends only because its waiter keeps its company: both kinds of waiting do.
TEST_F(StrandTest, WhoWaitsKeepsItsCompanyMoving) {
  Strand strand;
  Audience first;
  EXPECT_TRUE(strand.post([&] { first.third_call().wait(); }));
  strand.drain(&first);
  Audience second;
  EXPECT_TRUE(strand.post([&] { second.third_call().wait(); }));
  strand.run([] {}, &second);
}

TEST_F(StrandTest, AJobThatThrowsEndsItsTurn) {
  Strand strand;
  EXPECT_THROW(strand.run([] { throw std::bad_alloc(); }, nullptr), std::bad_alloc);
  bool ran = false;
  strand.run([&] { ran = true; }, nullptr);
  EXPECT_TRUE(ran);
}

TEST_F(StrandTest, DrainOfNothingReturns) {
  Strand strand;
  strand.drain(nullptr);
  strand.drain(nullptr);
}

TEST_F(StrandTest, PostedJobsRunInOrder) {
  Log log;
  Strand strand;
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(strand.post(log.entry(i)));
  strand.drain(nullptr);
  EXPECT_EQ(log.numbers(), Log::up_to(200));
}

TEST_F(StrandTest, RunWithoutPostedJobsStaysOnTheCallersThread) {
  Strand strand;
  std::thread::id ran_on;
  strand.run([&] { ran_on = std::this_thread::get_id(); }, nullptr);
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_F(StrandTest, PostedJobsRunElsewhere) {
  Strand strand;
  std::thread::id ran_on = std::this_thread::get_id();
  EXPECT_TRUE(strand.post([&] { ran_on = std::this_thread::get_id(); }));
  strand.drain(nullptr);
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST_F(StrandTest, RunWaitsForWhatWasPostedBefore) {
  Log log;
  Strand strand;
  for (int i = 0; i < 100; i += 2) {
    EXPECT_TRUE(strand.post(log.entry(i)));
    strand.run(log.entry(i + 1), nullptr);
  }
  EXPECT_EQ(log.numbers(), Log::up_to(100));
}

TEST_F(StrandTest, WhatIsPostedWaitsForARunningRun) {
  Log log;
  Strand strand;
  strand.run(
      [&] {
        EXPECT_TRUE(strand.post(log.entry(1)));
        log.entry(0)();
      },
      nullptr);
  strand.drain(nullptr);
  EXPECT_EQ(log.numbers(), Log::up_to(2));
}

TEST_F(StrandTest, PostDoesNotWaitForTheJob) {
  Strand strand;
  std::promise<void> gate;
  EXPECT_TRUE(strand.post([&] { gate.get_future().wait(); }));
  EXPECT_TRUE(strand.post([] {}));
  gate.set_value();  // reached only when both posts returned
  strand.drain(nullptr);
}

TEST_F(StrandTest, AJobMayPostAnother) {
  Log log;
  Strand strand;
  EXPECT_TRUE(strand.post([&] {
    EXPECT_TRUE(strand.post(log.entry(1)));
    log.entry(0)();
  }));
  strand.drain(nullptr);
  strand.drain(nullptr);
  EXPECT_EQ(log.numbers(), Log::up_to(2));
}

TEST_F(StrandTest, TheDestructorFinishesAllJobs) {
  std::atomic<int> done = 0;
  {
    Strand strand;
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(strand.post([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++done;
      }));
    }
  }
  EXPECT_EQ(done, 50);
}

TEST_F(StrandTest, SeveralThreadsRunOneAtATime) {
  Strand strand;
  std::vector<int> numbers;  // unguarded on purpose
  std::atomic<int> inside = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 50; ++i) {
          auto job = [&, number = thread * 1000 + i] {
            EXPECT_EQ(++inside, 1);
            numbers.push_back(number);
            --inside;
          };
          if (i % 3 == 0) {
            EXPECT_TRUE(strand.post(job));
          } else {
            strand.run(job, nullptr);
          }
        }
      });
    }
  }
  strand.drain(nullptr);
  ASSERT_EQ(numbers.size(), 400U);
  std::vector<int> last(8, -1);
  for (int number : numbers) {  // each thread's jobs in the order it gave them
    int& before = last[static_cast<std::size_t>(number / 1000)];
    EXPECT_EQ(number % 1000, before + 1);
    before = number % 1000;
  }
}

TEST_F(StrandTest, AJobsBelongingsAreGoneWhenTheNextOneRuns) {
  Strand strand;
  for (int i = 0; i < 100; ++i) {
    auto belongings = std::make_shared<int>(i);
    std::weak_ptr<int> watched = belongings;
    EXPECT_TRUE(strand.post([belongings = std::move(belongings)] {}));
    bool gone = false;
    strand.run([&] { gone = watched.expired(); }, nullptr);
    EXPECT_TRUE(gone);
  }
}

TEST_F(StrandTest, AJobsBelongingsAreGoneAfterDrain) {
  Strand strand;
  auto belongings = std::make_shared<int>(1);
  std::weak_ptr<int> watched = belongings;
  EXPECT_TRUE(strand.post([belongings = std::move(belongings)] {}));
  strand.drain(nullptr);
  EXPECT_TRUE(watched.expired());
}

TEST_F(StrandTest, TheThreadTakesNoSignals) {
  Strand strand;
  sigset_t blocked;
  EXPECT_TRUE(strand.post([&] { pthread_sigmask(SIG_BLOCK, nullptr, &blocked); }));
  strand.drain(nullptr);
  EXPECT_TRUE(sigismember(&blocked, SIGINT));
  EXPECT_TRUE(sigismember(&blocked, SIGALRM));
  sigset_t mine;
  pthread_sigmask(SIG_BLOCK, nullptr, &mine);
  EXPECT_FALSE(sigismember(&mine, SIGALRM));
}

}  // namespace
}  // namespace weir::sys

#include "exec/strand.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "comm/watchdog.h"

namespace weir::exec {
namespace {

class StrandTest : public testing::Test {
 protected:
  Watchdog watchdog_{"a test of Strand"};
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

TEST_F(StrandTest, DrainOfNothingReturns) {
  Strand strand;
  strand.drain();
  strand.drain();
}

TEST_F(StrandTest, PostedJobsRunInOrder) {
  Log log;
  Strand strand;
  for (int i = 0; i < 200; ++i) strand.post(log.entry(i));
  strand.drain();
  EXPECT_EQ(log.numbers(), Log::up_to(200));
}

TEST_F(StrandTest, RunWithoutPostedJobsStaysOnTheCallersThread) {
  Strand strand;
  std::thread::id ran_on;
  strand.run([&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_F(StrandTest, PostedJobsRunElsewhere) {
  Strand strand;
  std::thread::id ran_on = std::this_thread::get_id();
  strand.post([&] { ran_on = std::this_thread::get_id(); });
  strand.drain();
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST_F(StrandTest, RunWaitsForWhatWasPostedBefore) {
  Log log;
  Strand strand;
  for (int i = 0; i < 100; i += 2) {
    strand.post(log.entry(i));
    strand.run(log.entry(i + 1));
  }
  EXPECT_EQ(log.numbers(), Log::up_to(100));
}

TEST_F(StrandTest, WhatIsPostedWaitsForARunningRun) {
  Log log;
  Strand strand;
  strand.run([&] {
    strand.post(log.entry(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    log.entry(0)();
  });
  strand.drain();
  EXPECT_EQ(log.numbers(), Log::up_to(2));
}

TEST_F(StrandTest, PostDoesNotWaitForTheJob) {
  Strand strand;
  std::promise<void> gate;
  strand.post([&] { gate.get_future().wait(); });
  strand.post([] {});
  gate.set_value();  // reached only when both posts returned
  strand.drain();
}

TEST_F(StrandTest, AJobMayPostAnother) {
  Log log;
  Strand strand;
  strand.post([&] {
    strand.post(log.entry(1));
    log.entry(0)();
  });
  strand.drain();
  strand.drain();
  EXPECT_EQ(log.numbers(), Log::up_to(2));
}

TEST_F(StrandTest, TheDestructorFinishesAllJobs) {
  std::atomic<int> done = 0;
  {
    Strand strand;
    for (int i = 0; i < 50; ++i) {
      strand.post([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++done;
      });
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
            strand.post(job);
          } else {
            strand.run(job);
          }
        }
      });
    }
  }
  strand.drain();
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
    strand.post([belongings = std::move(belongings)] {});
    bool gone = false;
    strand.run([&] { gone = watched.expired(); });
    EXPECT_TRUE(gone);
  }
}

TEST_F(StrandTest, AJobsBelongingsAreGoneAfterDrain) {
  Strand strand;
  auto belongings = std::make_shared<int>(1);
  std::weak_ptr<int> watched = belongings;
  strand.post([belongings = std::move(belongings)] {});
  strand.drain();
  EXPECT_TRUE(watched.expired());
}

TEST_F(StrandTest, TheThreadTakesNoSignals) {
  Strand strand;
  sigset_t blocked;
  strand.post([&] { pthread_sigmask(SIG_BLOCK, nullptr, &blocked); });
  strand.drain();
  EXPECT_TRUE(sigismember(&blocked, SIGINT));
  EXPECT_TRUE(sigismember(&blocked, SIGALRM));
  sigset_t mine;
  pthread_sigmask(SIG_BLOCK, nullptr, &mine);
  EXPECT_FALSE(sigismember(&mine, SIGALRM));
}

}  // namespace
}  // namespace weir::exec

#include "sys/waiting.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weir::sys {
namespace {

using namespace std::chrono_literals;

// Somebody who depends on the waiting thread, and opens the word after so many calls.
class Dependent final : public Company, public Watch {
 public:
  Dependent(std::atomic<std::uint32_t>& word, int calls_needed) : word_(word), calls_needed_(calls_needed) {}

  bool progress() override {
    if (++calls_ == calls_needed_) word_.store(1);
    return moves_;
  }
  bool busy() const override { return busy_; }
  Watch* watch() const override { return const_cast<Dependent*>(this); }
  void still_waiting(const Step& step, std::chrono::seconds waited) override {
    EXPECT_STREQ(step.what, "something");
    told_.push_back(waited);
    if (static_cast<int>(told_.size()) == 2) word_.store(1);
  }

  bool moves_ = false;
  bool busy_ = false;
  int calls_ = 0;
  std::vector<std::chrono::seconds> told_;

 private:
  std::atomic<std::uint32_t>& word_;
  int calls_needed_;
};

void wait_until_open(std::atomic<std::uint32_t>& word, const Waiting& how) {
  Wait wait(how);
  while (word.load() == 0) wait.pause(word, 0);
}

// Nobody else would ever open the word.
TEST(Wait, KeepsItsCompanyMoving) {
  for (const bool busy : {false, true}) {
    for (const bool moves : {false, true}) {
      std::atomic<std::uint32_t> word = 0;
      Dependent dependent(word, 20);
      dependent.busy_ = busy;
      dependent.moves_ = moves;
      wait_until_open(word, {&dependent, {"something"}});
      EXPECT_EQ(dependent.calls_, 20);
    }
  }
}

// More moves than a wait makes in one go: it looks for its own word in between, and goes on.
TEST(Wait, CompanyThatAlwaysMovesDoesNotHideTheEnd) {
  std::atomic<std::uint32_t> word = 0;
  Dependent dependent(word, 1000);
  dependent.moves_ = true;
  wait_until_open(word, {&dependent, {"something"}});
  EXPECT_EQ(dependent.calls_, 1000);
}

TEST(Wait, TellsTheTimeOnceASecond) {
  std::atomic<std::uint32_t> word = 0;
  Dependent dependent(word, 1 << 30);
  wait_until_open(word, {&dependent, {"something"}});
  EXPECT_EQ(dependent.told_, (std::vector<std::chrono::seconds>{1s, 2s}));
}

TEST(Wait, IsWokenWhenTheWordChanges) {
  for (int i = 0; i < 200; ++i) {
    std::atomic<std::uint32_t> word = 0;
    std::jthread waker([&] {
      word.store(1);
      wake_all(word);
    });
    wait_until_open(word, {nullptr, {"something"}, i % 3});
  }
}

TEST(Wait, LooksBeforeItSleeps) {
  Wait wait({nullptr, {}, {3}});
  for (int look = 0; look < 3; ++look) {
    EXPECT_FALSE(wait.sleeps());
    wait.pause();
  }
  EXPECT_TRUE(wait.sleeps());
  wait.pause(20us);
  wait.start_over();
  EXPECT_FALSE(wait.sleeps());
}

TEST(PatienceFor, LooksLittleWhereTheOthersNeedTheCore) {
  EXPECT_GT(patience_for(1).looks, patience_for(1 << 20).looks);
  EXPECT_GT(patience_for(1 << 20).looks, 0);
}

TEST(PatienceFor, SleepsLongerTheMoreThereAreToACore) {
  EXPECT_EQ(patience_for(1).idle_sleep, 1ms);
  EXPECT_EQ(patience_for(8 * online_cores()).idle_sleep, 4ms);
  EXPECT_EQ(patience_for(1 << 20).idle_sleep, 10ms);
}

TEST(ThreadTime, CountsWorkAndNotSleep) {
  const auto begin = thread_time();
  sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(thread_time() - begin, 20ms);
}

}  // namespace
}  // namespace weir::sys

#include "comm/slot_ring.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace weir::comm {
namespace {

// A ring with one keeper and several users, each with a handle of its own, and a buffer of plain numbers per slot.
class Ring {
 public:
  explicit Ring(int users) : users_(users), handles_(static_cast<std::size_t>(users) + 1, SlotRing(words_.get())) {
    for (auto& slot : slots_) slot.assign(static_cast<std::size_t>(users), -1);
  }

  SlotRing::Words& words() { return *words_; }
  SlotRing& keeper() { return handles_.back(); }
  SlotRing& user(int user) { return handles_[static_cast<std::size_t>(user)]; }
  int& cell(SlotRing& handle, std::int64_t round, int user) {
    return slots_[handle.slot_of(round)][static_cast<std::size_t>(user)];
  }
  int users() const { return users_; }

  // Runs the keeper here and the users on threads.
  void run(const std::function<void(SlotRing&)>& keeper_part, const std::function<void(SlotRing&, int)>& user_part) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < users_; ++i) threads.emplace_back([&, i] { user_part(user(i), i); });
    keeper_part(keeper());
  }

 private:
  int users_;
  std::unique_ptr<SlotRing::Words> words_ = std::make_unique<SlotRing::Words>();
  std::vector<SlotRing> handles_;
  std::array<std::vector<int>, SlotRing::kMostDepth> slots_;
};

// Who comes in a round: any rule does that both sides know.
bool comes(int user, std::int64_t round) { return (round * 7 + user * 3) % 4 != 0; }

int users_in(const Ring& ring, std::int64_t round) {
  int users = 0;
  for (int i = 0; i < ring.users(); ++i) users += comes(i, round) ? 1 : 0;
  return users;
}

// One call in which users fill slots and the keeper empties them, `depth` rounds ahead at most.
void write_call(Ring& ring, int depth, std::int64_t rounds, int stamp) {
  ring.run(
      [&](SlotRing& keeper) {
        keeper.begin_call(depth);
        keeper.open(std::min<std::int64_t>(depth, rounds) - 1);
        for (std::int64_t round = 0; round < rounds; ++round) {
          keeper.await_users(round, users_in(ring, round));
          for (int i = 0; i < ring.users(); ++i) {
            ASSERT_EQ(ring.cell(keeper, round, i), comes(i, round) ? stamp + round : -1) << "user " << i;
            ring.cell(keeper, round, i) = -1;
          }
          if (round + depth < rounds) keeper.open(round + depth);
        }
        keeper.end_call(rounds);
      },
      [&](SlotRing& handle, int user) {
        handle.begin_call(depth);
        for (std::int64_t round = 0; round < rounds; ++round) {
          if (!comes(user, round)) continue;
          handle.await_open(round);
          EXPECT_EQ(ring.cell(handle, round, user), -1) << "round " << round << " user " << user;
          ring.cell(handle, round, user) = static_cast<int>(stamp + round);
          handle.arrive(round);
        }
        handle.end_call(rounds);
      });
}

// One call in which the keeper fills slots and users empty them.
void read_call(Ring& ring, int depth, std::int64_t rounds, int stamp) {
  ring.run(
      [&](SlotRing& keeper) {
        keeper.begin_call(depth);
        for (std::int64_t round = 0; round < rounds; ++round) {
          const std::int64_t before = round - depth;
          // Looking first changes nothing.
          if (before >= 0 && !keeper.users_came(before, users_in(ring, before))) {
            keeper.await_users(before, users_in(ring, before));
          }
          for (int i = 0; i < ring.users(); ++i) ring.cell(keeper, round, i) = static_cast<int>(stamp + round);
          keeper.open(round);
        }
        for (std::int64_t round = std::max<std::int64_t>(0, rounds - depth); round < rounds; ++round) {
          keeper.await_users(round, users_in(ring, round));
          for (int i = 0; i < ring.users(); ++i) ring.cell(keeper, round, i) = -1;
        }
        keeper.end_call(rounds);
      },
      [&](SlotRing& handle, int user) {
        handle.begin_call(depth);
        for (std::int64_t round = 0; round < rounds; ++round) {
          if (!comes(user, round)) continue;
          handle.await_open(round);
          EXPECT_EQ(ring.cell(handle, round, user), stamp + round) << "user " << user;
          handle.arrive(round);
        }
        handle.end_call(rounds);
      });
}

TEST(SlotRing, ManyRoundsOfWriting) {
  for (int depth = 1; depth <= 5; ++depth) {
    for (const int users : {1, 2, 3, 9}) {
      Ring ring(users);
      write_call(ring, depth, 300, 0);
    }
  }
}

TEST(SlotRing, ManyRoundsOfReading) {
  for (int depth = 1; depth <= 5; ++depth) {
    for (const int users : {1, 2, 3, 9}) {
      Ring ring(users);
      read_call(ring, depth, 300, 0);
    }
  }
}

// The words carry on from call to call: depth, number of rounds and direction may change, and users may be elsewhere
// for a whole call.
TEST(SlotRing, CallsFollowEachOther) {
  Ring ring(5);
  std::mt19937 random(3);
  for (int call = 0; call < 60; ++call) {
    const int depth = 1 + static_cast<int>(random() % 5);
    const auto rounds = 1 + static_cast<std::int64_t>(random() % 12);
    if (random() % 2 == 0) {
      write_call(ring, depth, rounds, 1000 * call);
    } else {
      read_call(ring, depth, rounds, 1000 * call);
    }
  }
}

TEST(SlotRing, ACallWithoutRoundsChangesNothing) {
  Ring ring(2);
  write_call(ring, 2, 3, 0);
  for (int user = 0; user < 2; ++user) {
    ring.user(user).begin_call(4);
    ring.user(user).end_call(0);
  }
  ring.keeper().begin_call(4);
  ring.keeper().end_call(0);
  write_call(ring, 3, 7, 100);
}

// A user that brings nothing waits for the round to be open all the same: one that arrived early would stand for a user
// of the round that had the slot before.
TEST(SlotRing, AUserWithoutBytesCannotBeCountedForAnEarlierRound) {
  constexpr std::int64_t kRounds = 200;
  for (int depth = 1; depth <= 3; ++depth) {
    Ring ring(2);
    ring.run(
        [&](SlotRing& keeper) {
          keeper.begin_call(depth);
          keeper.open(depth - 1);
          for (std::int64_t round = 0; round < kRounds; ++round) {
            keeper.await_users(round, 2);
            ASSERT_EQ(ring.cell(keeper, round, 0), round);  // the slow user's bytes are there
            if (round + depth < kRounds) keeper.open(round + depth);
          }
        },
        [&](SlotRing& handle, int user) {
          handle.begin_call(depth);
          for (std::int64_t round = 0; round < kRounds; ++round) {
            handle.await_open(round);
            if (user == 0) {
              if (round % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
              ring.cell(handle, round, 0) = static_cast<int>(round);
            }
            handle.arrive(round);
          }
        });
  }
}

TEST(SlotRing, RoundsUseTheSlotsInTurn) {
  Ring ring(1);
  ring.keeper().begin_call(3);
  for (std::int64_t round = 0; round < 10; ++round) {
    EXPECT_EQ(ring.keeper().slot_of(round), static_cast<std::size_t>(round % 3));
  }
}

// All 32-bit numbers as they are after many calls: a little below the greatest.
void bring_near_the_limit(Ring& ring) {
  constexpr std::uint32_t kHalf = 0x7ffffff0;
  for (int half = 1; half <= 2; ++half) {
    const std::uint32_t value = static_cast<std::uint32_t>(half) * kHalf;
    ring.words().opened.raise_to(value);
    for (sys::Latch& latch : ring.words().arrived) latch.raise_to(value);
    ring.keeper().begin_call(SlotRing::kMostDepth);
    for (std::int64_t slot = 0; slot < SlotRing::kMostDepth; ++slot) ring.keeper().await_users(slot, kHalf);
    ring.keeper().end_call(kHalf);
    for (int user = 0; user < ring.users(); ++user) ring.user(user).end_call(kHalf);
  }
}

TEST(SlotRing, NumbersWrapAround) {
  for (const int depth : {1, 2, 5}) {
    Ring ring(3);
    bring_near_the_limit(ring);
    write_call(ring, depth, 100, 0);
    read_call(ring, depth, 100, 1000);
    write_call(ring, depth, 400, 2000);
  }
}

}  // namespace
}  // namespace weir::comm

// When the watchdog speaks, and on which rank.
#include "exec/call/watchdog.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "comm/thread_comm.h"
#include "exec/call/presence_memory.h"
#include "exec/call/watched_calls.h"

namespace weir::exec {
namespace {

using std::chrono::seconds;
using namespace std::chrono_literals;

// ---- Watchdogs of several ranks; what they say is collected ----

struct Heard {
  std::vector<std::string> texts;
  int aborts = 0;
};

// Ranks of one process that share memory by node, as processes would. Each has a room of its own.
class Dogs {
 public:
  explicit Dogs(int ranks, int ranks_per_node = 0, bool share = true, const std::string& path = "f")
      : group_(ranks, ranks_per_node) {
    for (int rank = 0; rank < ranks; ++rank) {
      comms_.push_back(group_.comm(rank));
      rooms_.push_back(std::make_unique<WatchRoom>());
      add(rank, path);
    }
    const comm::Topology& topology = comms_[0]->topology();
    for (int node = 0; share && node < topology.node_count(); ++node) {
      const std::vector<int> members = topology.ranks_of(node);
      memories_.push_back(std::make_unique<PresenceMemory>(members.size()));
      for (const int rank : members) of(rank).use(memories_.back()->board());
    }
  }

  Watchdog& of(int rank) { return *dogs_[static_cast<std::size_t>(rank)]; }
  WatchRoom& room_of(int rank) { return *rooms_[static_cast<std::size_t>(rank)]; }
  const comm::Comm& comm_of(int rank) { return *comms_[static_cast<std::size_t>(rank)]; }
  PresenceBoard board(int node = 0) { return memories_[static_cast<std::size_t>(node)]->board(); }
  void all_enter(CallCode call) {
    for (auto& dog : dogs_) dog->enter(call);
  }
  void set_all(const WatchSettings& settings) {
    for (auto& dog : dogs_) dog->set(settings);
  }
  Voice voice() {
    return {[this](const std::string& text) { heard.texts.push_back(text); }, [this] { ++heard.aborts; }};
  }

  Heard heard;

 private:
  void add(int rank, const std::string& path) {
    dogs_.push_back(std::make_unique<Watchdog>(path, comm_of(rank), room_of(rank), voice()));
  }

  comm::ThreadGroup group_;
  std::vector<std::unique_ptr<comm::ThreadComm>> comms_;
  std::vector<std::unique_ptr<WatchRoom>> rooms_;
  std::vector<std::unique_ptr<PresenceMemory>> memories_;
  std::vector<std::unique_ptr<Watchdog>> dogs_;
};

constexpr sys::Step kForOthers = {"the other ranks of this node"};

TEST(Watchdog, SpeaksAfterItsLimitAndOncePerCall) {
  Dogs dogs(3);
  dogs.set_all({10s, false});
  for (const int rank : {0, 2}) dogs.of(rank).enter(kSync);
  for (int second = 1; second < 10; ++second) {
    for (const int rank : {0, 2}) dogs.of(rank).still_waiting(kForOthers, seconds(second));
  }
  EXPECT_TRUE(dogs.heard.texts.empty());
  for (int second = 10; second < 20; ++second) {
    for (const int rank : {2, 0}) dogs.of(rank).still_waiting(kForOthers, seconds(second));
  }
  const std::string text = "watchdog: ranks 0, 2 have waited 10 s in MPI_File_sync of 'f'. Rank 1 has not entered it: ";
  EXPECT_EQ(dogs.heard.texts, std::vector<std::string>{text + "it has called nothing else on this file."});
  EXPECT_EQ(dogs.heard.aborts, 0);

  dogs.of(1).enter(kSync);
  for (int rank = 0; rank < 3; ++rank) dogs.of(rank).leave();
  dogs.of(1).enter(kClose);
  dogs.of(1).still_waiting(kForOthers, 10s);
  ASSERT_EQ(dogs.heard.texts.size(), 2U);
  EXPECT_EQ(dogs.heard.texts[1],
            "watchdog: rank 1 has waited 10 s in MPI_File_close of 'f'. Rank 0 has not entered it: its last call on "
            "this file was MPI_File_sync, which it left 0 s ago. Rank 2 has not entered it: its last call on this file "
            "was MPI_File_sync, which it left 0 s ago.");
}

TEST(Watchdog, RanksInDifferentCallsDoNotTakeTurns) {
  Dogs dogs(2);
  dogs.set_all({1s, false});
  dogs.all_enter(kSync);
  dogs.of(1).leave();
  dogs.of(1).enter(kClose);
  for (int second = 1; second < 5; ++second) {
    for (const int rank : {1, 0}) dogs.of(rank).still_waiting(kForOthers, seconds(second));
  }
  ASSERT_EQ(dogs.heard.texts.size(), 1U);
  EXPECT_EQ(dogs.heard.texts[0],
            "watchdog: rank 1 has waited 1 s in MPI_File_close of 'f'. Rank 0 has not entered it: it is at work in an "
            "earlier call, MPI_File_sync.");
}

TEST(Watchdog, EndsTheJobWhereItIsAskedTo) {
  Dogs dogs(2);
  dogs.set_all({2s, true});
  dogs.of(0).enter(kSync);
  dogs.of(0).still_waiting(kForOthers, 2s);
  ASSERT_EQ(dogs.heard.texts.size(), 2U);
  EXPECT_EQ(dogs.heard.texts[1], "watchdog: the job ends (weir_watchdog_abort)");
  EXPECT_EQ(dogs.heard.aborts, 1);
}

TEST(Watchdog, IsSilentWithoutALimit) {
  Dogs dogs(2);
  dogs.set_all({0s, true});
  dogs.of(0).enter(kSync);
  dogs.of(0).still_waiting(kForOthers, 100000s);
  EXPECT_TRUE(dogs.heard.texts.empty());
  EXPECT_EQ(dogs.heard.aborts, 0);
}

// Independent calls that go on beside the program; and a thread that waits for the one in the call.
TEST(Watchdog, HearsOnlyTheThreadInTheCall) {
  Dogs dogs(2);
  dogs.set_all({1s, true});
  dogs.of(0).still_waiting({"calls of this rank"}, 5s);
  dogs.of(0).enter(kSync);
  std::jthread([&] { dogs.of(0).still_waiting({"a call that this rank has started"}, 5s); }).join();
  EXPECT_TRUE(dogs.heard.texts.empty());
  EXPECT_EQ(dogs.board().of_member[0].see().waits_for, "");
  dogs.of(0).leave();
  dogs.of(0).still_waiting({"calls of this rank"}, 5s);
  EXPECT_TRUE(dogs.heard.texts.empty());
}

TEST(Watchdog, AllInsideTellWhatTheyWaitFor) {
  Dogs dogs(3);
  dogs.set_all({2s, false});
  dogs.all_enter(kWriteAtAll);
  for (int rank = 0; rank < 3; ++rank) dogs.of(rank).all_have_met();
  dogs.of(0).still_waiting({"the window of an aggregator", 1, 4}, 1s);
  dogs.of(2).still_waiting({"the window of an aggregator", 1, 4}, 2s);
  EXPECT_EQ(dogs.heard.texts,
            std::vector<std::string>{"watchdog: MPI_File_write_at_all of 'f' has taken 2 s. Ranks 0, 2 wait for the "
                                     "window of an aggregator (rank 1), round 4. Rank 1 is at work in it (copying, or "
                                     "in the file system)."});
}

TEST(Watchdog, ARankThatWaitsInAnotherFileIsSeenToDoSo) {
  Dogs dogs(2);
  dogs.set_all({2s, false});
  PresenceMemory other_memory(2);
  Watchdog other("other", dogs.comm_of(1), dogs.room_of(1), dogs.voice());
  other.use(other_memory.board());
  other.enter(kReadAll);
  other.still_waiting(kForOthers, 1s);
  dogs.of(0).enter(kSync);
  dogs.of(0).still_waiting(kForOthers, 2s);
  EXPECT_EQ(dogs.heard.texts,
            std::vector<std::string>{"watchdog: rank 0 has waited 2 s in MPI_File_sync of 'f'. Rank 1 has not entered "
                                     "it: it is in MPI_File_read_all of 'other'."});
  other.leave();
  EXPECT_EQ(dogs.board().of_member[1].see().elsewhere, "");
}

TEST(Watchdog, LeavesTheMemoryAlone) {
  Dogs dogs(1);
  dogs.of(0).enter(kClose);
  dogs.of(0).still_waiting(kForOthers, 1s);
  dogs.of(0).stop_using();
  const Presence::Sighting before = dogs.board().of_member[0].see();
  EXPECT_FALSE(before.inside);
  EXPECT_EQ(before.waits_for, "");
  dogs.of(0).leave();
  dogs.of(0).enter(kSync);
  EXPECT_EQ(dogs.board().of_member[0].see().calls, before.calls);
}

// ---- Processes that have died ----

int dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return child;
}

// An entry as a process that is gone has left it.
void put_process(Presence& entry, std::int32_t process) {
  std::atomic_ref(*reinterpret_cast<std::int32_t*>(&entry)).store(process);
  ASSERT_EQ(entry.see().process, process);
}

TEST(Watchdog, EndsTheJobWhenAProcessHasDied) {
  Dogs dogs(3);
  dogs.set_all({0s, false});
  const int gone = dead_process();
  put_process(dogs.board().of_member[1], gone);
  dogs.of(0).enter(kSync);
  dogs.of(0).still_waiting(kForOthers, 1s);
  EXPECT_EQ(dogs.heard.aborts, 1);
  EXPECT_EQ(dogs.heard.texts, std::vector<std::string>{"rank 1 (process " + std::to_string(gone) +
                                                       ") is gone; others wait for it in MPI_File_sync of 'f': the "
                                                       "job ends"});
}

// A rank that has not opened the file yet has no process, and one in another container has other numbers.
TEST(Watchdog, KnowsNothingOfProcessesElsewhere) {
  Dogs dogs(3);
  put_process(dogs.board().of_member[1], 0);
  PresenceMemory far(1);  // never came: its space is unknown
  put_process(far.board().of_member[0], dead_process());
  std::memcpy(static_cast<void*>(&dogs.board().of_member[2]), static_cast<const void*>(&far.board().of_member[0]),
              sizeof(Presence));
  dogs.of(0).enter(kSync);
  dogs.of(0).still_waiting(kForOthers, 1s);
  EXPECT_EQ(dogs.heard.aborts, 0);
}

// ---- Between nodes ----

sys::Step from(int rank) { return {"messages of other ranks", rank}; }

// Ranks 0-1, 2-3 and 4: those who share a node with the missing one speak, or its neighbour when there are none.
TEST(Watchdog, TheNodeOfTheMissingRankSpeaks) {
  Dogs dogs(5, 2);
  dogs.set_all({2s, false});
  for (const int rank : {0, 1, 2, 4}) dogs.of(rank).enter(kSync);
  dogs.of(0).still_waiting(from(2), 2s);
  dogs.of(1).still_waiting(from(3), 2s);
  dogs.of(4).still_waiting(from(1), 2s);
  EXPECT_TRUE(dogs.heard.texts.empty());
  dogs.of(2).still_waiting(from(3), 2s);
  EXPECT_EQ(dogs.heard.texts,
            std::vector<std::string>{"watchdog: rank 2 has waited 2 s in MPI_File_sync of 'f'. Rank 3 has not entered "
                                     "it: it has called nothing else on this file."});
}

TEST(Watchdog, ALonelyRankIsMissedByTheOneBefore) {
  Dogs dogs(5, 2);
  dogs.set_all({2s, false});
  for (const int rank : {0, 1, 2, 3}) dogs.of(rank).enter(kSync);
  dogs.of(0).still_waiting(from(4), 2s);  // a later step
  dogs.of(1).still_waiting(from(3), 2s);
  dogs.of(2).still_waiting(from(4), 2s);
  EXPECT_TRUE(dogs.heard.texts.empty());
  for (int second = 2; second < 5; ++second) dogs.of(3).still_waiting(from(4), seconds(second));
  EXPECT_EQ(dogs.heard.texts,
            std::vector<std::string>{"watchdog: rank 3 has waited 2 s in MPI_File_sync of 'f' for messages of other "
                                     "ranks (rank 4). Rank 4 has not entered it."});
}

TEST(Watchdog, NodesThatShareNothingMissTheNext) {
  Dogs dogs(3, 1, false);
  dogs.set_all({2s, false});
  for (const int rank : {0, 2}) dogs.of(rank).enter(kSync);
  dogs.of(2).still_waiting(from(1), 2s);
  EXPECT_TRUE(dogs.heard.texts.empty());
  dogs.of(0).still_waiting(from(1), 2s);
  EXPECT_EQ(dogs.heard.texts,
            std::vector<std::string>{"watchdog: rank 0 has waited 2 s in MPI_File_sync of 'f' for messages of other "
                                     "ranks (rank 1). Rank 1 has not entered it."});
}

// All have come to an open, where nothing is shared yet: one of many speaks.
TEST(Watchdog, InAnOpenTheNeighbourOfTheSlowRankSpeaks) {
  Dogs dogs(4, 0, false);
  dogs.set_all({2s, false});
  dogs.all_enter(kOpen);
  for (int rank = 0; rank < 4; ++rank) dogs.of(rank).all_have_met();
  dogs.of(1).still_waiting(from(3), 2s);
  dogs.of(2).still_waiting(from(0), 2s);
  EXPECT_TRUE(dogs.heard.texts.empty());
  dogs.of(3).still_waiting(from(0), 2s);
  EXPECT_EQ(dogs.heard.texts, std::vector<std::string>{"watchdog: rank 3 has waited 2 s in MPI_File_open of 'f' for "
                                                       "messages of other ranks (rank 0)."});
}

}  // namespace
}  // namespace weir::exec

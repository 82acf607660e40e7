// What a rank that has waited too long says of what it sees.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/call/watchdog.h"
#include "exec/call/watched_calls.h"

namespace weir::exec {
namespace {

using std::chrono::seconds;
using namespace std::chrono_literals;

TEST(TextOfRanks, JoinsNeighbours) {
  EXPECT_EQ(text_of_ranks({}), "");
  EXPECT_EQ(text_of_ranks({5}), "5");
  EXPECT_EQ(text_of_ranks({0, 1}), "0-1");
  EXPECT_EQ(text_of_ranks({0, 1, 2, 3, 4, 5, 6, 8}), "0-6, 8");
  EXPECT_EQ(text_of_ranks({1, 3, 5}), "1, 3, 5");
}

// ---- explain(): what is seen, in words ----

Presence::Sighting sighting(std::uint32_t calls, CallCode call) {
  Presence::Sighting seen;
  seen.process = 1;
  seen.calls = calls;
  seen.call = call;
  return seen;
}

Presence::Sighting in_call(std::uint32_t calls, CallCode call, const std::string& waits_for = "") {
  Presence::Sighting seen = sighting(calls, call);
  seen.inside = true;
  seen.waits_for = waits_for;
  return seen;
}

Presence::Sighting left(std::uint32_t calls, CallCode call, seconds ago) {
  Presence::Sighting seen = sighting(calls, call);
  seen.age = ago;
  return seen;
}

// Ranks 0, 1, ... of a node, in their call number 7 or not yet.
Scene scene_of(CallCode call, const std::vector<Presence::Sighting>& ranks) {
  Scene scene{"run.h5", call, 7, 300s, {}};
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) scene.node.emplace_back(static_cast<int>(rank), ranks[rank]);
  return scene;
}

TEST(Explain, OneMissing) {
  const auto here = in_call(7, kWriteAtAll, "ranks of this node");
  const Scene scene = scene_of(kWriteAtAll, {here, here, left(6, kSync, 312s), here});
  EXPECT_EQ(missing_in(scene), std::vector<int>{2});
  EXPECT_EQ(explain(scene),
            "ranks 0-1, 3 have waited 300 s in MPI_File_write_at_all of 'run.h5'. Rank 2 has not entered it: its last "
            "call on this file was MPI_File_sync, which it left 312 s ago.");
}

TEST(Explain, SeveralMissing) {
  const Scene scene =
      scene_of(kSync, {left(6, kReadAll, 301s), in_call(7, kSync), left(5, kWriteAtAll, 4s), sighting(0, {})});
  EXPECT_EQ(missing_in(scene), (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(explain(scene),
            "rank 1 has waited 300 s in MPI_File_sync of 'run.h5'. Rank 0 has not entered it: its last call on this "
            "file was MPI_File_read_all, which it left 301 s ago. Rank 2 has not entered it: its last call on this "
            "file was MPI_File_write_at_all, which it left 4 s ago. Rank 3 has not entered it: it has called nothing "
            "else on this file.");
}

TEST(Explain, MissingInAnotherFile) {
  Presence::Sighting elsewhere = left(6, kSync, 400s);
  elsewhere.elsewhere = "MPI_File_write_all of 'other.h5'";
  EXPECT_EQ(explain(scene_of(kSync, {in_call(7, kSync), elsewhere})),
            "rank 0 has waited 300 s in MPI_File_sync of 'run.h5'. Rank 1 has not entered it: it is in "
            "MPI_File_write_all of 'other.h5'.");
}

TEST(Explain, MissingInAnEarlierCall) {
  EXPECT_EQ(explain(scene_of(kSync, {in_call(7, kSync), in_call(6, kWriteAtAll, "messages of other ranks (rank 9)")})),
            "rank 0 has waited 300 s in MPI_File_sync of 'run.h5'. Rank 1 has not entered it: it waits in an earlier "
            "call, MPI_File_write_at_all, for messages of other ranks (rank 9).");
  EXPECT_EQ(explain(scene_of(kSync, {in_call(7, kSync), in_call(6, kWriteAtAll)})),
            "rank 0 has waited 300 s in MPI_File_sync of 'run.h5'. Rank 1 has not entered it: it is at work in an "
            "earlier call, MPI_File_write_at_all.");
}

// Its last call was on the file that had the memory before.
TEST(Explain, MissingInAnOpen) {
  EXPECT_EQ(explain(scene_of(kOpen, {in_call(7, kOpen), left(6, kClose, 9s), Presence::Sighting()})),
            "rank 0 has waited 300 s in MPI_File_open of 'run.h5'. Rank 1 has not entered it: its last call on an "
            "earlier file was MPI_File_close, which it left 9 s ago. Rank 2 has not entered it: it has not opened the "
            "file.");
}

TEST(Explain, AllInside) {
  const auto waits = [](const char* what) { return in_call(7, kWriteAtAll, what); };
  EXPECT_EQ(
      explain(scene_of(kWriteAtAll, {waits("a window"), waits("messages"), waits("a window"), waits("a window")})),
      "MPI_File_write_at_all of 'run.h5' has taken 300 s. Ranks 0, 2-3 wait for a window. Rank 1 waits for "
      "messages.");
  EXPECT_EQ(explain(scene_of(kWriteAtAll, {waits("a window"), in_call(7, kWriteAtAll)})),
            "MPI_File_write_at_all of 'run.h5' has taken 300 s. Rank 0 waits for a window. Rank 1 is at work in it "
            "(copying, or in the file system).");
  EXPECT_EQ(explain(scene_of(kWriteAtAll, {in_call(7, kWriteAtAll), in_call(7, kWriteAtAll)})),
            "MPI_File_write_at_all of 'run.h5' has taken 300 s. Ranks 0-1 are at work in it (copying, or in the file "
            "system).");
}

// Another may be a call further when this one looks.
TEST(Explain, NumbersOfCallsWrapAround) {
  Scene scene = scene_of(kSync, {in_call(3, kSync), in_call(0xFFFFFFFF, kClose)});
  scene.calls = 3;
  EXPECT_EQ(missing_in(scene), std::vector<int>{1});
  scene.calls = 0xFFFFFFFF;
  EXPECT_TRUE(missing_in(scene).empty());
}

}  // namespace
}  // namespace weir::exec

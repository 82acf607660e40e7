// What one rank of a node writes and another reads.
#include "exec/call/presence.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "exec/call/presence_memory.h"

namespace weir::exec {
namespace {

constexpr CallCode kSync = {CallKind::kSync};

TEST(Presence, IsNobodyAtFirst) {
  PresenceMemory memory(3);
  ASSERT_EQ(memory.board().of_member.size(), 3U);
  EXPECT_EQ(memory.board().told->load(), 0U);
  for (const Presence& presence : memory.board().of_member) {
    const Presence::Sighting seen = presence.see();
    EXPECT_EQ(seen.process, 0);
    EXPECT_EQ(seen.calls, 0U);
    EXPECT_EQ(seen.call, CallCode{});
    EXPECT_FALSE(seen.inside);
    EXPECT_EQ(seen.waits_for, "");
    EXPECT_EQ(seen.elsewhere, "");
  }
}

TEST(Presence, IsSeenByOthersWhereItIs) {
  PresenceMemory memory(2);
  Presence& mine = memory.board().of_member[1];
  mine.come();
  EXPECT_EQ(memory.board().of_member[1].see().process, getpid());
  EXPECT_EQ(memory.board().of_member[1].see().processes, process_space());
  EXPECT_FALSE(mine.see().inside);
  mine.enter(kSync);
  EXPECT_EQ(mine.see().calls, 1U);
  EXPECT_EQ(mine.see().call, kSync);
  EXPECT_TRUE(mine.see().inside);
  EXPECT_LE(mine.see().age.count(), 1);
  mine.leave();
  EXPECT_EQ(mine.see().calls, 1U);
  EXPECT_EQ(mine.see().call, kSync);
  EXPECT_FALSE(mine.see().inside);
  EXPECT_EQ(memory.board().of_member[0].see().process, 0);
}

TEST(Presence, TellsWhatItWaitsFor) {
  PresenceMemory memory(1);
  Presence& mine = memory.board().of_member[0];
  mine.wait_for("a window");
  mine.wait_elsewhere("MPI_File_sync of 'other'");
  EXPECT_EQ(mine.see().waits_for, "a window");
  EXPECT_EQ(mine.see().elsewhere, "MPI_File_sync of 'other'");
  mine.wait_for("");
  EXPECT_EQ(mine.see().waits_for, "");
  EXPECT_EQ(mine.see().elsewhere, "MPI_File_sync of 'other'");
}

TEST(Presence, CutsLongTexts) {
  PresenceMemory memory(2);
  Presence& mine = memory.board().of_member[0];
  const std::string text(500, 'x');
  mine.wait_elsewhere(text);
  EXPECT_EQ(mine.see().elsewhere, text.substr(0, 119));
  EXPECT_EQ(mine.see().waits_for, "");
  mine.wait_for(text);
  EXPECT_EQ(mine.see().waits_for, text.substr(0, 119));
  EXPECT_EQ(memory.board().of_member[1].see().process, 0);
  EXPECT_EQ(memory.board().of_member[1].see().elsewhere, "");
}

// A file that takes the memory over goes on counting, and waits for nothing yet.
TEST(Presence, ComesAgain) {
  PresenceMemory memory(1);
  Presence& mine = memory.board().of_member[0];
  mine.come();
  mine.enter(kSync);
  mine.wait_for("a window");
  mine.wait_elsewhere("MPI_File_sync of 'other'");
  mine.come();
  EXPECT_EQ(mine.see().calls, 1U);
  EXPECT_FALSE(mine.see().inside);
  EXPECT_EQ(mine.see().waits_for, "");
  EXPECT_EQ(mine.see().elsewhere, "");
}

}  // namespace
}  // namespace weir::exec

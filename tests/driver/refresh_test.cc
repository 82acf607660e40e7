// What is asked of the system so that a node sees what others wrote.
#include "driver/refresh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace weir::driver {
namespace {

class NotedSyscalls final : public Syscalls {
 public:
  int advise_dontneed(int, off_t offset, off_t bytes) override {
    return note(fmt::format("drop {} {}", offset, bytes));
  }
  int renew_attributes(int) override { return note("attributes"); }
  int fallocate_inside(int, off_t offset, off_t bytes) override {
    return note(fmt::format("allocate {} {}", offset, bytes));
  }
  int set_lock(int, const flock& lock) override {
    return note(
        fmt::format("{} lock {} {}", lock.l_type == F_RDLCK ? "shared" : "exclusive", lock.l_start, lock.l_len));
  }
  void pause(std::chrono::microseconds duration) override { note(fmt::format("pause {}", duration.count())); }

  std::vector<std::string> notes;

 private:
  int note(std::string text) {
    notes.push_back(std::move(text));
    return 0;
  }
};

using Notes = std::vector<std::string>;

TEST(Refresh, NothingWhereNoOtherNodeHasTheFile) {
  NotedSyscalls system;
  refresh({system, 3, kLocal, true, true});
  refresh_range({system, 3, kLocal, true, true}, {0, 10});
  EXPECT_EQ(system.notes, Notes());
}

TEST(Refresh, DropsAllPagesAndAsksForTheSize) {
  NotedSyscalls system;
  refresh({system, 3, kMoosefs, true, false});
  EXPECT_EQ(system.notes, (Notes{"attributes", "drop 0 0"}));
}

TEST(Refresh, OnCephfsTheSizeIsAskedForOnlyWhereItIsWanted) {
  NotedSyscalls system;
  refresh({system, 3, kCeph, true, true});
  refresh_range({system, 3, kCeph, true, true}, {0, 65536});
  refresh_bytes({system, 3, kCeph, true, true});
  EXPECT_EQ(system.notes, (Notes{"attributes", "drop 0 0", "attributes", "drop 0 65536", "drop 0 0"}));
}

TEST(Refresh, ElsewhereTheSizeIsAskedForWithTheBytes) {
  NotedSyscalls system;
  refresh_bytes({system, 3, kMoosefs, true, true});
  EXPECT_EQ(system.notes, (Notes{"attributes", "drop 0 0"}));
}

TEST(Refresh, OfALockedRangeTakesWholePages) {
  NotedSyscalls system;
  refresh_range({system, 3, kNfs, true, true}, {65536 + 1, 2 * 65536 + 1});
  refresh_range({system, 3, kNfs, true, true}, {65536, 2 * 65536});
  refresh_range({system, 3, kNfs, true, true}, {70000, std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(system.notes,
            (Notes{"attributes", "drop 65536 131072", "attributes", "drop 65536 65536", "attributes", "drop 65536 0"}));
}

TEST(Refresh, OfNoBytesAsksForTheSizeOnly) {
  NotedSyscalls system;
  refresh_range({system, 3, kMoosefs, true, true}, {});
  refresh_range({system, 3, kGluster, true, true}, {70000, 70000});
  refresh_range({system, 3, kCeph, true, true}, {});
  EXPECT_EQ(system.notes, (Notes{"attributes", "allocate 0 1", "attributes", "attributes"}));
}

// Openers that cannot read have exclusive locks, apart from each other.
TEST(Refresh, NfsClientsAreGivenALockBehindAllBytes) {
  NotedSyscalls system;
  refresh({system, 3, kNfs, true, true, 77});
  refresh({system, 3, kNfs, true, false, 78});
  refresh({system, 3, kNfs, false, true, 79});
  EXPECT_EQ(system.notes,
            (Notes{"shared lock 4611686018427387904 1", "attributes", "drop 0 0", "shared lock 4611686018427387904 1",
                   "attributes", "drop 0 0", "exclusive lock 4611686018427387983 1", "attributes", "drop 0 0"}));
}

TEST(Refresh, GlusterfsIsMadeToForget) {
  NotedSyscalls system;
  refresh({system, 3, kGluster, true, true});
  EXPECT_EQ(system.notes, (Notes{"allocate 0 1", "attributes", "drop 0 0"}));
}

TEST(Refresh, ReadersOnGlusterfsWaitUntilItForgets) {
  NotedSyscalls system;
  refresh({system, 3, kGluster, true, false});
  refresh_range({system, 3, kGluster, true, false}, {0, 65536});
  EXPECT_EQ(system.notes, (Notes{"pause 1100000", "attributes", "drop 0 0", "attributes", "drop 0 65536"}));
}

}  // namespace
}  // namespace weir::driver

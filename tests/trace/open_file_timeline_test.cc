// What files show on the timelines of their ranks, with ranks as threads.
#include <gtest/gtest.h>

#include <set>

#include "driver/memory.h"
#include "exec/file_ranks.h"
#include "trace/nesting.h"

namespace weir::exec {
namespace {

constexpr std::int64_t kBlock = 16;
constexpr std::int64_t kBytes = 4096;  // of a rank

std::unique_ptr<OpenFile> open_shown(Rank& rank, driver::FileDriver& driver, const hints::HintSet& hints,
                                     trace::Timeline& timeline) {
  OpenArguments arguments{"f", kCreateMode, hints};
  arguments.timeline = &timeline;
  auto file = OpenFile::open(driver, rank.wiring(), arguments);
  EXPECT_TRUE(file.ok());
  if (!file.ok()) std::abort();
  return std::move(file).value();
}

hints::HintSet many_rounds() {
  hints::HintSet hints;
  EXPECT_TRUE(hints.set(hints::Id::kWeirMethod, "two_phase").ok());
  EXPECT_TRUE(hints.set(hints::Id::kCbNodes, "1").ok());
  EXPECT_TRUE(hints.set(hints::Id::kCbBufferSize, "1024").ok());
  return hints;
}

// Writes and reads by all ranks together, in many rounds, and by each alone.
trace::RankTimeline timeline_of(Rank& rank, driver::FileDriver& driver) {
  trace::Timeline timeline;
  auto file = open_shown(rank, driver, many_rounds(), timeline);
  EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), rank.size(), kBlock), 1).ok());
  Bytes bytes = pattern(kBytes);
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    EXPECT_TRUE(run_transfer(*file, transfer_of(direction, Positioning::kExplicit, true, bytes)).status.ok());
  }
  EXPECT_TRUE(write_explicit(*file, 0, pattern(kBytes)).status.ok());
  EXPECT_TRUE(file->sync().ok());
  EXPECT_TRUE(file->close().ok());
  return timeline.value();
}

std::set<std::string> names_in(const trace::RankTimeline& rank) { return {rank.names.begin(), rank.names.end()}; }

void expect_all_steps(const trace::RankTimeline& timeline, bool aggregates) {
  const std::set<std::string> names = names_in(timeline);
  for (const char* call : {"MPI_File_open", "MPI_File_set_view", "MPI_File_write_at_all", "MPI_File_read_at_all",
                           "MPI_File_write_at", "MPI_File_sync", "MPI_File_close"}) {
    EXPECT_TRUE(names.contains(call)) << call;
  }
  for (const char* step : {"meet", "inspect", "copy", "agree", "wait"}) EXPECT_TRUE(names.contains(step)) << step;
  std::set<std::int64_t> rounds;
  for (const trace::Event& event : timeline.events) {
    EXPECT_EQ(timeline.files[static_cast<std::size_t>(event.file)], "f");
    if (timeline.names[static_cast<std::size_t>(event.name)] == "file") rounds.insert(event.detail.round);
  }
  EXPECT_EQ(rounds.size() > 2, aggregates) << "one file access a round, by the aggregator";
}

TEST(OpenFileTimeline, CallsAndStepsAreShownInTheirOrder) {
  driver::MemoryDriver driver;
  run_file_ranks(4, 0, [&](Rank& rank) {
    const trace::RankTimeline timeline = timeline_of(rank, driver);
    trace::expect_nesting(timeline);
    expect_all_steps(timeline, rank.number() == 0);
  });
}

TEST(OpenFileTimeline, BetweenNodesMessagesAreShownToo) {
  driver::MemoryDriver driver;
  run_file_ranks(4, 2, [&](Rank& rank) {
    const trace::RankTimeline timeline = timeline_of(rank, driver);
    trace::expect_nesting(timeline);
    const bool first_of_node = rank.number() % 2 == 0;
    EXPECT_TRUE(!first_of_node || names_in(timeline).contains("exchange")) << rank.number();
  });
}

TEST(OpenFileTimeline, TheFileLaneHasATrackOfItsOwn) {
  driver::MemoryDriver driver;
  run_file_ranks(2, [&](Rank& rank) {
    const trace::RankTimeline timeline = timeline_of(rank, driver);
    const bool has_lane =
        std::find(timeline.tracks.begin(), timeline.tracks.end(), "file lane") != timeline.tracks.end();
    EXPECT_EQ(has_lane, rank.number() == 0);
  });
}

}  // namespace
}  // namespace weir::exec

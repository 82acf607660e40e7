// Timelines as values: what is kept, and how it is written.
#include "trace/timeline.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "trace/clock_fit.h"
#include "trace/timeline_json.h"

namespace weir::trace {
namespace {

constexpr ClockFit kSameClock = {};

TEST(Timeline, EventsNamesAndFilesAreKept) {
  Timeline timeline;
  const int file = timeline.add_file("/scratch/a");
  EXPECT_EQ(timeline.add_file("/scratch/b"), file + 1);
  EXPECT_EQ(timeline.add_file("/scratch/a"), file) << "a file that is opened again is the same";
  timeline.add("copy", file, 10, 20, {3, 4096});
  timeline.add("file", file, 30, 40, {});
  timeline.add("copy", file, 50, 60, {});
  const RankTimeline value = timeline.value();
  EXPECT_EQ(value.names, (std::vector<std::string>{"copy", "file"}));
  EXPECT_EQ(value.files, (std::vector<std::string>{"/scratch/a", "/scratch/b"}));
  EXPECT_EQ(value.tracks, std::vector<std::string>{"calls"});
  ASSERT_EQ(value.events.size(), 3U);
  EXPECT_EQ(value.events[0], (Event{0, 0, file, 10, 20, {3, 4096}}));
  EXPECT_EQ(value.events[2].name, 0);
  EXPECT_EQ(value.dropped, 0);
}

TEST(Timeline, TheOldestAreDroppedAndCounted) {
  Timeline timeline(4);
  for (int i = 0; i < 10; ++i) timeline.add("copy", kNoFile, i, i + 1, {i});
  const RankTimeline value = timeline.value();
  ASSERT_EQ(value.events.size(), 4U);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(value.events[static_cast<std::size_t>(i)].detail.round, 6 + i);
  EXPECT_EQ(value.dropped, 6);
}

TEST(Timeline, EveryThreadHasATrackNamedByWhatItDoes) {
  Timeline timeline;
  timeline.add("copy", kNoFile, 0, 1, {});
  const auto lane = [&] {
    timeline.name_thread("file lane");
    timeline.add("file", kNoFile, 0, 1, {});
    timeline.name_thread("file lane");
    timeline.add("file", kNoFile, 1, 2, {});
  };
  std::thread first(lane);
  std::thread second(lane);
  first.join();
  second.join();
  const RankTimeline value = timeline.value();
  EXPECT_EQ(value.tracks, (std::vector<std::string>{"calls", "file lane", "file lane 2"}));
  EXPECT_EQ(value.events.size(), 5U);
}

RankTimeline small_timeline() {
  RankTimeline rank;
  rank.rank = 3;
  rank.node = 1;
  rank.host = "nd1";
  rank.names = {"copy", "MPI_File_write_all"};
  rank.tracks = {"calls"};
  rank.files = {"a \"file\""};
  rank.events = {{0, 0, 0, 2500, 4000, {0, 64}}, {1, 0, 0, 2000, 5001, {}}};
  return rank;
}

TEST(TimelineJson, TextOfARank) {
  EXPECT_EQ(timeline_events(small_timeline(), kSameClock, 1000),
            R"json({"ph":"M","pid":3,"name":"process_name","args":{"name":"rank 3, node 1 (nd1)"}},
{"ph":"M","pid":3,"name":"process_sort_index","args":{"sort_index":3}},
{"ph":"M","pid":3,"tid":0,"name":"thread_name","args":{"name":"calls"}},
{"ph":"M","pid":3,"tid":0,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"X","pid":3,"tid":0,"ts":1.000,"dur":3.001,"name":"MPI_File_write_all","args":{"file":"a \"file\""}},
{"ph":"X","pid":3,"tid":0,"ts":1.500,"dur":1.500,"name":"copy","args":{"file":"a \"file\"","round":0,"bytes":64}},
)json");
}

TEST(TimelineJson, TheWholeIsJson) {
  RankTimeline dropping = small_timeline();
  dropping.dropped = 7;
  dropping.files[0] = "\xff";  // no UTF-8
  const std::string text = timeline_begin("a \"run\"") + timeline_events(small_timeline(), kSameClock, 0) +
                           timeline_events(dropping, kSameClock, 0) + timeline_end();
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json["otherData"]["title"], "a \"run\"");
  int dropped = 0;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "i") dropped = event["args"]["dropped"];
  }
  EXPECT_EQ(dropped, 7);
}

TEST(ClockFit, DifferencesChangeEvenlyBetweenTheMarks) {
  const ClockFit fit{{1000, 5000}, {2000, 6100}};  // 4000 behind, then 4100
  EXPECT_EQ(fit.there(1000), 5000);
  EXPECT_EQ(fit.there(1500), 5550);
  EXPECT_EQ(fit.there(2000), 6100);
  EXPECT_EQ(fit.there(500), 4500) << "before the first mark: as there";
  EXPECT_EQ(fit.there(3000), 7100) << "and behind the last";
}

TEST(ClockFit, OneMarkDoes) {
  const ClockFit fit{{1000, 5000}, {1000, 5000}};
  EXPECT_EQ(fit.there(900), 4900);
  EXPECT_EQ(fit.there(1100), 5100);
}

}  // namespace
}  // namespace weir::trace

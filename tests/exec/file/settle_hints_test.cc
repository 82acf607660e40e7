#include "exec/file/settle_hints.h"

#include <gtest/gtest.h>

#include <numeric>

#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using hints::Id;

HintSources from_info(const hints::Pairs& pairs) {
  HintSources sources;
  sources.info = pairs;
  return sources;
}

struct Answer {
  hints::HintSet hints;
  std::string report;
  std::vector<std::string> notices;
};

// What each rank gets when rank r brings sources(r).
std::vector<Answer> settle(int ranks, const std::function<HintSources(int)>& sources,
                           hints::When when = hints::When::kOpen) {
  std::vector<Answer> answers(static_cast<std::size_t>(ranks));
  comm::run_tested_ranks(ranks, [&](comm::ThreadComm& comm) {
    auto settled = settle_hints(comm, hints::HintSet(), sources(comm.rank()), when);
    EXPECT_TRUE(settled.ok()) << settled.status().text();
    if (!settled.ok()) return;
    answers[static_cast<std::size_t>(comm.rank())] = {settled.value().hints, settled.value().report,
                                                      settled.value().notices};
  });
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.hints, answers[0].hints);
    EXPECT_EQ(answer.report, answers[0].report);
  }
  return answers;
}

std::size_t notices_of_all(const std::vector<Answer>& answers) {
  return std::accumulate(answers.begin(), answers.end(), std::size_t{0},
                         [](std::size_t sum, const Answer& answer) { return sum + answer.notices.size(); });
}

TEST(SettleHints, EqualHintsAreTakenWithoutAWord) {
  for (int ranks : kRankCounts) {
    auto answers = settle(ranks, [](int) { return from_info({{"cb_buffer_size", "1048576"}}); });
    EXPECT_EQ(answers.back().hints.integer(Id::kCbBufferSize), 1048576);
    EXPECT_EQ(notices_of_all(answers), 0U);
  }
}

TEST(SettleHints, RankZeroWinsAndOneRankTellsTheDifference) {
  for (int ranks : {2, 3, 7, 16}) {
    auto answers = settle(ranks, [](int rank) {
      return from_info({{"cb_nodes", rank < 1 ? "2" : std::to_string(rank + 3)}});
    });
    for (const Answer& answer : answers) EXPECT_EQ(answer.hints.integer(Id::kCbNodes), 2);
    EXPECT_EQ(notices_of_all(answers), 1U);
    ASSERT_EQ(answers[1].notices.size(), 1U);
    EXPECT_EQ(answers[1].notices[0],
              "hint cb_nodes differs between ranks: rank 0 has \"2\", this rank \"4\"; rank 0's value is used");
  }
}

TEST(SettleHints, AHintThatOnlyOneRankHasIsADifferenceToo) {
  auto answers = settle(4, [](int rank) { return rank == 2 ? from_info({{"cb_nodes", "3"}}) : HintSources{}; });
  for (const Answer& answer : answers) EXPECT_EQ(answer.hints, hints::HintSet());
  EXPECT_EQ(answers[2].notices.size(), 1U);
  EXPECT_EQ(notices_of_all(answers), 1U);
}

TEST(SettleHints, TwoSpellingsAreNoDifference) {
  auto answers = settle(2, [](int rank) { return from_info({{"cb_buffer_size", rank == 0 ? "4m" : "4194304"}}); });
  EXPECT_EQ(notices_of_all(answers), 0U);
}

TEST(SettleHints, UnknownAndBadHintsAreToldOnce) {
  auto answers = settle(7, [](int) { return from_info({{"cb_node", "4"}, {"romio_ds_read", "perhaps"}}); });
  ASSERT_EQ(answers[0].notices.size(), 2U);
  EXPECT_EQ(answers[0].notices[0], "hint cb_node=4: unknown, did you mean cb_nodes?");
  EXPECT_NE(answers[0].notices[1].find("romio_ds_read=perhaps: rejected"), std::string::npos);
  EXPECT_EQ(notices_of_all(answers), 2U);
}

// PnetCDF leaves its own hints, and what MPI_File_get_info told it, in the info it passes on.
TEST(SettleHints, WhatALibraryPassesOnIsNotTold) {
  auto answers = settle(3, [](int) {
    return from_info({{"nc_var_align_size", "1"}, {"pnetcdf_subfiling", "disable"}, {"filename", "f"}, {"ncx", "1"}});
  });
  EXPECT_EQ(notices_of_all(answers), 1U);
  EXPECT_NE(answers[0].notices[0].find("ncx=1: unknown"), std::string::npos) << answers[0].notices[0];
}

TEST(SettleHints, TheCommandLineBeatsTheInfoAndTheInfoTheFile) {
  auto answers = settle(3, [](int) {
    HintSources sources = from_info({{"cb_nodes", "2"}, {"romio_ds_read", "enable"}});
    sources.file = {{"cb_nodes", "1"}, {"romio_ds_read", "disable"}, {"ind_rd_buffer_size", "100"}};
    sources.command_line = {{"cb_nodes", "3"}};
    return sources;
  });
  EXPECT_EQ(answers[2].hints.integer(Id::kCbNodes), 3);
  EXPECT_EQ(answers[2].hints.choice<Toggle>(Id::kRomioDsRead), Toggle::kEnable);
  EXPECT_EQ(answers[2].hints.integer(Id::kIndRdBufferSize), 100);
}

// Environment variables and files may differ between nodes: only rank 0's count, and that is no difference to tell.
TEST(SettleHints, OnlyRankZerosSurroundingsCount) {
  auto answers = settle(4, [](int rank) {
    HintSources sources;
    if (rank == 0) return sources;
    sources.file = {{"cb_nodes", "9"}};
    sources.command_line = {{"romio_ds_read", "disable"}};
    sources.complaints = {"cannot read the hints file"};
    sources.report = "1";
    return sources;
  });
  EXPECT_EQ(answers[3].hints, hints::HintSet());
  EXPECT_EQ(answers[3].report, "");
  EXPECT_EQ(notices_of_all(answers), 0U);
}

TEST(SettleHints, RankZerosComplaintsAndReportReachTheUser) {
  auto answers = settle(4, [](int rank) {
    HintSources sources;
    if (rank == 0) sources.complaints = {"cannot read the hints file"};
    sources.report = rank == 0 ? "report.json" : "1";
    return sources;
  });
  EXPECT_EQ(answers[3].report, "report.json");
  EXPECT_EQ(answers[0].notices, std::vector<std::string>{"cannot read the hints file"});
  EXPECT_EQ(notices_of_all(answers), 1U);
}

TEST(SettleHints, KeysAndValuesMayHoldAnything) {
  auto answers = settle(2, [](int) { return from_info({{"e", "1"}, {"", "2"}, {"r", ""}}); });
  EXPECT_EQ(answers[0].notices.size(), 3U);
  EXPECT_EQ(answers[0].report, "");
}

TEST(SettleHints, OfAnOpenFileActAtOnce) {
  driver::MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    std::vector<std::string> told;
    OpenArguments arguments{"f", kCreateMode, {}};
    arguments.tell = [&](const std::vector<std::string>& lines) {
      told.insert(told.end(), lines.begin(), lines.end());
    };
    auto file = OpenFile::open(driver, rank.wiring(), arguments).value();
    const HintSources sources =
        from_info({{"ind_rd_buffer_size", rank.number() == 0 ? "1000" : "2000"}, {"nonsense", "x"}});
    EXPECT_TRUE(file->settle_hints(sources, hints::When::kSetInfo).ok());
    EXPECT_EQ(file->hints().integer(Id::kIndRdBufferSize), 1000);
    EXPECT_EQ(told.size(), rank.number() < 2 ? 1U : 0U);  // rank 0: nonsense; rank 1: the difference
    EXPECT_TRUE(file->close().ok());
  });
}

// The hints choose the method: sieving reads, and never sieving writes beside other ranks.
TEST(SettleHints, OfSievingAreObeyedWhereItIsSafe) {
  for (int ranks : {1, 2}) {
    driver::MemoryDriver driver;
    put_file(driver, pattern(100));
    run_file_ranks(ranks, [&](Rank& rank) {
      AccessMode mode = kReadWriteMode;
      mode.unique_open = true;
      auto file = rank.open(driver, mode);
      const HintSources sources = from_info({{"romio_ds_read", "enable"}, {"romio_ds_write", "enable"}});
      EXPECT_TRUE(file->settle_hints(sources, hints::When::kSetInfo).ok());
      EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 2, 4), 1).ok());
      Bytes buffer(20);
      EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, buffer)).bytes_moved,
                20);
      EXPECT_EQ(file->report().value().last_access, "sieve: sieving is enabled by hint");
      EXPECT_EQ(write_explicit(*file, 0, buffer).bytes_moved, 20);
      EXPECT_EQ(file->report().value().last_access.starts_with("sieve"), ranks == 1);
      EXPECT_TRUE(file->close().ok());
    });
    EXPECT_EQ(driver.contents("f").value(), pattern(100));
  }
}

}  // namespace
}  // namespace weir::exec

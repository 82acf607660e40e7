// Files whose bytes go through I/O agents, as programs see them.
#include <gtest/gtest.h>

#include "driver/fault.h"
#include "exec/file/left_services.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;
using hints::HintSet;
using hints::Id;
using hints::When;

HintSet agent_hints(const char* largeblock = "false") {
  HintSet set;
  const hints::Pairs pairs = {
      {"IBM_largeblock_io", largeblock}, {"IBM_io_buffer_size", "64"}, {"weir_agent_memory", "1024"}};
  for (const hints::Change& change : hints::apply(set, pairs, When::kOpen)) {
    EXPECT_EQ(change.outcome, hints::Outcome::kAccepted);
  }
  return set;
}

std::int64_t requests_to_agents(OpenFile& file) {
  return value_of(file.report().value().totals, trace::Counter::kAgentRequests);
}

void give(OpenFile& file, const char* key, const char* value) {
  HintSources sources;
  sources.info = {{key, value}};
  EXPECT_TRUE(file.set_view({}, layout::FileView(), 1, sources).ok());
}

// Writes and reads of both kinds, by every rank, through agents or not.
void write_and_read(Rank& rank, OpenFile& file, bool collective) {
  const int ranks = rank.size();
  EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), ranks, 4), 1).ok());
  const Bytes mine = pattern(400, rank.number());
  EXPECT_EQ(write_explicit(file, 0, mine, collective).bytes_moved, 400);
  Bytes read(400);
  EXPECT_EQ(run_transfer(file, transfer_of(Direction::kRead, Positioning::kExplicit, collective, read)).bytes_moved,
            400);
  EXPECT_EQ(read, mine);
  EXPECT_TRUE(file.sync().ok());
  EXPECT_EQ(file.size().value(), 400 * ranks);
}

Bytes interleaved(int ranks) {
  Bytes all(static_cast<std::size_t>(400 * ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const Bytes mine = pattern(400, rank);
    for (std::int64_t i = 0; i < 400; ++i) {
      all[static_cast<std::size_t>((i / 4 * ranks + rank) * 4 + i % 4)] = mine[static_cast<std::size_t>(i)];
    }
  }
  return all;
}

TEST(OpenFileAgents, AccessesOfBothKindsGoThroughThem) {
  for (const int ranks_per_node : {0, 1, 2}) {
    for (const int ranks : {1, 2, 4, 7}) {
      for (const bool collective : {false, true}) {
        MemoryDriver driver;
        run_file_ranks(ranks, ranks_per_node, [&](Rank& rank) {
          auto file = rank.open(driver, kCreateMode, "f", agent_hints());
          write_and_read(rank, *file, collective);
          EXPECT_GT(requests_to_agents(*file), 0);
          EXPECT_TRUE(file->close().ok());
        });
        EXPECT_EQ(driver.contents("f").value(), interleaved(ranks)) << ranks << " ranks";
      }
    }
  }
}

// What a rank does alone and what aggregators of other nodes do for it come in its order.
TEST(OpenFileAgents, CollectiveCallsSeeWhatRanksDidAloneAndTheOtherWayRound) {
  for (const char* domains : {"auto", "even"}) {
    MemoryDriver driver;
    run_file_ranks(5, 2, [&](Rank& rank) {
      HintSet hints = agent_hints();
      EXPECT_TRUE(hints.set(Id::kWeirMethod, "two_phase").ok());
      EXPECT_TRUE(hints.set(Id::kWeirDomains, domains).ok());
      auto file = rank.open(driver, kCreateMode, "f", hints);
      EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 5, 4), 1).ok());
      for (int turn = 0; turn < 4; ++turn) {
        const bool collective = turn % 2 == 0;
        const Bytes mine = pattern(400, 10 * turn + rank.number());
        EXPECT_EQ(write_explicit(*file, 0, mine, collective).bytes_moved, 400);
        Bytes read(400);
        EXPECT_EQ(
            run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, !collective, read)).bytes_moved,
            400);
        EXPECT_EQ(read, mine) << "turn " << turn;
      }
      EXPECT_TRUE(file->close().ok());
    });
  }
}

// On several nodes the agents are the aggregators: a collective call asks no agent for anything.
TEST(OpenFileAgents, CollectiveCallsKeepToTheirBlocks) {
  MemoryDriver driver;
  run_file_ranks(6, 2, [&](Rank& rank) {
    HintSet hints = agent_hints();
    EXPECT_TRUE(hints.set(Id::kWeirAgents, "4").ok());
    EXPECT_TRUE(hints.set(Id::kWeirMethod, "two_phase").ok());
    auto file = rank.open(driver, kCreateMode, "f", hints);
    write_and_read(rank, *file, true);
    const trace::FileReport report = file->report().value();
    EXPECT_EQ(value_of(report.totals, trace::Counter::kAgentQuestions), 0);
    EXPECT_EQ(report.calls.of(Direction::kWrite).last->aggregators, (std::vector<int>{0, 1, 2, 4}));
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), interleaved(6));
}

TEST(OpenFileAgents, ASwitchableFileChangesWithItsView) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", agent_hints("switchable"));
    write_and_read(rank, *file, false);
    EXPECT_EQ(requests_to_agents(*file), 0) << "off until it is switched";
    give(*file, "IBM_largeblock_io", "false");
    write_and_read(rank, *file, false);
    const std::int64_t requests = requests_to_agents(*file);
    EXPECT_GT(requests, 0);
    give(*file, "IBM_io_buffer_size", "128");
    write_and_read(rank, *file, false);
    EXPECT_GT(requests_to_agents(*file), requests);
    give(*file, "IBM_largeblock_io", "true");
    const std::int64_t before = requests_to_agents(*file);
    write_and_read(rank, *file, false);
    EXPECT_EQ(requests_to_agents(*file), before);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), interleaved(3));
}

TEST(OpenFileAgents, AChangeThatWasNotAnnouncedIsRefusedAndTold) {
  for (const char* at_open : {"false", "true"}) {
    MemoryDriver driver;
    run_file_ranks(2, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, "f", agent_hints(at_open));
      give(*file, "IBM_largeblock_io", at_open[0] == 'f' ? "true" : "false");
      EXPECT_EQ(file->hints().text(Id::kIbmLargeblockIo), at_open);
      EXPECT_EQ(file->report().value().hints_not_followed.size(), 1U);
      EXPECT_TRUE(file->close().ok());
    });
  }
}

TEST(OpenFileAgents, AtomicModeGoesAroundThem) {
  MemoryDriver driver;
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", agent_hints());
    EXPECT_EQ(write_explicit(*file, 4 * rank.number(), pattern(4, rank.number())).bytes_moved, 4);
    EXPECT_TRUE(file->set_atomic(true).ok());
    EXPECT_EQ(driver.contents("f").value().size(), 8U);
    const std::int64_t before = requests_to_agents(*file);
    EXPECT_EQ(write_explicit(*file, 4 * rank.number(), pattern(4, rank.number() + 2)).bytes_moved, 4);
    EXPECT_EQ(requests_to_agents(*file), before);
    EXPECT_TRUE(file->set_atomic(false).ok());
    Bytes read(8);
    EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, read)).bytes_moved, 8);
    EXPECT_EQ(driver::part(read, 0, 4), pattern(4, 2));
    EXPECT_EQ(driver::part(read, 4, 8), pattern(4, 3));
    EXPECT_GT(requests_to_agents(*file), before);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileAgents, AFailureOfWriteBehindReachesAllRanks) {
  for (const bool close_only : {false, true}) {
    MemoryDriver memory;
    driver::FaultDriver driver(memory, {.faults = {{.operation = driver::Operation::kWrite,
                                                    .first_call = 0,
                                                    .error_number = ENOSPC,
                                                    .bytes_before = 0,
                                                    .call_count = 1000}}});
    Outcomes outcomes;
    run_file_ranks(3, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, "f", agent_hints());
      EXPECT_EQ(write_explicit(*file, 4 * rank.number(), pattern(4)).bytes_moved, 4);
      if (close_only) return outcomes.add(file->close());
      outcomes.add(file->sync());
      EXPECT_FALSE(file->close().ok()) << "the bytes are lost now";
    });
    outcomes.expect(3, ErrorClass::kNoSpace);
  }
}

// Where agents cannot be asked at any time, they get what was written when the ranks meet, and the user hears of it.
TEST(OpenFileAgents, WithoutALineAgentsOfOtherNodesGetWhatIsWrittenInCollectiveCalls) {
  MemoryDriver driver;
  std::mutex mutex;
  std::vector<std::string> told;
  run_file_ranks(4, 2, [&](Rank& rank) {
    OpenArguments arguments{"f", kCreateMode, agent_hints()};
    arguments.tell = [&](const std::vector<std::string>& lines) {
      const std::scoped_lock lock(mutex);
      told.insert(told.end(), lines.begin(), lines.end());
    };
    Wiring wiring = rank.wiring();
    wiring.agent_line = nullptr;
    auto file = OpenFile::open(driver, std::move(wiring), arguments).value();
    write_and_read(rank, *file, false);
    EXPECT_TRUE(file->set_atomic(true).ok());
    EXPECT_TRUE(file->set_atomic(false).ok());
    EXPECT_GT(requests_to_agents(*file), 0);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), interleaved(4));
  ASSERT_EQ(told.size(), 1U) << "once";
  EXPECT_NE(told[0].find("at sync and close"), std::string::npos);
}

// Ranks whose program ends without closing the file.
TEST(OpenFileAgents, WhatIsHeldIsWrittenWhenTheProgramEnds) {
  for (const int ranks_per_node : {0, 2}) {
    MemoryDriver driver;
    run_file_ranks(4, ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, "f", agent_hints());
      EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 4, 4), 1).ok());
      EXPECT_EQ(write_explicit(*file, 0, pattern(400, rank.number())).bytes_moved, 400);
      EXPECT_TRUE(file->abandon().ok());
      rank.meet();
      if (rank.number() == 0) left_services().end();
      rank.meet();
    });
    EXPECT_EQ(driver.contents("f").value(), interleaved(4));
  }
}

TEST(OpenFileAgents, TheFileIsCutForAllNodes) {
  MemoryDriver driver;
  run_file_ranks(4, 2, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", agent_hints());
    EXPECT_EQ(write_explicit(*file, 500 * rank.number(), pattern(500, rank.number())).bytes_moved, 500);
    EXPECT_TRUE(file->set_size(700).ok());
    EXPECT_EQ(file->size().value(), 700);
    Bytes read(800);
    EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, read)).bytes_moved, 700);
    EXPECT_EQ(driver::part(read, 500, 700), driver::part(pattern(500, 1), 0, 200));
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec

// Accesses beside the program: on one node nothing is sent, whatever happens, so that they need nobody's help.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/file_ranks.h"
#include "hints/lookup.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::IoOutcome;
using driver::MemoryDriver;
using driver::Operation;

constexpr std::int64_t kPieceBytes = 100;
constexpr std::int64_t kPieces = 50;

// An open file, and what its ranks send.
struct Opened {
  comm::ThreadComm* channel = nullptr;
  std::unique_ptr<OpenFile> file;
};

class Beside : public testing::Test {
 protected:
  // `settings` are hints.
  void run(int ranks, int ranks_per_node, driver::FileDriver& driver,
           const std::vector<std::pair<std::string, std::string>>& settings,
           const std::function<void(Opened&, int)>& body) {
    const comm::ThreadGroup collective = comm::tested_group(ranks, ranks_per_node);
    const comm::LineGroups pointer = comm::tested_line(ranks, ranks_per_node);
    hints::HintSet hints;
    for (const auto& [name, value] : settings) EXPECT_TRUE(hints.set(hints::find(name)->id, value).ok()) << name;
    comm::run_tested_ranks(ranks, ranks_per_node, [&](comm::ThreadComm& rank) {
      Wiring wiring;
      auto channel = collective.comm(rank.rank());
      Opened opened{channel.get(), nullptr};
      wiring.collective = std::move(channel);
      wiring.pointer_line = pointer.of(rank.rank());
      auto file = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, hints});
      ASSERT_TRUE(file.ok()) << file.status().text();
      opened.file = std::move(file).value();
      const layout::FileView view = interleaved_view(rank.rank(), ranks, kPieceBytes);
      EXPECT_TRUE(opened.file->set_view(Status(), view, 0).ok());
      body(opened, rank.rank());
      EXPECT_TRUE(opened.file->close().ok());
    });
  }
};

Access prepared(OpenFile& file, Bytes& buffer, Direction direction = Direction::kWrite, bool collective = true) {
  return file.prepare(transfer_of(direction, Positioning::kExplicit, collective, buffer));
}

// Starts the access and waits for it.
IoOutcome run_beside(Opened& opened, Access access) {
  const auto promise = std::make_shared<Promise>();
  opened.file->start(std::move(access), [promise](IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return promise->take(opened.channel);
}

// The same; nothing may have been sent.
IoOutcome run_silently(Opened& opened, Access access) {
  const comm::Traffic before = opened.channel->sent();
  IoOutcome outcome = run_beside(opened, std::move(access));
  EXPECT_EQ(opened.channel->sent(), before);
  return outcome;
}

Bytes mine(int rank) { return pattern(kPieceBytes * kPieces, rank); }

TEST_F(Beside, CollectiveAccessesSendNoMessages) {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  for (const Settings& settings :
       {Settings{}, Settings{{"weir_method", "two_phase"}, {"cb_nodes", "3"}, {"cb_buffer_size", "64"}},
        Settings{{"weir_method", "two_phase"}, {"weir_pipeline_depth", "16"}, {"cb_buffer_size", "65536"}},
        Settings{{"weir_method", "independent"}}}) {
    for (const int ranks : kRankCounts) {
      MemoryDriver driver;
      run(ranks, 0, driver, settings, [&](Opened& opened, int rank) {
        Bytes out = mine(rank);
        Bytes in(out.size());
        EXPECT_EQ(run_silently(opened, prepared(*opened.file, out)).bytes_moved, std::ssize(out));
        EXPECT_EQ(run_silently(opened, prepared(*opened.file, in, Direction::kRead)).bytes_moved, std::ssize(in));
        EXPECT_EQ(in, out);
        const Transfer ordered = transfer_of(Direction::kRead, Positioning::kOrdered, true, in);
        EXPECT_TRUE(run_silently(opened, opened.file->prepare(ordered)).status.ok());
      });
    }
  }
}

// More memory than ranks share from the beginning takes messages, once.
TEST_F(Beside, LargePlansGetMoreMemoryOnce) {
  MemoryDriver driver;
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"weir_method", "two_phase"}, {"cb_nodes", "16"}, {"weir_pipeline_depth", "16"}, {"cb_buffer_size", "16777216"}};
  run(16, 0, driver, settings, [&](Opened& opened, int rank) {
    Bytes out = mine(rank);
    const comm::Traffic before = opened.channel->sent();
    EXPECT_EQ(run_beside(opened, prepared(*opened.file, out)).bytes_moved, std::ssize(out));
    if (rank == 0) {
      EXPECT_NE(opened.channel->sent(), before);
    }
    EXPECT_EQ(run_silently(opened, prepared(*opened.file, out)).bytes_moved, std::ssize(out));
  });
}

TEST_F(Beside, FailuresSendNoMessages) {
  for (const char* method : {"two_phase", "independent"}) {
    MemoryDriver memory;
    FaultDriver driver(memory, {{{Operation::kTransfer, 0, ENOSPC, 0, 1000}}});
    run(4, 0, driver, {{"weir_method", method}}, [&](Opened& opened, int rank) {
      Bytes out = mine(rank);
      EXPECT_EQ(run_silently(opened, prepared(*opened.file, out)).status.error_class(), ErrorClass::kNoSpace);
      Access refused = prepared(*opened.file, out);
      if (rank == 2) refused.refused = Status(ErrorClass::kArgument, "bad");
      EXPECT_EQ(run_silently(opened, std::move(refused)).status.error_class(), ErrorClass::kArgument);
    });
  }
}

TEST_F(Beside, OnSeveralNodesCollectiveAccessesRunBesideToo) {
  MemoryDriver driver;
  run(4, 2, driver, {}, [&](Opened& opened, int rank) {
    Bytes out = mine(rank);
    EXPECT_EQ(run_beside(opened, prepared(*opened.file, out)).bytes_moved, std::ssize(out));
    Access alone = prepared(*opened.file, out, Direction::kWrite, false);
    EXPECT_EQ(run_silently(opened, std::move(alone)).bytes_moved, std::ssize(out));
  });
}

TEST_F(Beside, HintsMayAskForMessages) {
  for (const char* exchange : {"direct", "pairwise"}) {
    MemoryDriver driver;
    run(4, 0, driver, {{"weir_exchange", exchange}}, [&](Opened& opened, int rank) {
      Bytes out = mine(rank);
      EXPECT_EQ(run_beside(opened, prepared(*opened.file, out)).bytes_moved, std::ssize(out));
    });
  }
}

}  // namespace
}  // namespace weir::exec

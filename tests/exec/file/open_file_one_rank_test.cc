// Collective calls that go wrong on one rank before or after its data moves: all ranks return, with the same failure.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;

// Once for every rank at fault; `call` returns what the rank's call returned.
void expect_everywhere(ErrorClass expected, const std::function<Status(Rank&, OpenFile&, bool at_fault)>& call) {
  for (const int ranks : {1, 2, 4, 7}) {
    for (int culprit = 0; culprit < ranks; ++culprit) {
      MemoryDriver driver;
      put_file(driver, pattern(1000));
      Outcomes outcomes;
      run_file_ranks(ranks, [&](Rank& rank) {
        auto file = rank.open(driver);
        outcomes.add(call(rank, *file, rank.number() == culprit));
        Bytes bytes(10);
        const auto after = run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, bytes));
        EXPECT_TRUE(after.status.ok()) << after.status.text();
        EXPECT_TRUE(file->close().ok());
      });
      outcomes.expect(ranks, expected);
    }
  }
}

TEST(OpenFileOneRank, SeekSharedWithAnUnreadableWhence) {
  expect_everywhere(ErrorClass::kArgument, [](Rank&, OpenFile& file, bool at_fault) {
    const Result<Whence> unreadable = Status(ErrorClass::kArgument, "whence is unknown");
    return file.seek_shared(0, at_fault ? unreadable : Result<Whence>(Whence::kSet));
  });
}

TEST(OpenFileOneRank, WhatOneRankFoundOut) {
  expect_everywhere(ErrorClass::kDatatype, [](Rank&, OpenFile& file, bool at_fault) {
    return file.agree_on(at_fault ? Status(ErrorClass::kDatatype, "not committed") : Status());
  });
}

TEST(OpenFileOneRank, HintsOfARankThatCannotGoOn) {
  expect_everywhere(ErrorClass::kInfo, [](Rank&, OpenFile& file, bool at_fault) {
    HintSources sources;
    sources.info = {{"cb_nodes", "1"}};
    if (at_fault) sources.refused = Status(ErrorClass::kInfo, "no such info");
    return file.settle_hints(sources, hints::When::kSetInfo);
  });
}

// Converting what was read may run out of memory, or fail otherwise.
template <typename Exception>
void expect_throwing_finish(ErrorClass expected, const Exception& exception) {
  for (const char* method : {"two_phase", "independent"}) {
    expect_everywhere(expected, [&](Rank& rank, OpenFile& file, bool at_fault) {
      HintSources sources;
      sources.info = {{"weir_method", method}};
      EXPECT_TRUE(file.settle_hints(sources, hints::When::kSetInfo).ok());
      Bytes bytes(10);
      Access access = file.prepare(transfer_of(Direction::kRead, Positioning::kExplicit, true, bytes, rank.number()));
      access.finish = [&](driver::IoOutcome outcome) {
        if (at_fault) throw exception;
        return outcome;
      };
      return file.run(access).status;
    });
  }
}

TEST(OpenFileOneRank, LastStepThatThrows) {
  expect_throwing_finish(ErrorClass::kNoMemory, std::bad_alloc());
  expect_throwing_finish(ErrorClass::kNoMemory, std::length_error("too long"));
  expect_throwing_finish(ErrorClass::kInternal, std::runtime_error("a bug"));
}

// The rank at fault has not ended its split call, the others have.
TEST(OpenFileOneRank, SplitBegunAgainBeforeItsEnd) {
  expect_everywhere(ErrorClass::kIo, [&](Rank& rank, OpenFile& file, bool at_fault) {
    constexpr SplitKind kKind = {Direction::kRead, Positioning::kExplicit};
    Bytes bytes(10);
    const Transfer transfer = transfer_of(Direction::kRead, Positioning::kExplicit, true, bytes);
    EXPECT_TRUE(file.begin_split(kKind, file.prepare(transfer)).ok());
    const auto end_first = [&] { EXPECT_TRUE(file.end_split(kKind).status.ok()); };
    if (!at_fault) end_first();
    rank.meet();
    Status again = file.begin_split(kKind, file.prepare(transfer));
    if (!at_fault) again = file.end_split(kKind).status;
    if (at_fault) end_first();
    return again;
  });
}

}  // namespace
}  // namespace weir::exec

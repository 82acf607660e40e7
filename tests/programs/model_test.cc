// The model of random programs: what is legal, and what ranks must see.
#include "programs/model.h"

#include <gtest/gtest.h>

#include "programs/generate.h"
#include "programs/text.h"
#include "programs/types.h"

namespace weir::programs {
namespace {

// Programs of two ranks with one file, open for reading and writing.
Program parsed(const std::string& steps, const std::string& messages = "") {
  const Parsed made = parse("program seed 7 ranks 2 ranks_per_node 0 eager multiple\ncomm world 0 0\nfile 0 10\n" +
                            messages + "open 0 rw\n" + steps + "close 0\n");
  EXPECT_EQ(made.error, "");
  return made.program;
}

std::string access(int id, const std::string& call, const std::string& ranks, const std::string& shares) {
  return "access " + std::to_string(id) + " file 0 " + call + " apart ranks " + ranks + "\n" + shares;
}

const std::string kWriteAll = access(2, "write explicit all blocking", "3", " 0 0 4 plain 1 0\n 1 4 4 plain 1 0\n");
const std::string kReadFirst = access(3, "read explicit alone blocking", "2", " * 2 4 plain 1 0\n");

TEST(ProgramTypes, PiecesOfViews) {
  const View vector = {3, 2, View::Kind::kVector, {2, 1, 3}, 6};
  EXPECT_EQ(file_pieces(vector, 1, 5), (std::vector<Extent>{{4, 5}, {9, 11}, {15, 17}}));
  const View array = {0, 1, View::Kind::kSubarray, {2, 2, 3, 1, 2, 2, 1, 0, 1}, 12};
  EXPECT_EQ(tile_of(array).pieces, (std::vector<Extent>{{7, 9}, {10, 12}}));
  const View index = {0, 4, View::Kind::kIndexed, {1, 1, 2, 1}, 5};
  EXPECT_EQ(file_pieces(index, 0, 12), (std::vector<Extent>{{4, 12}, {24, 28}}));
}

TEST(ProgramTypes, PiecesOfMemory) {
  EXPECT_EQ(memory_pieces({Memory::Kind::kReversed, 2, 1}, 1, 4), (std::vector<Extent>{{3, 5}, {0, 2}}));
  EXPECT_EQ(memory_pieces({Memory::Kind::kTiles, 1, 1}, 4, 2), (std::vector<Extent>{{0, 4}, {8, 12}}));
  EXPECT_EQ(memory_bytes({Memory::Kind::kVector, 2, 1}, 4, 4), 24);
}

TEST(ProgramModel, ReadsOfWhatOthersWroteNeedAMeeting) {
  EXPECT_NE(why_illegal(parsed(kWriteAll + kReadFirst)), "");
  EXPECT_EQ(why_illegal(parsed(kWriteAll + "settle 0 0\n" + kReadFirst)), "");
}

TEST(ProgramModel, RanksMustNotWriteTheSameBytes) {
  EXPECT_NE(why_illegal(parsed(access(2, "write explicit all blocking", "3", " * 0 4 plain 1 0\n"))), "");
}

TEST(ProgramModel, CollectiveCallsNeedAllRanks) {
  EXPECT_NE(why_illegal(parsed(access(2, "write explicit all blocking", "1", " * 0 4 plain 1 0\n"))), "");
}

TEST(ProgramModel, RequestsAreCompletedOnce) {
  const std::string start = access(2, "write explicit alone nonblocking", "1", " * 0 4 plain 1 0\n");
  const std::string complete = "complete waitall ranks 3 accesses 2 messages\n";
  EXPECT_NE(why_illegal(parsed(start)), "");
  EXPECT_EQ(why_illegal(parsed(start + complete)), "");
  EXPECT_NE(why_illegal(parsed(start + complete + complete)), "");
}

TEST(ProgramModel, ReceivesWaitForSends) {
  const std::string message = "message 0 1 8\n";
  EXPECT_NE(why_illegal(parsed("recv 0\nisend 0\n", message)), "");
  EXPECT_NE(why_illegal(parsed("send 0\nrecv 0\n", message)), "") << "a send may wait for its receive";
  EXPECT_EQ(why_illegal(parsed("isend 0\nrecv 0\ncomplete wait ranks 1 accesses messages 0\n", message)), "");
  EXPECT_EQ(why_illegal(parsed("exchange 0\n", message)), "");
}

TEST(ProgramModel, LateRanksJoin) {
  const std::string start = access(2, "write explicit all nonblocking", "1", " 0 0 4 plain 1 0\n 1 4 4 plain 1 0\n");
  const std::string complete = "complete waitall ranks 1 accesses 2 messages\n";
  const std::string join = "join 2 ranks 2\n";
  const std::string rest = "complete waitall ranks 2 accesses 2 messages\n";
  EXPECT_EQ(why_illegal(parsed(start + join + complete + rest)), "");
  EXPECT_NE(why_illegal(parsed(start + complete + join + rest)), "") << "rank 0 may wait for rank 1";
}

TEST(ProgramModel, ExpectedDataAndCounts) {
  const Program program = parsed(kWriteAll + "settle 0 0\n" + kReadFirst +
                                 access(4, "read explicit alone blocking", "1", " * 7 6 plain 1 0\n"));
  ASSERT_EQ(why_illegal(program), "");
  const Model model = run_model(program);
  const Expected& first = model.expected().at({3, 1});
  EXPECT_EQ(first.moved, 4);
  EXPECT_EQ(first.data, (std::vector<Origin>{origin(2, 0, 2), origin(2, 0, 3), origin(2, 1, 0), origin(2, 1, 1)}));
  const Expected& at_end = model.expected().at({4, 0});
  EXPECT_EQ(at_end.requested, 6);
  EXPECT_EQ(at_end.moved, 3);
  EXPECT_EQ(at_end.data.back(), origin(kInitialId, 0, 9));
}

TEST(ProgramModel, SharedPointerMovesInOrder) {
  const std::string ordered = access(2, "write ordered all blocking", "3", " 0 0 3 plain 1 0\n 1 0 2 plain 1 0\n");
  const Program program = parsed(ordered + "settle 0 0\nask 0\n");
  ASSERT_EQ(why_illegal(program), "");
  const Model model = run_model(program);
  EXPECT_EQ(model.answers().at({3, 0}).shared_position, 5);
  EXPECT_EQ(model.file(0, 0).contents.bytes()[3], origin(2, 1, 0));
}

TEST(ProgramGenerator, ProgramsAreLegalAndReadBack) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Program program = generate(seed, {.faults = seed % 3 == 0});
    EXPECT_EQ(why_illegal(program), "") << "seed " << seed;
    const Parsed again = parse(print(program));
    EXPECT_EQ(again.error, "") << "seed " << seed;
    EXPECT_EQ(again.program, program) << "seed " << seed;
    EXPECT_EQ(generate(seed, {.faults = seed % 3 == 0}), program) << "seed " << seed;
  }
}

}  // namespace
}  // namespace weir::programs

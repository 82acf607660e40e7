#include "workloads/decomposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "bench/workload_support.h"

namespace bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Three tasks over an array of 3 x 4; element 12 has no owner, and task 2 lists its own in another order.
constexpr const char* kTiny =
    "version 2001 npes 3 ndims 2\n"
    "3 4\n"
    "0 4\n1 2 5 0\n"
    "1 2\n3 4\n"
    "2 6\n11 10 9 6 7 8\n"
    "Obtained 4 stack frames.\n";

Run of(std::int64_t begin, std::int64_t length) { return {begin, length}; }

weir::Result<Decomposition> parsed(const std::string& text) {
  std::istringstream stream(text);
  return parse_decomposition(stream);
}

std::string refused_text(const std::string& text) {
  const auto result = parsed(text);
  EXPECT_FALSE(result.ok()) << text;
  return result.status().text();
}

TEST(Decomposition, KnowsWhoOwnsWhat) {
  const auto result = parsed(kTiny);
  ASSERT_TRUE(result.ok()) << result.status().text();
  EXPECT_EQ(result.value().elements, 12);
  EXPECT_FALSE(result.value().complete);
  EXPECT_THAT(result.value().owned,
              ElementsAre(ElementsAre(of(0, 2), of(4, 1)), ElementsAre(of(2, 2)), ElementsAre(of(5, 6))));
}

TEST(Decomposition, DealsTasksInBlocks) {
  const auto result = parsed(kTiny);
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(runs_of(result.value(), 2, 0), ElementsAre(of(0, 2), of(4, 1)));
  EXPECT_THAT(runs_of(result.value(), 2, 1), ElementsAre(of(2, 2), of(5, 6)));
  EXPECT_THAT(runs_of(result.value(), 1, 0), ElementsAre(of(0, 11)));
  std::int64_t owners = 0;
  for (int rank = 0; rank < 5; ++rank) owners += runs_of(result.value(), 5, rank).empty() ? 0 : 1;
  EXPECT_EQ(owners, 3);
}

TEST(Decomposition, IsCompleteWhenAllIsOwned) {
  const auto result = parsed("version 2001 npes 1 ndims 1\n3\n0 3\n3 1 2\n");
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.value().complete);
}

TEST(Decomposition, TakesTasksWithoutElements) {
  const auto result = parsed("version 2001 npes 2 ndims 1\n3\n0 0\n\n1 1\n2\n");
  ASSERT_TRUE(result.ok()) << result.status().text();
  EXPECT_THAT(result.value().owned, ElementsAre(IsEmpty(), ElementsAre(of(1, 1))));
}

TEST(Decomposition, RefusesWhatIsTruncated) {
  const std::string whole = std::string(kTiny).substr(0, std::string(kTiny).find("Obtained") - 2);
  EXPECT_THAT(refused_text(""), HasSubstr("not a PIO decomposition"));
  EXPECT_THAT(refused_text("version 2001 npes 3 ndims 2\n3"), HasSubstr("lengths"));
  EXPECT_THAT(refused_text("version 2001 npes 3 ndims 2\n3 4\n0 4\n1 2"), HasSubstr("task 0: 2 of 4"));
  EXPECT_THAT(refused_text("version 2001 npes 3 ndims 2\n3 4\n0 1\n1\n"), HasSubstr("not all tasks"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // The last position may lose a digit and still be a number: 8 cannot.
    EXPECT_FALSE(parsed(whole.substr(0, length)).ok()) << whole.substr(0, length);
  }
}

TEST(Decomposition, RefusesWhatIsForeign) {
  EXPECT_THAT(refused_text("CDF\5\1\2\3"), HasSubstr("not a PIO decomposition"));
  EXPECT_THAT(refused_text("version 7 npes 1 ndims 1\n1\n0 1\n1\n"), HasSubstr("version 7"));
  EXPECT_THAT(refused_text("version 2001 npes 0 ndims 1\n1\n"), HasSubstr("no tasks"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n0\n"), HasSubstr("without elements"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 2\n99999999999 99999999999\n0 0\n"), HasSubstr("too large"));
  EXPECT_THAT(refused_text("version 2001 npes 99999999999 ndims 1\n1\n"), HasSubstr("too large"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n4\n0 1\n5\n"), HasSubstr("position 5 outside"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n4\n0 1\n-1\n"), HasSubstr("outside"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n4\n0 2\n3 3\n"), HasSubstr("position 3 to two"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n4\n1 1\n3\n"), HasSubstr("task 1"));
  EXPECT_THAT(refused_text("version 2001 npes 2 ndims 1\n4\n0 1\n3\n0 1\n2\n"), HasSubstr("task 0 twice"));
  EXPECT_THAT(refused_text("version 2001 npes 1 ndims 1\n4\n0 2\n3 x\n"), HasSubstr("1 of 2"));
}

class DecompositionFile : public testing::Test {
 protected:
  DecompositionFile() { std::ofstream(path_) << kTiny; }
  ~DecompositionFile() override { std::remove(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "/decomposition_test.dat";
};

// Two variables of twelve floats; rank 1 of 2 has tasks 1 and 2.
TEST_F(DecompositionFile, GivesSharesOfE3sm) {
  const Settled workload = settled("e3sm_f:variables=2:file=" + path_, 2, 1);
  const Share share = share_of(workload, 1);
  EXPECT_TRUE(share.holes);
  EXPECT_EQ(share.file_bytes, 96);
  EXPECT_THAT(pieces_in_file(share), ElementsAre(Piece(8, 8), Piece(20, 24), Piece(56, 8), Piece(68, 24)));
  EXPECT_THAT(pieces_in_file(share_of(workload, 0)),
              ElementsAre(Piece(0, 8), Piece(16, 4), Piece(48, 8), Piece(64, 4)));
  EXPECT_EQ(call_count(share_of(settled("e3sm_f:merged=0:variables=2:file=" + path_, 2, 1), 0)), 2);
}

TEST_F(DecompositionFile, IsRepeatedToMeetTheSize) {
  EXPECT_EQ(settled("e3sm_f:file=" + path_, 2, 480)["variables"], 10);
  EXPECT_EQ(settled("e3sm_g:file=" + path_, 2, 480)["variables"], 5);
  EXPECT_EQ(settled("e3sm_g:file=" + path_, 2, 1)["variables"], 1);
}

TEST_F(DecompositionFile, LeavesRanksWithoutTasksEmpty) {
  const Settled workload = settled("e3sm_f:variables=1:file=" + path_, 5, 1);
  EXPECT_EQ(moved_bytes(share_of(workload, 0)), 0);
  EXPECT_TRUE(std::holds_alternative<Plain>(share_of(workload, 0).accesses[0].file));
}

TEST_F(DecompositionFile, ExcludesWhatItDecides) {
  EXPECT_THAT(refusal("e3sm_f:columns=5:file=" + path_, 2, 480), HasSubstr("columns"));
  EXPECT_THAT(refusal("e3sm_f:variables=5", 2, 480), HasSubstr("file=PATH"));
}

TEST(E3smFile, IsNamedWhenItCannotBeRead) {
  EXPECT_THAT(refusal("e3sm_f:file=/nowhere/at.all", 2, 480), HasSubstr("/nowhere/at.all"));
}

}  // namespace
}  // namespace bench

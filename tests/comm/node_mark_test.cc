#include "comm/node_mark.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace weir::comm {
namespace {

TEST(NodeKey, IsTheSameForProcessesOfANode) {
  const std::uint64_t mine = node_key();
  const pid_t child = fork();
  if (child == 0) _exit(node_key() == mine ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(NodeKey, TheLowestRankStandsForAll) {
  EXPECT_EQ(lowest_with_same_key(std::vector<std::uint64_t>{7, 5, 7, 9, 5, 7}), (std::vector<int>{0, 1, 0, 3, 1, 0}));
  EXPECT_EQ(lowest_with_same_key(std::vector<std::uint64_t>{0, 0}), (std::vector<int>{0, 0}));
  EXPECT_EQ(lowest_with_same_key(std::vector<std::uint64_t>{9, 8, 7}), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(lowest_with_same_key({}).empty());
}

TEST(NodeMark, IsFoundByAnotherProcessOfTheNode) {
  const NodeMark mark;
  ASSERT_NE(mark.invitation().process, 0);
  const pid_t child = fork();
  if (child == 0) _exit(NodeMark::found(mark.invitation()) ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(NodeMark, IsNotFoundElsewhere) {
  NodeMark::Invitation none;
  EXPECT_FALSE(NodeMark::found(none));
  NodeMark::Invitation gone;
  {
    const NodeMark mark;
    gone = mark.invitation();
    NodeMark::Invitation another = gone;
    another.mark += 1;
    EXPECT_FALSE(NodeMark::found(another));
    another = gone;
    another.process = 1;
    EXPECT_FALSE(NodeMark::found(another));
    another = gone;
    another.descriptor = 0;
    EXPECT_FALSE(NodeMark::found(another));
  }
  EXPECT_FALSE(NodeMark::found(gone));
}

}  // namespace
}  // namespace weir::comm

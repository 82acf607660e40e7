// What ranks make of each other's arrivals.
#include "exec/call/arrival.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "comm/board.h"

namespace weir::exec {
namespace {

static_assert(sizeof(Arrival) <= comm::Board::kGatheredBytes, "ranks of a node meet without messages");

constexpr CallCode kWriteAtAll = {CallKind::kAccess, Direction::kWrite, Positioning::kExplicit};
constexpr CallCode kWriteAll = {CallKind::kAccess, Direction::kWrite, Positioning::kIndividual};
constexpr CallCode kReadAtAll = {CallKind::kAccess, Direction::kRead, Positioning::kExplicit};
constexpr CallCode kClose = {CallKind::kClose};
constexpr CallCode kSync = {CallKind::kSync};

std::vector<Arrival> arrivals_of(const std::vector<CallCode>& calls) {
  std::vector<Arrival> arrivals;
  for (const CallCode call : calls) arrivals.push_back({call, 0, {}, {}});
  return arrivals;
}

Status check(const std::vector<CallCode>& calls) { return check_calls(arrivals_of(calls), "run.h5"); }

std::string text_around(const std::string& who) {
  return "collective calls on 'run.h5' do not match: " + who +
         ". All ranks that opened a file must make the same collective calls on it, in the same order";
}

TEST(Arrival, CallsThatMatchAreFine) {
  EXPECT_TRUE(check({kClose}).ok());
  EXPECT_TRUE(check({kWriteAtAll, kWriteAtAll, kWriteAtAll}).ok());
  EXPECT_TRUE(check({kWriteAtAll, kWriteAll}).ok());
}

TEST(Arrival, OneRankElsewhere) {
  const Status status = check({kClose, kWriteAtAll, kClose, kClose});
  EXPECT_EQ(status.error_class(), ErrorClass::kNotSame);
  EXPECT_EQ(status.text(), text_around("ranks 0, 2-3 are in MPI_File_close, rank 1 is in MPI_File_write_at_all"));
}

TEST(Arrival, EveryFunctionIsNamed) {
  EXPECT_EQ(check({kSync, kReadAtAll, kClose, kSync}).text(),
            text_around("rank 2 is in MPI_File_close, rank 1 is in MPI_File_read_at_all, ranks 0, 3 are in "
                        "MPI_File_sync"));
  // Also those that match each other.
  EXPECT_EQ(check({kWriteAtAll, kWriteAll, kClose}).text(),
            text_around("rank 2 is in MPI_File_close, rank 1 is in MPI_File_write_all, rank 0 is in "
                        "MPI_File_write_at_all"));
}

}  // namespace
}  // namespace weir::exec

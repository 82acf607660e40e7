// Names and matching of the functions that ranks call together.
#include "exec/call/call_code.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace weir::exec {
namespace {

constexpr Direction kRead = Direction::kRead;
constexpr Direction kWrite = Direction::kWrite;

constexpr CallCode access(Direction direction, Positioning positioning, Manner manner = Manner::kBlocking) {
  return {CallKind::kAccess, direction, positioning, manner};
}

const std::vector<CallKind> kKinds = {
    CallKind::kNone, CallKind::kOpen,        CallKind::kAccess,       CallKind::kClose,
    CallKind::kSync, CallKind::kSetView,     CallKind::kSetInfo,      CallKind::kSetSize,
    CallKind::kInit, CallKind::kPreallocate, CallKind::kSetAtomicity, CallKind::kSeekShared,
};
const std::vector<Positioning> kPositionings = {Positioning::kExplicit, Positioning::kIndividual, Positioning::kShared,
                                                Positioning::kOrdered};
const std::vector<Manner> kManners = {Manner::kBlocking, Manner::kNonblocking, Manner::kSplit, Manner::kPersistent};

std::vector<CallCode> all_calls() {
  std::vector<CallCode> calls;
  for (const CallKind kind : kKinds) {
    if (kind != CallKind::kAccess) calls.push_back({kind});
  }
  for (const Direction direction : {kRead, kWrite}) {
    for (const Positioning positioning : kPositionings) {
      for (const Manner manner : kManners) calls.push_back(access(direction, positioning, manner));
    }
  }
  return calls;
}

TEST(CallCode, NamesFunctionsAsTheStandardDoes) {
  const std::vector<std::pair<CallCode, std::string>> names = {
      {{}, "no call"},
      {{CallKind::kOpen}, "MPI_File_open"},
      {{CallKind::kClose}, "MPI_File_close"},
      {{CallKind::kSync}, "MPI_File_sync"},
      {{CallKind::kSetView}, "MPI_File_set_view"},
      {{CallKind::kSetInfo}, "MPI_File_set_info"},
      {{CallKind::kSetSize}, "MPI_File_set_size"},
      {{CallKind::kPreallocate}, "MPI_File_preallocate"},
      {{CallKind::kSetAtomicity}, "MPI_File_set_atomicity"},
      {{CallKind::kSeekShared}, "MPI_File_seek_shared"},
      {{CallKind::kInit}, "MPIX_File_*_init"},
      {access(kWrite, Positioning::kExplicit), "MPI_File_write_at_all"},
      {access(kRead, Positioning::kExplicit), "MPI_File_read_at_all"},
      {access(kWrite, Positioning::kIndividual), "MPI_File_write_all"},
      {access(kRead, Positioning::kIndividual), "MPI_File_read_all"},
      {access(kWrite, Positioning::kOrdered), "MPI_File_write_ordered"},
      {access(kRead, Positioning::kOrdered), "MPI_File_read_ordered"},
      {access(kWrite, Positioning::kShared), "MPI_File_write_shared"},
      {access(kRead, Positioning::kShared), "MPI_File_read_shared"},
      {access(kWrite, Positioning::kExplicit, Manner::kNonblocking), "MPI_File_iwrite_at_all"},
      {access(kRead, Positioning::kIndividual, Manner::kNonblocking), "MPI_File_iread_all"},
      {access(kWrite, Positioning::kExplicit, Manner::kSplit), "MPI_File_write_at_all_begin"},
      {access(kRead, Positioning::kIndividual, Manner::kSplit), "MPI_File_read_all_begin"},
      {access(kWrite, Positioning::kOrdered, Manner::kSplit), "MPI_File_write_ordered_begin"},
      {access(kWrite, Positioning::kExplicit, Manner::kPersistent), "MPIX_File_write_at_all"},
  };
  for (const auto& [call, name] : names) EXPECT_EQ(name_of(call), name);
}

TEST(CallCode, EveryCallHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const CallCode call : all_calls()) EXPECT_TRUE(names.insert(name_of(call)).second) << name_of(call);
}

// Of the accesses, only direction and rank order tell apart; every other function is a class of its own.
int class_of(CallCode call) {
  if (call.kind != CallKind::kAccess) return static_cast<int>(call.kind);
  return 100 + (call.direction == kWrite ? 10 : 0) + (call.positioning == Positioning::kOrdered ? 1 : 0);
}

TEST(CallCode, MatchesWithinItsClassOnly) {
  for (const CallCode a : all_calls()) {
    for (const CallCode b : all_calls()) {
      EXPECT_EQ(match(a, b), class_of(a) == class_of(b)) << name_of(a) << " and " << name_of(b);
    }
  }
}

// The fields of an access mean nothing elsewhere.
TEST(CallCode, OtherFieldsOfACallThatIsNoAccessDoNotCount) {
  EXPECT_TRUE(match({CallKind::kSync, kRead}, {CallKind::kSync, kWrite, Positioning::kOrdered, Manner::kSplit}));
}

TEST(CallCode, ComesBackFromOneNumber) {
  std::set<std::uint32_t> words;
  for (const CallCode call : all_calls()) {
    EXPECT_EQ(unpack(pack(call)), call);
    EXPECT_TRUE(words.insert(pack(call)).second) << name_of(call);
  }
  EXPECT_EQ(unpack(0), CallCode{});
}

}  // namespace
}  // namespace weir::exec

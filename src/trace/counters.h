// Counters: what one rank did to one file. Always compiled in; adding is one relaxed atomic operation.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/extent.h"
#include "trace/timeline.h"

namespace weir::trace {

enum class Counter : std::uint8_t {
  kIndependentReads,
  kIndependentWrites,
  kCollectiveReads,
  kCollectiveWrites,
  kBytesRead,  // asked for by the program and moved
  kBytesWritten,
  kPiecesRead,  // contiguous in the file
  kPiecesWritten,
  kContiguous,  // accesses that a rank made alone, by method
  kList,
  kPacked,
  kSieve,
  kReadCalls,  // calls to the file system
  kWriteCalls,
  kFileBytesRead,  // moved by those calls
  kFileBytesWritten,
  kFailures,           // accesses that ended with an error
  kTwoPhase,           // collective accesses through aggregators
  kPlansReused,        // of these, with the plan and the schedule of an earlier call
  kRounds,             // windows that aggregators served
  kWindowsMarked,      // of these, with holes or overlaps: their bytes were marked one by one
  kBytesCopied,        // between the program's memory and windows or parcels
  kStructureMessages,  // request structures sent to aggregators of other nodes
  kStructureBytes,
  kMessagesInside,  // data messages between ranks of one node
  kBytesInside,
  kMessagesBetween,  // and between nodes
  kBytesBetween,
  kRangesAsked,      // ranges that the file system was asked to prefetch
  kRangesTaken,      // of these, those that it took
  kBytesBounced,     // of those that file system calls moved: through a bounce buffer
  kAgentRequests,    // parts of accesses that went to an I/O agent, each in one block
  kAgentQuestions,   // questions to agents of other nodes
  kAgentBytes,       // and bytes of the file in them and their answers
  kBlocksFetched,    // blocks that agents read to hold them
  kBlocksStored,     // blocks that agents wrote as a whole
  kRunsStored,       // and parts of blocks, a run each
  kPiecesApart,      // of the ranks that local aggregators serve, in calls where they are merged
  kPiecesTogether,   // and when they are
  kCallsInFlight,    // calls to the file system that io_uring made while others were under way
  kBytesDirect,      // of those that file system calls moved: past the page cache
  kCollectiveTime,   // nanoseconds, as all that follow; of collective calls from begin to end
  kAgreeTime,        // gathering summaries and agreeing on outcomes, with waiting for ranks that come late
  kInspectTime,      // of the program's own thread, or of the one that drives the call
  kCopyTime,         // to and from windows and parcels
  kExchangeTime,     // messages, and waiting for them
  kWaitTime,         // for windows and parcels of the node
  kFileTime,         // in the file system, in collective calls
  kOverlappedTime,   // of this, the least that other work of the same rank can have hidden
  kIndependentTime,  // of accesses outside of collective calls
  kCount,
};

inline constexpr std::size_t kCounters = static_cast<std::size_t>(Counter::kCount);
using CounterValues = std::array<std::int64_t, kCounters>;

// Plain words with the unit at the end; times are called "..._seconds".
std::string_view name(Counter counter);
inline bool is_time(Counter counter) { return counter >= Counter::kCollectiveTime; }
// What a timeline calls the step that a time is of: "copy"; empty where it shows none.
std::string_view step_name(Counter counter);

// Thread-safe.
class Counters {
 public:
  void add(Counter counter, std::int64_t amount = 1) {
    values_[static_cast<std::size_t>(counter)].fetch_add(amount, std::memory_order_relaxed);
  }
  CounterValues values() const {
    CounterValues all{};
    for (std::size_t i = 0; i < kCounters; ++i) all[i] = values_[i].load(std::memory_order_relaxed);
    return all;
  }

  // Steps that are timed are shown there from now on. REQUIRES that none is under way; it outlives this.
  void show_on(const FileLine& line) { line_ = line; }
  const FileLine& line() const { return line_; }

 private:
  std::array<std::atomic<std::int64_t>, kCounters> values_{};
  FileLine line_;
};

inline std::int64_t value_of(const CounterValues& values, Counter counter) {
  return values[static_cast<std::size_t>(counter)];
}

inline Counter by_direction(Direction direction, Counter read, Counter write) {
  return direction == Direction::kRead ? read : write;
}

}  // namespace weir::trace

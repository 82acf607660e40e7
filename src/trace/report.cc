#include "trace/report.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "plan/steps.h"
#include "trace/plan_text.h"
#include "trace/words.h"

namespace weir::trace {

namespace {

std::int64_t of(const FileReport& report, Counter counter) { return value_of(report.totals, counter); }

void add_line(std::string& text, int depth, const std::string& line) {
  text += fmt::format("weir: {:{}}{}\n", "", 2 * depth, line);
}

struct Side {
  Direction direction;
  const char* heading;
  Counter independent, collective, bytes, pieces, calls, file_bytes;
};

constexpr Side kWritten = {
    Direction::kWrite,           "written",
    Counter::kIndependentWrites, Counter::kCollectiveWrites,
    Counter::kBytesWritten,      Counter::kPiecesWritten,
    Counter::kWriteCalls,        Counter::kFileBytesWritten,
};
constexpr Side kRead = {
    Direction::kRead,           "read",
    Counter::kIndependentReads, Counter::kCollectiveReads,
    Counter::kBytesRead,        Counter::kPiecesRead,
    Counter::kReadCalls,        Counter::kFileBytesRead,
};

std::string ways_text(const DirectionTally& tally) {
  return fmt::format("{} two-phase, {} independent, {} with nothing to do", tally.calls(plan::Method::kTwoPhase),
                     tally.calls(plan::Method::kIndependent), tally.calls(plan::Method::kNothing));
}

// Beside the line of what was predicted, in its words.
std::string measured_text(const CallTimes& times) {
  const auto text = [](std::int64_t nanoseconds) { return plan::time_text(static_cast<double>(nanoseconds) / 1000); };
  return fmt::format("measured on rank 0: {}: inspecting {}, copying {}, between nodes {}, file system {}, waiting {}",
                     text(times.total), text(times.agree + times.inspect), text(times.copy), text(times.exchange),
                     text(times.file), text(times.wait));
}

void add_side(std::string& text, const FileReport& report, const Side& side) {
  const DirectionTally& tally = report.calls.of(side.direction);
  const bool used = of(report, side.independent) + of(report, side.collective) > 0;
  if (used) {
    add_line(text, 1,
             fmt::format("{}: {} in {}", side.heading, bytes_text(of(report, side.bytes)),
                         counted(of(report, side.pieces), "piece")));
    if (tally.calls() > 0) {
      add_line(text, 2, fmt::format("{}: {}", counted(tally.calls(), "collective call"), ways_text(tally)));
    }
    if (of(report, side.independent) > 0) {
      add_line(text, 2, counted(of(report, side.independent), "call") + " of single ranks");
    }
  }
  if (of(report, side.calls) > 0) {  // sieving reads where the program only writes
    add_line(text, used ? 2 : 1,
             fmt::format("file system: {} {} by {}", bytes_text(of(report, side.file_bytes)), side.heading,
                         counted(of(report, side.calls), "call")));
  }
  if (!tally.last) return;
  add_line(text, 2, "last collective call:");
  for (const std::string& line : lines_of(*tally.last_plan(), report.node_of)) add_line(text, 3, line);
  if (tally.last->predicted.total_us() > 0) add_line(text, 3, measured_text(tally.last_times));
  if (tally.plans_reused > 0) {
    add_line(text, 2, fmt::format("plan reused {}", counted(tally.plans_reused, "time")));
  }
}

void add_alone(std::string& text, const FileReport& report) {
  const std::int64_t accesses = of(report, Counter::kContiguous) + of(report, Counter::kList) +
                                of(report, Counter::kPacked) + of(report, Counter::kSieve);
  if (accesses == 0) return;
  add_line(text, 1,
           fmt::format("accesses that ranks made alone: {} contiguous, {} list, {} packed, {} sieve",
                       of(report, Counter::kContiguous), of(report, Counter::kList), of(report, Counter::kPacked),
                       of(report, Counter::kSieve)));
  if (!report.last_access.empty()) {
    add_line(text, 2, "the last of rank 0: " + report.last_access);
  }
}

void add_agents(std::string& text, const FileReport& report) {
  if (of(report, Counter::kAgentRequests) == 0) return;
  add_line(text, 1,
           fmt::format("I/O agents: {} requests became {} blocks read, {} blocks and {} parts of blocks written",
                       of(report, Counter::kAgentRequests), of(report, Counter::kBlocksFetched),
                       of(report, Counter::kBlocksStored), of(report, Counter::kRunsStored)));
  if (of(report, Counter::kAgentQuestions) == 0) return;
  add_line(text, 2,
           fmt::format("between nodes: {} to agents, with {}", counted(of(report, Counter::kAgentQuestions), "message"),
                       bytes_text(of(report, Counter::kAgentBytes))));
}

void add_prefetching(std::string& text, const FileReport& report) {
  if (of(report, Counter::kRangesAsked) == 0) return;
  add_line(text, 1,
           fmt::format("prefetching: {} asked for, {} of them taken by the file system",
                       counted(of(report, Counter::kRangesAsked), "range"), of(report, Counter::kRangesTaken)));
}

void add_bouncing(std::string& text, const FileReport& report) {
  if (of(report, Counter::kBytesBounced) == 0) return;
  add_line(text, 1,
           fmt::format("through a bounce buffer, since memory was badly placed for this machine's copies: {}",
                       bytes_text(of(report, Counter::kBytesBounced))));
}

void add_ways(std::string& text, const FileReport& report) {
  if (of(report, Counter::kCallsInFlight) > 0) {
    add_line(text, 1,
             fmt::format("by io_uring, while others were under way: {} of the file system's calls",
                         of(report, Counter::kCallsInFlight)));
  }
  if (of(report, Counter::kBytesDirect) > 0) {
    add_line(text, 1, fmt::format("past the page cache (O_DIRECT): {}", bytes_text(of(report, Counter::kBytesDirect))));
  }
  if (!report.io_replaced.empty()) add_line(text, 1, "not as wished: " + report.io_replaced);
}

std::string traffic_text(const FileReport& report, Counter messages, Counter bytes) {
  return fmt::format("{} of {}", counted(of(report, messages), "message"), bytes_text(of(report, bytes)));
}

void add_traffic(std::string& text, const FileReport& report) {
  if (of(report, Counter::kTwoPhase) == 0) return;
  add_line(text, 1,
           fmt::format("inside nodes: {}; between nodes: {}",
                       traffic_text(report, Counter::kMessagesInside, Counter::kBytesInside),
                       traffic_text(report, Counter::kMessagesBetween, Counter::kBytesBetween)));
  add_line(text, 1,
           fmt::format("request structures sent: {} of {}", of(report, Counter::kStructureMessages),
                       bytes_text(of(report, Counter::kStructureBytes))));
  if (of(report, Counter::kPiecesApart) > 0) {
    add_line(text, 1,
             fmt::format("merged before they leave their node: {} of ranks became {}",
                         counted(of(report, Counter::kPiecesApart), "piece"), of(report, Counter::kPiecesTogether)));
  }
  add_line(text, 1, fmt::format("copied in memory: {}", bytes_text(of(report, Counter::kBytesCopied))));
  add_line(text, 1,
           fmt::format("windows: {}, {} of them with holes or overlaps", of(report, Counter::kRounds),
                       of(report, Counter::kWindowsMarked)));
}

struct TimeRow {
  const char* heading;
  Counter counter;
};

constexpr TimeRow kTimes[] = {
    {"collective calls", Counter::kCollectiveTime},
    {"  meeting and agreeing", Counter::kAgreeTime},
    {"  inspecting requests", Counter::kInspectTime},
    {"  copying", Counter::kCopyTime},
    {"  exchanging", Counter::kExchangeTime},
    {"  waiting for windows", Counter::kWaitTime},
    {"  file system", Counter::kFileTime},
    {"calls of single ranks", Counter::kIndependentTime},
};

void add_times(std::string& text, const FileReport& report) {
  if (of(report, Counter::kCollectiveTime) + of(report, Counter::kIndependentTime) == 0) return;
  add_line(text, 1, fmt::format("{:<24}{:>12}{:>12}", "time of a rank", "mean", "most"));
  for (const TimeRow& row : kTimes) {
    if (of(report, row.counter) == 0) continue;
    add_line(text, 2,
             fmt::format("{:<22}{:>12}{:>12}", row.heading, time_text(of(report, row.counter) / report.ranks),
                         time_text(value_of(report.most, row.counter))));
  }
  const std::int64_t file = of(report, Counter::kFileTime);
  if (of(report, Counter::kTwoPhase) == 0 || file == 0) return;
  const std::int64_t overlapped = of(report, Counter::kOverlappedTime);
  add_line(text, 2,
           fmt::format("at least {} % of the file system's time ran beside other work of the same rank",
                       100 * overlapped / file));
}

void add_thread_level(std::string& text, const ThreadLevel& threads) {
  if (threads.level.empty()) return;
  add_line(text, 1,
           fmt::format("thread level: {} ({}); messages of nonblocking calls {}", threads.level, threads.reason,
                       threads.messages));
}

void add_hints(std::string& text, const FileReport& report) {
  std::string given;
  for (const HintValue& hint : report.hints) {
    given += fmt::format("{}{}={}{}", given.empty() ? "" : ", ", hint.key, hint.value,
                         hint.in_force ? "" : " (no effect in this version)");
  }
  if (!given.empty()) add_line(text, 1, "hints: " + given);
  for (const hints::Change& change : report.hints_not_followed) add_line(text, 1, hints::sentence(change));
}

}  // namespace

std::vector<HintValue> hints_given(const hints::HintSet& hints) {
  std::vector<HintValue> given;
  for (const hints::Row& row : hints::table()) {
    const std::string& value = hints.text(row.id);
    if (row.effect == hints::Effect::kIgnored || row.id == hints::Id::kFilename) continue;
    if (value.empty() || value == row.default_text) continue;
    given.push_back({std::string(row.name), value, row.effect == hints::Effect::kInForce});
  }
  return given;
}

std::string print(const FileReport& report) {
  std::string text;
  add_line(text, 0,
           fmt::format("{} ({}), {} on {}", report.path, report.file_system, counted(report.ranks, "rank"),
                       counted(report.nodes, "node")));
  if (report.stripe_bytes > 0) {
    add_line(text, 1,
             fmt::format("striped over {}, {} on each in turn", counted(report.servers, "server"),
                         bytes_text(report.stripe_bytes)));
  }
  add_side(text, report, kWritten);
  add_side(text, report, kRead);
  add_alone(text, report);
  add_agents(text, report);
  add_prefetching(text, report);
  add_bouncing(text, report);
  add_ways(text, report);
  add_traffic(text, report);
  add_times(text, report);
  add_thread_level(text, report.thread_level);
  add_hints(text, report);
  if (of(report, Counter::kFailures) > 0) {
    add_line(text, 1, fmt::format("failed: {} of the ranks' accesses", of(report, Counter::kFailures)));
  }
  return text;
}

}  // namespace weir::trace

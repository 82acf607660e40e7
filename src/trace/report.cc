#include "trace/report.h"

#include <fmt/format.h>

namespace weir::trace {

namespace {

std::int64_t of(const FileReport& report, Counter counter) { return report.totals[static_cast<std::size_t>(counter)]; }

std::string bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kKiB = 1024;
  if (bytes < 10 * kKiB) return fmt::format("{} B", bytes);
  if (bytes < 10 * kKiB * kKiB) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024.0);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / 1048576.0);
}

struct Side {
  const char* verb;
  Counter independent, collective, bytes, pieces, calls, file_bytes;
};

constexpr Side kWritten = {"written",
                           Counter::kIndependentWrites,
                           Counter::kCollectiveWrites,
                           Counter::kBytesWritten,
                           Counter::kPiecesWritten,
                           Counter::kWriteCalls,
                           Counter::kFileBytesWritten};
constexpr Side kRead = {"read",
                        Counter::kIndependentReads,
                        Counter::kCollectiveReads,
                        Counter::kBytesRead,
                        Counter::kPiecesRead,
                        Counter::kReadCalls,
                        Counter::kFileBytesRead};

std::string print_side(const FileReport& report, const Side& side) {
  std::int64_t accesses = of(report, side.independent) + of(report, side.collective);
  if (accesses == 0) return {};
  return fmt::format(
      "weir:   {}: {} in {} pieces by {} independent and {} collective accesses; "
      "{} file system calls moved {}\n",
      side.verb, bytes_text(of(report, side.bytes)), of(report, side.pieces), of(report, side.independent),
      of(report, side.collective), of(report, side.calls), bytes_text(of(report, side.file_bytes)));
}

}  // namespace

std::string_view name(Counter counter) {
  constexpr std::array<std::string_view, kCounters> kNames = {"independent_reads",
                                                              "independent_writes",
                                                              "collective_reads",
                                                              "collective_writes",
                                                              "bytes_read",
                                                              "bytes_written",
                                                              "pieces_read",
                                                              "pieces_written",
                                                              "contiguous",
                                                              "list",
                                                              "packed",
                                                              "sieve",
                                                              "read_calls",
                                                              "write_calls",
                                                              "file_bytes_read",
                                                              "file_bytes_written",
                                                              "failures",
                                                              "two_phase",
                                                              "plans_reused",
                                                              "rounds",
                                                              "windows_marked",
                                                              "bytes_copied",
                                                              "structure_messages",
                                                              "structure_bytes",
                                                              "messages_inside_nodes",
                                                              "bytes_inside_nodes",
                                                              "messages_between_nodes",
                                                              "bytes_between_nodes",
                                                              "inspect_nanoseconds",
                                                              "copy_nanoseconds",
                                                              "exchange_nanoseconds",
                                                              "wait_nanoseconds",
                                                              "file_nanoseconds"};
  return kNames[static_cast<std::size_t>(counter)];
}

std::string print(const FileReport& report) {
  std::string text = fmt::format("weir: {} ({}), {} ranks on {} node{}\n", report.path, report.file_system,
                                 report.ranks, report.nodes, report.nodes == 1 ? "" : "s");
  text += print_side(report, kWritten);
  text += print_side(report, kRead);
  text += fmt::format("weir:   accesses by method: {} contiguous, {} list, {} packed, {} sieve\n",
                      of(report, Counter::kContiguous), of(report, Counter::kList), of(report, Counter::kPacked),
                      of(report, Counter::kSieve));
  if (!report.last_plan.empty()) text += fmt::format("weir:   last plan: {}\n", report.last_plan);
  if (!report.last_access.empty()) text += fmt::format("weir:   last access of rank 0: {}\n", report.last_access);
  if (of(report, Counter::kFailures) > 0) {
    text += fmt::format("weir:   {} accesses failed\n", of(report, Counter::kFailures));
  }
  return text;
}

}  // namespace weir::trace

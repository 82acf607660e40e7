#include "trace/counters.h"

namespace weir::trace {

std::string_view name(Counter counter) {
  constexpr std::array<std::string_view, kCounters> kNames = {
      "independent_reads",
      "independent_writes",
      "collective_reads",
      "collective_writes",
      "read_bytes",
      "written_bytes",
      "read_pieces",
      "written_pieces",
      "contiguous_accesses",
      "list_accesses",
      "packed_accesses",
      "sieve_accesses",
      "file_read_calls",
      "file_write_calls",
      "file_read_bytes",
      "file_written_bytes",
      "failed_accesses",
      "two_phase_accesses",
      "reused_plans",
      "rounds",
      "marked_windows",
      "copied_bytes",
      "structure_messages",
      "structure_bytes",
      "messages_inside_nodes",
      "messages_inside_nodes_bytes",
      "messages_between_nodes",
      "messages_between_nodes_bytes",
      "prefetch_ranges_asked",
      "prefetch_ranges_taken",
      "bounced_bytes",
      "agent_requests",
      "agent_questions",
      "agent_bytes_between_nodes",
      "agent_blocks_read",
      "agent_blocks_written",
      "agent_runs_written",
      "pieces_before_merging",
      "pieces_after_merging",
      "calls_in_flight",
      "direct_bytes",
      "collective_seconds",
      "agree_seconds",
      "inspect_seconds",
      "copy_seconds",
      "exchange_seconds",
      "wait_seconds",
      "file_seconds",
      "overlapped_seconds",
      "independent_seconds",
  };
  return kNames[static_cast<std::size_t>(counter)];
}

std::string_view step_name(Counter counter) {
  switch (counter) {
    case Counter::kAgreeTime: return "agree";
    case Counter::kInspectTime: return "inspect";
    case Counter::kCopyTime: return "copy";
    case Counter::kExchangeTime: return "exchange";
    case Counter::kWaitTime: return "wait";
    case Counter::kFileTime:
    case Counter::kIndependentTime: return "file";
    default: return {};
  }
}

}  // namespace weir::trace

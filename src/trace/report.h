// The report: what was done to a file and why.
#pragma once

#include <string>
#include <vector>

#include "hints/apply.h"
#include "hints/hint_set.h"
#include "trace/call_log.h"
#include "trace/counters.h"

namespace weir::trace {

// A hint that somebody gave a value.
struct HintValue {
  std::string key;
  std::string value;
  bool in_force = true;  // false: kept, but this version does not act on it
  bool operator==(const HintValue&) const = default;
};

// The thread level of MPI on a rank, in words.
struct ThreadLevel {
  std::string level;     // "single"; empty: there is no MPI
  std::string reason;    // "as asked"
  std::string messages;  // what those of nonblocking calls do: "move inside the host's progress"
};

struct FileReport {
  std::string path;
  std::string file_system;
  std::string driver;             // that serves it
  std::int64_t stripe_bytes = 0;  // on one server before the next; 0: not striped, or unknown
  int servers = 1;                // that it is striped over
  std::string io_replaced;        // why bytes do not go as weir_io asks; empty where they do
  int ranks = 1;
  int nodes = 1;
  std::vector<int> node_of;           // of each rank
  std::vector<std::string> hosts;     // of each node
  ThreadLevel thread_level;           // of this rank
  CounterValues totals{};             // summed over ranks
  CounterValues most{};               // each of the rank that has most
  std::vector<HintValue> hints;       // whose values are not the defaults
  hints::Changes hints_not_followed;  // pairs that were adjusted, rejected, ignored or unknown
  CallLog calls;                      // with the times of this rank
  std::string last_access;            // of this rank alone, with its reason
};

// The hints of a file whose values are not the defaults, in the table's order.
std::vector<HintValue> hints_given(const hints::HintSet& hints);

// For people: several lines, each beginning with "weir: ", ending with a newline.
std::string print(const FileReport& report);

}  // namespace weir::trace

// What the calls on a file cost, counted with ranks as threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::scale {

struct Shape {
  int ranks = 1;
  int ranks_per_node = 1;
  int nodes() const { return (ranks + ranks_per_node - 1) / ranks_per_node; }
};

// One call, on all ranks. Messages that carry the program's data are not among those of the call.
struct CallCost {
  std::string call;
  std::int64_t messages_between = 0;  // nodes; of all ranks
  std::int64_t bytes_between = 0;
  std::int64_t messages_inside = 0;
  std::int64_t data_messages = 0;     // between nodes
  std::int64_t most_allocations = 0;  // of a rank
  std::int64_t most_allocated_bytes = 0;
  std::int64_t median_allocated_bytes = 0;
  std::chrono::nanoseconds median_time{0};  // of a rank on a core
};

// Every rank writes four blocks of 256 bytes, in turn with all others, through aggregators: opened, viewed, written for
// the first time, again, further on in the file, as read, synced, closed.
std::vector<CallCost> engine_costs(const Shape& shape);

}  // namespace weir::scale

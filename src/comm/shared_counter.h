// SharedCounter: one number for all ranks of a file; the shared file pointer is one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/status.h"
#include "comm/comm.h"
#include "comm/line.h"

namespace weir::comm {

class SharedMemory;

class SharedCounter {
 public:
  virtual ~SharedCounter() = default;

  // LOCAL, by any rank at any time, also by several threads of a rank. Operations of all ranks take effect one at a
  // time, in one order. Starts at 0; sums wrap around.
  virtual Result<std::int64_t> fetch_add(std::int64_t delta) = 0;  // returns the value before
  virtual Result<std::int64_t> load() = 0;
  virtual Status store(std::int64_t value) = 0;

  // COLLECTIVE: no rank uses the counter after this. REQUIRED once before destruction on every rank.
  virtual Status close() = 0;
};

// COLLECTIVE over `comm`; all ranks return the same failure, or a counter each.
//
// Ranks of one node share a word of memory: an operation is one atomic instruction. Ranks of several nodes, or of
// one where memory cannot be shared, ask rank 0, where a Service answers: an operation is a round trip, some
// milliseconds longer when its thread had been idle; where threads may not call the host, until rank 0's program is
// inside MPI or waits in weir. A file whose counter could not be made is good for everything but its shared pointer.
//
// To be made when a file is opened: the first operation on a shared pointer is not collective, later is too late.
// It costs one agreement, preceded on one node by a small message to each rank; rank 0's thread wakes every 5 ms
// when idle.
//
// `line` makes this rank's ends of a line of the same ranks as `comm`, for the counter alone; called where it is
// needed. `node_memory` (may be null) is memory that all ranks share already, with a counter's word, zero, at its
// beginning.
Result<std::unique_ptr<SharedCounter>> make_shared_counter(Comm& comm, const std::function<Line()>& line,
                                                           std::shared_ptr<SharedMemory> node_memory = nullptr);

}  // namespace weir::comm

// Recorder: what one rank asks of its files, for a capture (capture/capture.h).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"
#include "layout/layout.h"

namespace weir::trace {

// A file that was opened.
struct OpenSeen {
  std::string path;
  unsigned mode = 0;  // capture::ModeBits
  capture::Group ranks;
  hints::Pairs hints;
  std::int64_t size_bytes = 0;
  std::int64_t begun = 0;  // when the call began, by trace::now()
};

// LOCAL; thread-safe. Calls stand in the order in which they began; one that goes on beside others is kept open until
// it ends. Those that fail are left out: collective ones fail on all ranks. After a lack of memory nothing more is
// recorded, and failed() tells.
class Recorder {
 public:
  using Ticket = std::uint64_t;

  explicit Recorder(int job_ranks);

  // The number of the file, for its calls.
  int opened(const OpenSeen& seen) noexcept;
  // A call begins, with the structure of its memory or file type, which may be null.
  Ticket begin(capture::Op op, const layout::Layout* structure, const hints::Pairs* hints = nullptr) noexcept;
  // And ends. `place` as of now: it may have been settled meanwhile. A call that failed is left out.
  void end(Ticket ticket, std::int64_t place, bool failed) noexcept;
  // Both, for an access of so many bytes that are contiguous in memory, which is over.
  void add_flat(capture::Op op, std::int64_t bytes, std::int64_t begun) noexcept;

  bool failed() const;
  // With one program. Calls that have not ended are left out, with all behind them.
  capture::Capture value() const;

 private:
  struct Call {
    capture::Op op;
    std::int64_t begun = 0;
    std::int64_t ended = 0;
    bool over = false;
    bool failed = false;
  };
  Ticket put(Call call);
  void settle();  // what is over and has nothing open before it becomes part of the program
  int structure_number(const layout::Layout& structure);
  int flat_number(std::int64_t bytes);

  mutable std::mutex mutex_;  // guards what follows
  capture::Capture kept_;
  std::unordered_multimap<std::uint64_t, int> structure_numbers_;  // by fingerprint
  std::map<std::int64_t, int> flat_numbers_;                       // by bytes
  std::deque<Call> open_;
  Ticket first_open_ = 0;  // the ticket of open_'s first
  int files_ = 0;
  std::int64_t last_end_ = 0;
  bool failed_ = false;
};

// What one file tells; nothing by default.
struct FileRecord {
  Recorder* recorder = nullptr;
  int file = 0;
};

}  // namespace weir::trace

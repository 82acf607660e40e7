// One collective call of ranks as threads, checked against a map of the file's bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exec/byte_request.h"
#include "exec/file_ranks.h"

namespace weir::exec {

// What all ranks ask for together.
struct Call {
  Direction direction = Direction::kWrite;
  std::vector<Shape> shapes;  // by rank
  Manner manner = Manner::kBlocking;
  // kExplicit or kIndividual; kOrdered, for views that are equal everywhere, puts the ranks one behind the other from
  // the view's begin on, whatever data offsets the shapes have.
  Positioning positioning = Positioning::kExplicit;
  bool keep_view = false;  // the ranks have these views already
};

std::string describe(const Call& call);

// One rank's bytes in a call: request byte i goes to offsets[i], and is values[i] when writing.
struct PartBytes {
  std::vector<std::int64_t> offsets;
  Bytes values;
};

// What became of the bytes that were to be written.
enum class Attendance : std::uint8_t { kAll, kSome };

// Where a file that held `before` may not be `found` after these ranks wrote, in words; "" when it may. All other bytes
// must be as before. A byte that was written several times may have any of these values; with kSome also the old one.
std::string file_difference(const Bytes& before, const std::vector<PartBytes>& written, Attendance arrival,
                            const Bytes& found);

// A file in memory that ranks have open, with the map of its bytes. Shared by all ranks of a test.
class CheckedFile {
 public:
  CheckedFile(int ranks, driver::StorageLayout storage, const Bytes& before);

  driver::MemoryDriver& driver() { return driver_; }

  // COLLECTIVE: makes the file hold these bytes and no more.
  void refill(Rank& rank, const Bytes& bytes);
  // COLLECTIVE: runs the call, which must succeed; checks counts, memory and the whole file. `text` is told on failure.
  void run(Rank& rank, OpenFile& file, const Call& call, const std::string& text);
  // COLLECTIVE: runs the call; all ranks return the same status. Where it failed, only bytes that were asked for may
  // have changed, and only to what they should be.
  Status run_that_may_fail(Rank& rank, OpenFile& file, const Call& call, const std::string& text);

 private:
  // One rank's part of a call.
  struct Part {
    Shape shape;
    ByteRequest request;
    std::unique_ptr<Arena> arena;
    Bytes memory_before;
  };

  Part make_part(int rank, const Call& call);
  void check_memory(const Call& call, Part& part, const driver::IoOutcome& outcome, const std::string& text);
  // On rank 0, while the others wait: what the file holds now is what the map holds from now on.
  void check_file(const Call& call, const std::string& text);

  driver::MemoryDriver driver_;
  Bytes bytes_;                     // of the file; changed by rank 0 while the others wait
  int calls_ = 0;                   // likewise
  std::vector<PartBytes> written_;  // by rank, in the call that runs
  std::vector<Status> statuses_;    // likewise
};

}  // namespace weir::exec

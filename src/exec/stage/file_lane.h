// FileLane: an aggregator's way to the file, window after window, beside the copying of its group.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/advised_file.h"
#include "driver/file_driver.h"
#include "exec/stage/planned_call.h"
#include "exec/stage/touched_blocks.h"

namespace weir::exec {

class FileLane {
 public:
  // REQUIRES: the call has this rank as aggregator.
  FileLane(driver::File& file, const PlannedCall& call);
  FileLane(const FileLane&) = delete;
  FileLane& operator=(const FileLane&) = delete;

  // Before any rank of the group can come: writing, the first windows are opened.
  void open_first();
  // One round, in step with this rank's own part in it: before it when reading, after it when writing. Nothing to do
  // when this aggregator has fewer rounds. `company` as for sys::Waiting.
  void run(std::int64_t round, sys::Company* company);
  // All rounds, on a thread beside this rank's own part.
  void run_beside();
  // After the last round and this rank's own part: waits until the group has left the last windows.
  void close_last();

  // After the last round: the first failure; where the data ended; rounds that reached the file.
  const Status& status() const { return status_; }
  // Whether the round's window is all this rank's own, in slices that need no buffer: then it stays empty.
  bool is_direct(std::int64_t round) const;
  // Reading a direct window: where in the file the data ended.
  std::int64_t direct_data_end() const { return direct_data_end_; }

 private:
  std::int64_t rounds() const { return call_.schedule.rounds[number_]; }
  WindowSlot slot(std::int64_t round) const;
  void prepare(std::int64_t round);
  void await_users(std::int64_t round, sys::Company* company);
  void write_round(std::int64_t round, sys::Company* company);
  void read_round(std::int64_t round, sys::Company* company);
  void access(std::int64_t round);
  void add_whole(const plan::Window& window, std::byte* data);
  void add_marked(const plan::Window& window, const WindowSlot& slot);
  void add_slices(const plan::Window& window);
  void add(driver::IoRequest request);
  Extent next_range(std::int64_t from);  // as driver::AdvisedFile wants it
  void flush();

  const PlannedCall& call_;
  const std::size_t number_;
  comm::SlotRing& ring_;
  const bool slices_are_large_;
  layout::SliceCursor slices_;  // of this rank's own request
  driver::AdvisedFile file_;
  std::optional<TouchedBlocks> touched_;  // where reads prefetch
  std::vector<driver::IoRequest>& requests_;
  std::int64_t asked_bytes_ = 0;  // of the present window
  std::int64_t moved_bytes_ = 0;
  std::int64_t direct_data_end_ = kNoEnd;
  Status status_;
};

}  // namespace weir::exec

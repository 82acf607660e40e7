// AdvisedFile: a file's transfers, with advice to the file system running ahead of the reads of one access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "driver/file_driver.h"
#include "plan/prefetch.h"

namespace weir::driver {

// Gives advice as plan::PrefetchPolicy says, where the prefetch is on and the driver can; otherwise it only passes
// transfers on. Keeps at most 2 * max_acc ranges in memory. LOCAL, one transfer at a time.
class AdvisedFile {
 public:
  // The range that the access will read of the first block in which it reads anything at or behind the offset `from`;
  // the range begins there or behind, too. Empty when there is none. Is asked with ascending offsets.
  using NextRange = std::function<Extent(std::int64_t from)>;

  // REQUIRES: reads ascend in the file. The file outlives this object.
  AdvisedFile(File& file, const plan::Prefetch& prefetch, NextRange next_range);
  AdvisedFile(const AdvisedFile&) = delete;
  AdvisedFile& operator=(const AdvisedFile&) = delete;
  // Releases what is still held: the access ended early.
  ~AdvisedFile();

  // As File::transfer(). The file gets the same requests in the same order, and can join the same neighbours: the batch
  // is cut only where advice is due and two requests do not touch.
  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests);

 private:
  void reach(std::int64_t offset);
  void leave_before(std::int64_t offset);
  void release(std::int64_t count);
  void ask();
  std::size_t group_size(std::span<const IoRequest> requests) const;

  File& file_;
  const bool on_;
  plan::PrefetchPolicy policy_;
  NextRange next_range_;
  std::vector<Extent> ranges_;  // the next ones to be accessed; those that are held come first
  std::int64_t found_end_ = 0;  // ranges before this offset have been found, or are not worth it any more
  std::int64_t group_end_ = 0;  // where the ranges end that may be accessed before advice is due again
};

}  // namespace weir::driver

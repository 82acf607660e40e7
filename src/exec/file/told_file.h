// ToldFile: the file as aggregators on several nodes use it where the clients of a file system keep what was written.
#pragma once

#include <algorithm>
#include <span>

#include "driver/passing_file.h"

namespace weir::exec {

// A rank may read by itself what an aggregator wrote for it, and the reverse, without a sync: it is the same rank's
// access. So what is written is on the servers when the transfer ends, and what is read is asked of them.
class ToldFile final : public driver::PassingFile {
 public:
  using PassingFile::PassingFile;

  driver::IoOutcome transfer(Direction direction, std::span<const driver::IoRequest> requests) override {
    if (direction == Direction::kRead) passed().refresh_range(extent_of(requests));
    driver::IoOutcome outcome = passed().transfer(direction, requests);
    if (direction == Direction::kWrite) outcome.status = std::move(outcome.status).or_else(passed().sync());
    return outcome;
  }

 private:
  static Extent extent_of(std::span<const driver::IoRequest> requests) {
    if (requests.empty()) return {};
    Extent all = {requests.front().offset, requests.front().offset};
    for (const driver::IoRequest& request : requests) {
      all = {std::min(all.begin, request.offset), std::max(all.end, request.offset + request.bytes)};
    }
    return all;
  }
};

}  // namespace weir::exec

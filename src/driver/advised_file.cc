#include "driver/advised_file.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weir::driver {

AdvisedFile::AdvisedFile(File& file, const plan::Prefetch& prefetch, NextRange next_range)
    : file_(file),
      on_(prefetch.max_acc > 0 && file.capabilities().prefetches),
      policy_(prefetch.max_acc),
      next_range_(std::move(next_range)) {}

AdvisedFile::~AdvisedFile() { release(policy_.held()); }

IoOutcome AdvisedFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  if (!on_ || direction == Direction::kWrite) return file_.transfer(direction, requests);
  IoOutcome total;
  while (!requests.empty()) {
    reach(requests.front().offset);
    const std::span<const IoRequest> group = requests.first(group_size(requests));
    std::int64_t asked_bytes = 0;
    for (const IoRequest& request : group) asked_bytes += request.bytes;
    IoOutcome outcome = file_.transfer(direction, group);
    total.bytes_moved += outcome.bytes_moved;
    total.status = std::move(outcome.status);
    if (!total.status.ok() || outcome.bytes_moved < asked_bytes) break;
    reach(group.back().offset + group.back().bytes);
    requests = requests.subspan(group.size());
  }
  return total;
}

// How many of the requests go to the file before advice is due.
std::size_t AdvisedFile::group_size(std::span<const IoRequest> requests) const {
  std::size_t size = 1;
  while (size < requests.size()) {
    const IoRequest& last = requests[size - 1];
    const bool touches = requests[size].offset == last.offset + last.bytes;
    if (!touches && requests[size].offset >= group_end_) break;
    ++size;
  }
  return size;
}

// Nothing before the offset will be read any more. Where that ends a group of ranges, the next one begins.
void AdvisedFile::reach(std::int64_t offset) {
  if (offset < group_end_) return;
  leave_before(offset);
  ask();
  const auto group = std::min(static_cast<std::size_t>(policy_.to_access()), ranges_.size());
  group_end_ = group > 0 ? ranges_[group - 1].end : std::numeric_limits<std::int64_t>::max();
}

void AdvisedFile::leave_before(std::int64_t offset) {
  const auto next = std::find_if(ranges_.begin(), ranges_.end(), [&](Extent range) { return range.end > offset; });
  release(policy_.accessed(next - ranges_.begin()));
  ranges_.erase(ranges_.begin(), next);
  found_end_ = std::max(found_end_, offset);
}

// The first ones.
void AdvisedFile::release(std::int64_t count) {
  if (count > 0) file_.release(std::span(ranges_).first(static_cast<std::size_t>(count)));
}

// Ranges that the system did not take are asked for again.
void AdvisedFile::ask() {
  const auto most = static_cast<std::size_t>(policy_.held() + policy_.to_ask());
  while (ranges_.size() < most) {
    const Extent range = next_range_(found_end_);
    if (range.empty()) break;
    ranges_.push_back(range);
    found_end_ = range.end;
  }
  const std::span<const Extent> wanted = std::span(ranges_).subspan(static_cast<std::size_t>(policy_.held()));
  if (!wanted.empty()) policy_.took(file_.prefetch(wanted));
}

}  // namespace weir::driver

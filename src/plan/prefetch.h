// Controlled prefetching: how far the advice that a read gives the file system runs ahead of its accesses. (Prost et
// al., MPI-IO/GPFS, section 2.3.) A range is the span of one block of the file that the read touches.
#pragma once

#include <cstdint>

namespace weir::plan {

struct Prefetch {
  std::int64_t max_acc = 0;      // ranges accessed at once (hint weir_max_acc); 0: no advice
  std::int64_t block_bytes = 1;  // of the file

  bool operator==(const Prefetch&) const = default;
};

// The policy, in numbers of ranges, which a read goes through in order. A range is held from when the system took it
// for prefetching until it was accessed and is released; the held ones are always the next to be accessed. One step:
//
//   ask for the next to_ask() ranges, or for all that are left; took(n), of these the first n;
//   access the next to_access() ranges, or all that are left; then accessed(), and release as many as that says.
//
// REQUIRES max_acc >= 1.
class PrefetchPolicy {
 public:
  explicit PrefetchPolicy(std::int64_t max_acc) : max_acc_(max_acc) {}

  std::int64_t held() const { return held_; }
  // Fills up to twice max_acc: as many to be accessed now as on their way meanwhile.
  std::int64_t to_ask() const { return 2 * max_acc_ - held_; }
  // REQUIRES 0 <= ranges <= to_ask().
  void took(std::int64_t ranges) { held_ += ranges; }
  // What the system has taken, no more than max_acc of it; one range where it took nothing.
  std::int64_t to_access() const;
  // `ranges` were accessed, which may be more or fewer than to_access(). Returns how many of them were held.
  std::int64_t accessed(std::int64_t ranges);

 private:
  std::int64_t max_acc_;
  std::int64_t held_ = 0;
};

}  // namespace weir::plan

// SourceHeap: several ascending sources as one, for k-way merges. Internal to layout/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::layout {

// A Source has at_end(), and unless it is there, begin(): where what it has next begins, ascending from step to step.
// The front is the source that begins first.
template <typename Source>
class SourceHeap {
 public:
  void add(Source source) {
    if (source.at_end()) return;
    slots_.push_back({source.begin(), sources_.size()});
    sources_.push_back(std::move(source));
    std::push_heap(slots_.begin(), slots_.end(), begins_later);
  }

  bool empty() const { return slots_.empty(); }
  // REQUIRES of all that follow: !empty().
  std::int64_t begin() const { return slots_.front().begin; }
  Source& front() { return sources_[slots_.front().source]; }

  // To be called when the front has gone on. O(log(sources)), and O(1) when it stays the front.
  void reorder() {
    if (front().at_end()) {
      slots_.front() = slots_.back();
      slots_.pop_back();
      if (slots_.empty()) return;
    } else {
      slots_.front().begin = front().begin();
    }
    sink_front();
  }

 private:
  struct Slot {
    std::int64_t begin;
    std::size_t source;
  };

  static bool begins_later(const Slot& a, const Slot& b) { return a.begin > b.begin; }

  void sink_front() {
    const Slot slot = slots_.front();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < slots_.size(); child = 2 * hole + 1) {
      if (child + 1 < slots_.size() && begins_later(slots_[child], slots_[child + 1])) ++child;
      if (!begins_later(slot, slots_[child])) break;
      slots_[hole] = slots_[child];
      hole = child;
    }
    slots_[hole] = slot;
  }

  std::vector<Source> sources_;
  std::vector<Slot> slots_;  // a heap
};

}  // namespace weir::layout

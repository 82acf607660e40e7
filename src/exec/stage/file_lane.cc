#include "exec/stage/file_lane.h"

#include <algorithm>

#include "trace/span.h"
#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

// Slices from this size on go to the file as they are.
constexpr std::int64_t kLargeSlice = 16 << 10;

std::int64_t mean_slice(const layout::RequestList& requests) {
  const std::int64_t tile_pieces = requests.view().filetype().piece_count();
  const std::int64_t pieces = std::max<std::int64_t>(tile_pieces, 1) + requests.memory().layout.piece_count();
  return requests.bytes() / pieces;
}

// The file offset behind the first `bytes` bytes of the window.
std::int64_t offset_behind(const plan::Window& window, std::int64_t bytes) {
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (bytes < extent.bytes()) return extent.begin + bytes;
    bytes -= extent.bytes();
  }
  return kNoEnd;
}

}  // namespace

FileLane::FileLane(driver::File& file, const PlannedCall& call)
    : call_(call),
      number_(*call.schedule.aggregator),
      ring_(call.group.windows(call.rank())),
      slices_are_large_(call.requests.bytes() > 0 && mean_slice(call.requests) >= kLargeSlice),
      slices_(call.requests.slices()),
      file_(file, call.plan.prefetch, [this](std::int64_t from) { return next_range(from); }),
      requests_(call.stores.file_lane) {
  requests_.clear();
  if (call.plan.prefetch.max_acc > 0) touched_.emplace(call.plan, call.schedule, call.stores.touched_blocks);
}

WindowSlot FileLane::slot(std::int64_t round) const { return call_.buffers.window(call_.rank(), ring_.slot_of(round)); }

bool FileLane::is_direct(std::int64_t round) const {
  const auto index = static_cast<std::size_t>(round);
  return slices_are_large_ && call_.plan.domains[number_].block_bytes == 0 && call_.schedule.window_users[index] == 1 &&
         call_.schedule.freight[index].empty() && call_.schedule.own_bytes(round) > 0;
}

void FileLane::prepare(std::int64_t round) {
  const WindowSlot window_slot = slot(round);
  const bool marked = call_.schedule.window_marked[static_cast<std::size_t>(round)] && !is_direct(round);
  *window_slot.header = {kNoEnd, marked ? 1 : 0};
  if (!marked) return;
  layout::CoverageMap(window_slot.marks).clear(call_.plan.round_size.window_bytes);
  call_.counters.add(trace::Counter::kWindowsMarked);
}

void FileLane::open_first() {
  if (!call_.writing()) return;
  const std::int64_t first = std::min<std::int64_t>(call_.plan.depth, rounds());
  for (std::int64_t round = 0; round < first; ++round) prepare(round);
  if (first > 0) ring_.open(first - 1);
}

void FileLane::run(std::int64_t round, sys::Company* company) {
  if (round >= rounds()) return;
  if (call_.writing()) {
    write_round(round, company);
  } else {
    read_round(round, company);
  }
}

// This rank's other thread keeps its company.
void FileLane::run_beside() {
  if (const trace::FileLine& line = call_.counters.line(); line.timeline != nullptr) {
    line.timeline->name_thread("file lane");
  }
  for (std::int64_t round = 0; round < rounds(); ++round) run(round, nullptr);
}

void FileLane::await_users(std::int64_t round, sys::Company* company) {
  const trace::Span span(call_.counters.line(), "wait", {round});
  ring_.await_users(round, call_.schedule.window_users[static_cast<std::size_t>(round)], company);
}

void FileLane::write_round(std::int64_t round, sys::Company* company) {
  await_users(round, company);
  access(round);
  const std::int64_t next = round + call_.plan.depth;
  if (next >= rounds()) return;
  prepare(next);
  ring_.open(next);
}

void FileLane::read_round(std::int64_t round, sys::Company* company) {
  const std::int64_t before = round - call_.plan.depth;
  if (before >= 0) await_users(before, company);
  access(round);
  const bool complete = status_.ok() && moved_bytes_ == asked_bytes_;
  const plan::Window window = window_of(call_.plan, number_, round);
  std::int64_t data_end = complete ? kNoEnd : offset_behind(window, moved_bytes_);
  if (is_direct(round)) {
    const Extent mine = call_.requests.positions_within(window.extent(0));
    if (!complete)
      data_end = call_.requests.view().file_offset(call_.requests.data_offset() + mine.begin + moved_bytes_);
    direct_data_end_ = std::min(direct_data_end_, data_end);
  }
  *slot(round).header = {data_end, 0};
  ring_.open(round);
}

void FileLane::close_last() {
  if (call_.writing()) return;
  for (std::int64_t round = std::max<std::int64_t>(0, rounds() - call_.plan.depth); round < rounds(); ++round) {
    await_users(round, &call_.comm);
  }
}

// A window that nobody has bytes in is left alone; after a failure nothing more is tried.
void FileLane::access(std::int64_t round) {
  asked_bytes_ = 0;
  moved_bytes_ = 0;
  if (!status_.ok() || call_.schedule.window_bytes[static_cast<std::size_t>(round)] == 0) return;
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kFileTime, {round});
  call_.counters.add(trace::Counter::kRounds);
  const plan::Window window = window_of(call_.plan, number_, round);
  const WindowSlot window_slot = slot(round);
  if (is_direct(round)) {
    add_slices(window);
  } else if (call_.writing() && window_slot.header->marked != 0) {
    add_marked(window, window_slot);
  } else {
    add_whole(window, window_slot.data);
  }
  flush();
  stopwatch.set_bytes(moved_bytes_);
}

void FileLane::add_whole(const plan::Window& window, std::byte* data) {
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (!extent.empty()) add({extent.begin, data + window.place(i), extent.bytes()});
  }
}

// Marked runs are runs of the buffer: they are cut where the blocks of the window meet.
void FileLane::add_marked(const plan::Window& window, const WindowSlot& slot) {
  const layout::CoverageMap map(slot.marks);
  map.for_each_run(window.count * window.block_bytes, [&](Extent run) {
    while (!run.empty()) {
      const std::int64_t block = run.begin / window.block_bytes;
      const std::int64_t end = std::min(run.end, (block + 1) * window.block_bytes);
      const std::int64_t offset =
          window.first_block + block * window.stride_bytes + run.begin - block * window.block_bytes;
      add({offset, slot.data + run.begin, end - run.begin});
      run.begin = end;
    }
  });
}

void FileLane::add_slices(const plan::Window& window) {
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    const Extent positions = extent.empty() ? Extent{} : call_.requests.positions_within(extent);
    if (positions.empty()) continue;
    slices_.seek(positions.begin);
    for (std::int64_t left = positions.bytes(); left > 0;) {
      const layout::Slice slice = slices_.next(left);
      add({slice.file_offset, slice.memory, slice.bytes});
      left -= slice.bytes;
    }
  }
}

Extent FileLane::next_range(std::int64_t from) {
  const Extent range = touched_->next(from - call_.distance);
  return range.empty() ? Extent{} : Extent{range.begin + call_.distance, range.end + call_.distance};
}

void FileLane::add(driver::IoRequest request) {
  request.offset += call_.distance;
  requests_.push_back(request);
  if (requests_.size() == Stores::kBatch) flush();
}

void FileLane::flush() {
  const bool ended = !status_.ok() || moved_bytes_ < asked_bytes_;
  if (!requests_.empty() && !ended) {
    for (const driver::IoRequest& request : requests_) asked_bytes_ += request.bytes;
    driver::IoOutcome outcome = file_.transfer(call_.plan.direction, requests_);
    moved_bytes_ += outcome.bytes_moved;
    status_ = std::move(outcome.status);
  }
  requests_.clear();
}

}  // namespace weir::exec

#include "trace/recorder.h"

#include <algorithm>
#include <new>
#include <utility>

#include "trace/span.h"
#include "weir/version.h"

namespace weir::trace {

namespace {

using capture::Op;
using capture::OpKind;

}  // namespace

Recorder::Recorder(int job_ranks) : last_end_(now()) {
  kept_.made_by = std::string("weir ") + WEIR_VERSION;
  kept_.ranks = job_ranks;
  kept_.programs.emplace_back();
}

int Recorder::opened(const OpenSeen& seen) noexcept {
  std::scoped_lock lock(mutex_);
  const int file = files_++;
  try {
    capture::Open open{seen.path, seen.mode, capture::number_of(kept_.groups, seen.ranks), capture::kNothing,
                       seen.size_bytes};
    if (!seen.hints.empty()) open.hints = capture::number_of(kept_.hints, seen.hints);
    Op op;
    op.kind = OpKind::kOpen;
    op.file = file;
    op.what = capture::number_of(kept_.opens, open);
    put({op, seen.begun, now(), true});
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
  return file;
}

Recorder::Ticket Recorder::begin(Op op, const layout::Layout* structure, const hints::Pairs* hints) noexcept {
  std::scoped_lock lock(mutex_);
  try {
    if (structure != nullptr) {
      op.first = structure->first() - (op.kind == OpKind::kAccess ? structure->span().begin : 0);
      op.what = structure_number(*structure);
    }
    if (hints != nullptr) op.what = capture::number_of(kept_.hints, *hints);
    return put({op, now(), 0, false});
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
  return 0;
}

void Recorder::end(Ticket ticket, std::int64_t place, bool failed) noexcept {
  std::scoped_lock lock(mutex_);
  if (failed_) return;
  Call& call = open_[static_cast<std::size_t>(ticket - first_open_)];
  call.op.place = place;
  call.ended = now();
  call.over = true;
  call.failed = failed;
  try {
    settle();
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

void Recorder::add_flat(Op op, std::int64_t bytes, std::int64_t begun) noexcept {
  std::scoped_lock lock(mutex_);
  try {
    op.what = flat_number(bytes);
    put({op, begun, now(), true});
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

Recorder::Ticket Recorder::put(Call call) {
  const Ticket ticket = first_open_ + open_.size();
  open_.push_back(call);
  if (call.over) settle();
  return ticket;
}

void Recorder::settle() {
  while (!failed_ && !open_.empty() && open_.front().over) {
    Call& call = open_.front();
    call.op.before = std::max<std::int64_t>(call.begun - last_end_, 0);
    call.op.inside = call.ended - call.begun;
    if (!call.failed) capture::append(kept_.programs.front(), call.op);
    last_end_ = std::max(last_end_, call.ended);
    open_.pop_front();
    ++first_open_;
  }
}

// Where it begins is kept with the call.
int Recorder::structure_number(const layout::Layout& structure) {
  if (structure.empty()) return capture::kNothing;
  const layout::Layout at_zero = structure.first() == 0 ? structure : structure.shifted(-structure.first());
  const std::uint64_t fingerprint = at_zero.fingerprint();
  const auto [begin, end] = structure_numbers_.equal_range(fingerprint);
  for (auto known = begin; known != end; ++known) {
    if (kept_.structures[static_cast<std::size_t>(known->second)] == at_zero) return known->second;
  }
  const auto number = static_cast<int>(kept_.structures.size());
  kept_.structures.push_back(at_zero);
  structure_numbers_.emplace(fingerprint, number);
  return number;
}

int Recorder::flat_number(std::int64_t bytes) {
  const auto known = flat_numbers_.find(bytes);
  if (known != flat_numbers_.end()) return known->second;
  const int number = structure_number(layout::Layout::contiguous(bytes));
  flat_numbers_.emplace(bytes, number);
  return number;
}

bool Recorder::failed() const {
  std::scoped_lock lock(mutex_);
  return failed_;
}

capture::Capture Recorder::value() const {
  std::scoped_lock lock(mutex_);
  return kept_;
}

}  // namespace weir::trace

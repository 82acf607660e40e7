#include "exec/file/open_file.h"

#include <fmt/format.h>

#include <chrono>

#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/file/lock_probe.h"
#include "exec/file/wishes.h"
#include "trace/span.h"

namespace weir::exec {

Status OpenFile::together(const Appointment& appointment, const std::function<Status()>& body) {
  return together(appointment, [&](int) { return body(); });
}

Status OpenFile::together(const Appointment& appointment, const std::function<Status(int tasks)>& body) {
  const trace::Span span(counters_.line(), [&] { return name_of({appointment.kind}); });
  Status status;
  background_strand_.drain(company());
  collective_strand_.run([&] { status = meeting_.hold(appointment, body); }, company());
  return status;
}

Status OpenFile::agree_on(Status mine) {
  return together({CallKind::kInit, [&] { return std::move(mine); }}, [] { return Status(); });
}

Status OpenFile::set_size(std::int64_t bytes) {
  return recorded({.kind = capture::OpKind::kSetSize, .place = bytes}, [&] { return set_size_together(bytes); });
}

Status OpenFile::set_size_together(std::int64_t bytes) {
  return together({CallKind::kSetSize, {}, {bytes}, "the size given to MPI_File_set_size"}, [&] {
    Status status = change_size([&] { return file_->resize(bytes); });
    const bool is_told = status.ok() && !on_one_node() && facts_.storage.network;
    if (!is_told || rank() == 0) {
      refresh();
    } else {
      status = file_->resized(bytes);
    }
    return is_told ? comm::agree(comm(), status) : status;
  });
}

Status OpenFile::preallocate(std::int64_t bytes) {
  return recorded({.kind = capture::OpKind::kPreallocate, .place = bytes}, [&] {
    return together({CallKind::kPreallocate, {}, {bytes}, "the size given to MPI_File_preallocate"}, [&] {
      Status status = change_size([&] { return file_->preallocate(bytes); });
      refresh();
      return status;
    });
  });
}

Status OpenFile::change_size(const std::function<Status()>& action) {
  Status status = agents_ != nullptr ? agents_->settle() : Status();
  if (status.ok()) status = meeting_.on_rank_0(action);
  return status;
}

Status OpenFile::sync() {
  return recorded({.kind = capture::OpKind::kSync}, [&] { return sync_together(); });
}

Status OpenFile::sync_together() {
  const auto sync_file = [&] { return mode_.writes() ? file_->sync() : Status(); };
  if (agents_ == nullptr) {
    return together({CallKind::kSync, sync_file}, [&] {
      refresh();
      return Status();
    });
  }
  return together({CallKind::kSync}, [&] {
    Status status = agents_->settle(sync_file);
    refresh();
    return status;
  });
}

void OpenFile::refresh() {
  if (!on_one_node()) file_->refresh();
}

void OpenFile::refresh_bytes() {
  if (!on_one_node()) file_->refresh_bytes();
}

void OpenFile::refresh_size() {
  if (atomic_ && !on_one_node()) file_->refresh_range({});
}

Result<std::int64_t> OpenFile::size() {
  refresh_size();
  return file_->size();
}

Status OpenFile::seek(std::int64_t offset, Whence whence) {
  if (whence == Whence::kEnd) refresh_size();
  return pointers_.seek(*file_, offset, whence);
}

Status OpenFile::set_atomic(bool atomic) {
  return recorded({.kind = capture::OpKind::kSetAtomicity, .place = atomic ? 1 : 0},
                  [&] { return set_atomic_together(atomic); });
}

Status OpenFile::set_atomic_together(bool atomic) {
  const auto able = [&]() -> Status {
    if (!atomic || file_->capabilities().locks) return {};
    return {ErrorClass::kUnsupportedOperation,
            fmt::format("atomic mode needs byte-range locks, which the file system of '{}' does not have", path_)};
  };
  return together({CallKind::kSetAtomicity, able, {atomic ? 1 : 0}, "the flag given to MPI_File_set_atomicity"}, [&] {
    Status status = atomic && !on_one_node() ? probe_locks(comm(), *file_, mode_.writes(), path_) : Status();
    if (!status.ok()) return status;
    const bool before = atomic_.exchange(atomic);
    status = use_agents();
    if (!status.ok()) atomic_ = before;
    return status;
  });
}

Status OpenFile::settle_hints(const HintSources& mine, hints::When when) {
  return recorded(
      {.kind = capture::OpKind::kSetInfo},
      [&] { return together({CallKind::kSetInfo}, [&] { return settle_hints_together(mine, when); }); }, nullptr,
      &mine.info);
}

Status OpenFile::settle_hints_together(const HintSources& mine, hints::When when) {
  Result<SettledHints> settled = exec::settle_hints(comm(), hints(), mine, when);
  if (!settled.ok()) return settled.status();
  journal_.tell(settled.value().notices);
  journal_.add_not_followed(settled.value().not_followed);
  {
    std::scoped_lock lock(mutex_);
    hints_ = std::move(settled.value().hints);
  }
  use_hints();
  return use_agents();
}

// No collective access runs meanwhile.
void OpenFile::use_plan_facts() {
  const hints::HintSet now = hints();
  const agent::AgentSettings agents = agents_ != nullptr ? agents_->in_force() : agent::AgentSettings();
  collective_->use(plan_facts(now, facts_, agents), !trace::hints_given(now).empty());
}

// Whoever follows hints gets what it needs of them. No collective access runs meanwhile.
void OpenFile::use_hints() {
  const hints::HintSet now = hints();
  independent_.set_rules(access_rules(now, facts_, mode_, comm().size()));
  use_plan_facts();
  if (!wiring_.watchdog) return;
  wiring_.watchdog->set(
      {std::chrono::seconds(now.integer(hints::Id::kWeirWatchdog)), now.boolean(hints::Id::kWeirWatchdogAbort)});
}

hints::HintSet OpenFile::hints() const {
  std::scoped_lock lock(mutex_);
  return hints_;
}

Status OpenFile::set_view(Status mine, const layout::FileView& view, std::int64_t signature,
                          const HintSources& sources) {
  constexpr int kStorePointer = 1;
  constexpr int kSettleHints = 2;
  const int store = pointers_.moved_shared() ? kStorePointer : 0;
  const Appointment appointment = {CallKind::kSetView,
                                   [&] { return std::move(mine); },
                                   {signature},
                                   "the data representation or the size of the etype",
                                   sources.may_change() ? kSettleHints : store};
  const auto settle = [&](int most_tasks) {
    Status stored = meeting_.on_rank_0([&] { return pointers_.store_shared(0); });
    if (!stored.ok() || most_tasks < kSettleHints) return stored;
    return settle_hints_together(sources, hints::When::kSetView);
  };
  capture::Op op;
  op.kind = capture::OpKind::kSetView;
  op.place = view.displacement();
  op.etype_bytes = view.etype_bytes();
  op.extent = view.filetype_extent();
  Status status = recorded(
      op, [&] { return together(appointment, settle); }, &view.filetype());
  if (status.ok()) pointers_.set_view(view);
  return status;
}

Status OpenFile::seek_shared(std::int64_t offset, const Result<Whence>& whence) {
  Status usable = pointers_.can_seek_shared();
  if (!usable.ok()) return usable;
  const std::int64_t code = whence.ok() ? static_cast<std::int64_t>(whence.value()) : 0;
  const Appointment appointment = {CallKind::kSeekShared,
                                   [&] { return whence.status(); },
                                   {offset, code},
                                   "the offset or whence given to MPI_File_seek_shared"};
  return together(appointment, [&] {
    return meeting_.on_rank_0([&] {
      if (whence.value() == Whence::kEnd) refresh_size();
      return pointers_.seek_shared(*file_, offset, whence.value());
    });
  });
}

trace::CounterValues OpenFile::counter_values() const {
  trace::CounterValues values = counters_.values();
  const auto at = [&](trace::Counter counter) -> std::int64_t& { return values[static_cast<std::size_t>(counter)]; };
  const driver::IoCounters io = file_->counters();
  at(trace::Counter::kReadCalls) = io.reads;
  at(trace::Counter::kWriteCalls) = io.writes;
  at(trace::Counter::kFileBytesRead) = io.bytes_read;
  at(trace::Counter::kFileBytesWritten) = io.bytes_written;
  at(trace::Counter::kRangesAsked) = io.ranges_asked;
  at(trace::Counter::kRangesTaken) = io.ranges_taken;
  at(trace::Counter::kBytesBounced) = io.bytes_bounced;
  at(trace::Counter::kCallsInFlight) = io.in_flight;
  at(trace::Counter::kBytesDirect) = io.bytes_direct;
  independent_.add_requests(values);
  if (agents_ == nullptr) return values;
  const agent::TableCounters& table = agents_->home_counters();
  at(trace::Counter::kAgentRequests) = table.requests + agents_->away_counters().requests;
  at(trace::Counter::kBlocksFetched) = table.fetched;
  at(trace::Counter::kBlocksStored) = table.stored;
  at(trace::Counter::kRunsStored) = table.runs;
  at(trace::Counter::kAgentQuestions) = agents_->ship_counters().questions;
  at(trace::Counter::kAgentBytes) = agents_->ship_counters().bytes;
  return values;
}

Result<trace::FileReport> OpenFile::report() {
  trace::FileReport report;
  report.path = path_;
  report.ranks = comm().size();
  report.nodes = comm().topology().node_count();
  report.node_of = comm().topology().node_of;
  report.hosts = facts_.host_of_node;
  const driver::StorageLayout storage = file_->storage();
  report.file_system = storage.file_system;
  report.driver = storage.driver;
  report.stripe_bytes = storage.stripe_bytes;
  report.servers = storage.stripe_count;
  report.io_replaced = file_->io_replaced();
  report.thread_level = thread_level_;
  Status status = together({CallKind::kClose}, [&] {
    report.totals = counter_values();
    report.most = report.totals;
    Status summed = comm::reduce_all(comm(), comm::Reduction::kSum, report.totals);
    return std::move(summed).or_else(comm::reduce_all(comm(), comm::Reduction::kMax, report.most));
  });
  if (!status.ok()) return status;
  report.hints = trace::hints_given(hints());
  report.hints_not_followed = journal_.not_followed();
  report.calls = journal_.calls();
  if (const auto last = independent_.last_choice()) {
    report.last_access = fmt::format("{}: {}", name(last->method), last->reason);
  }
  return report;
}

}  // namespace weir::exec

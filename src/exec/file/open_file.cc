#include "exec/file/open_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/file/left_services.h"

namespace weir::exec {

namespace {

using comm::agree;

// A file system that several nodes share may show a new file to the others a little later.
constexpr int kOpenRetries = 20;
constexpr auto kOpenRetryPause = std::chrono::milliseconds(50);

Result<std::unique_ptr<driver::File>> open_existing(driver::FileDriver& driver, const OpenArguments& arguments,
                                                    bool several_nodes) {
  driver::OpenMode mode = open_mode_of(arguments.mode);
  mode.create = false;
  mode.exclusive = false;
  auto file = driver.open(arguments.path, mode, nullptr);
  for (int retry = 0; several_nodes && retry < kOpenRetries; ++retry) {
    if (file.ok() || file.status().error_class() != ErrorClass::kNoSuchFile) break;
    sys::sleep_for(kOpenRetryPause);
    file = driver.open(arguments.path, mode, nullptr);
  }
  return file;
}

driver::OpenMode first_open_mode(const OpenArguments& arguments) {
  driver::OpenMode mode = open_mode_of(arguments.mode);
  if (arguments.hints.has(hints::Id::kFilePerm)) {
    mode.permissions = static_cast<unsigned>(arguments.hints.integer(hints::Id::kFilePerm));
  }
  return mode;
}

Status check_same_mode(comm::Comm& comm, const AccessMode& mode) {
  std::int64_t code = code_of(mode);
  std::int64_t bounds[] = {code, -code};
  Status status = comm::reduce_all(comm, comm::Reduction::kMin, bounds);
  if (!status.ok()) return status;
  if (bounds[0] != -bounds[1]) {
    return {ErrorClass::kNotSame, "amode differs between the ranks of MPI_File_open"};
  }
  return check(mode);
}

}  // namespace

// Rank 0 opens first: it alone may create, so that MPI_MODE_EXCL means what it says. The last agreement is also the
// barrier that keeps a write from racing another rank's open of a new file.
Result<std::unique_ptr<OpenFile>> OpenFile::open(driver::FileDriver& driver, Channels channels,
                                                 const OpenArguments& arguments) {
  comm::Comm& comm = *channels.collective;
  Status status = check_same_mode(comm, arguments.mode);
  if (!status.ok()) return status;

  bool created = false;
  Result<std::unique_ptr<driver::File>> file = Status(ErrorClass::kInternal, "not opened yet");
  if (comm.rank() == 0) file = driver.open(arguments.path, first_open_mode(arguments), &created);
  status = agree(comm, comm.rank() == 0 ? file.status() : Status());
  if (!status.ok()) return status;

  if (comm.rank() != 0) file = open_existing(driver, arguments, comm.topology().node_count() > 1);
  std::unique_ptr<OpenFile> opened;
  status = file.status();
  if (file.ok()) opened.reset(new OpenFile(std::move(channels), arguments, std::move(file).value()));
  status = agree(comm, std::move(status));
  if (status.ok()) status = opened->start_pointers();
  if (!status.ok()) {
    opened.reset();
    if (created) status = std::move(status).or_else(driver.remove(arguments.path));
    return status;
  }
  opened->driver_ = &driver;
  if (opened->channels_.watchdog) opened->channels_.watchdog->leave();
  return opened;
}

OpenFile::OpenFile(Channels channels, const OpenArguments& arguments, std::unique_ptr<driver::File> file)
    : path_(arguments.path),
      mode_(arguments.mode),
      thread_level_(arguments.thread_level),
      tell_(arguments.tell),
      channels_(std::move(channels)),
      file_(std::move(file)),
      hints_(arguments.hints),
      hints_not_followed_(arguments.hints_not_followed) {}

OpenFile::~OpenFile() { abandon().ignore(); }

// The word of the shared pointer may be an earlier file's. It is used by nobody before the facts are gathered.
Status OpenFile::start_engine() {
  const bool is_new = !channels_.engine;
  Status ready = channels_.engine.ensure(comm());
  if (!ready.ok()) return ready;
  if (is_new && channels_.watchdog && channels_.engine->memory) channels_.watchdog->use(channels_.engine->presence);
  const bool shares_memory = channels_.engine->memory != nullptr;
  if (shares_memory && rank() == 0) {
    std::atomic_ref(*reinterpret_cast<std::int64_t*>(channels_.engine->memory->bytes().data())).store(0);
  }
  Result<OpenFacts> facts = gather_facts(comm(), {file_->storage(), shares_memory});
  if (!facts.ok()) return facts.status();
  facts_ = std::move(facts).value();
  std::scoped_lock lock(mutex_);
  set_watchdog();
  return {};
}

Status OpenFile::start_pointers() {
  Status started = start_engine();
  if (!started.ok()) return started;
  auto counter =
      comm::make_shared_counter(comm(), *channels_.agent, on_one_node() ? channels_.engine->memory : nullptr);
  Status status = counter.status();
  if (counter.ok()) shared_pointer_ = std::move(counter).value();
  // Files that never use the shared pointer work without one; mode_.sequential cannot.
  if (!counter.ok() && !mode_.sequential) status = Status();
  if (mode_.append) {
    std::int64_t end = 0;
    if (rank() == 0) {
      Result<std::int64_t> bytes = file_->size();
      status = std::move(status).or_else(bytes.status());
      end = bytes.ok() ? bytes.value() : 0;
    }
    status = std::move(status).or_else(comm::broadcast_value(comm(), 0, end));
    position_ = end;
    if (rank() == 0 && shared_pointer_) status = std::move(status).or_else(shared_pointer_->store(end));
  }
  status = agree(comm(), std::move(status));
  if (!status.ok() && shared_pointer_) shared_pointer_->close().ignore();
  return status;
}

Status OpenFile::close() {
  Status status = together({CallKind::kClose}, [&] { return close_together(); });
  if (!out_of_step_) return status;
  close_alone().ignore();
  return mismatch_;
}

// All ranks have come: nobody takes the shared pointer's service away too early.
Status OpenFile::close_together() {
  Status status;
  if (shared_pointer_) status = shared_pointer_->close();
  shared_pointer_.reset();
  status = std::move(status).or_else(file_->close());
  file_.reset();
  status = agree(comm(), std::move(status));
  if (mode_.delete_on_close) status = std::move(status).or_else(on_rank_0([&] { return driver_->remove(path_); }));
  if (channels_.watchdog) channels_.watchdog->stop_using();
  channels_.engine.give_back();
  return status;
}

// The others may never come: whoever serves them stays until they have left, and nobody uses the engine again.
Status OpenFile::close_alone() {
  if (shared_pointer_ && rank() == 0) {
    left_services().keep(std::move(channels_.agent), std::move(shared_pointer_));
  } else if (shared_pointer_) {
    shared_pointer_->close().ignore();
  }
  shared_pointer_.reset();
  if (channels_.watchdog) channels_.watchdog->stop_using();
  channels_.engine.discard();
  return abandon();
}

Status OpenFile::abandon() {
  background_strand_.drain(company());
  collective_strand_.drain(company());
  if (!file_) return {};
  Status status = file_->close();
  file_.reset();
  if (mode_.delete_on_close && driver_ != nullptr && rank() == 0) {
    status = std::move(status).or_else(driver_->remove(path_));
  }
  return status;
}

Status OpenFile::set_size(std::int64_t bytes) {
  return together({CallKind::kSetSize, {}, {bytes}, "the size given to MPI_File_set_size"},
                  [&] { return on_rank_0([&] { return file_->resize(bytes); }); });
}

Status OpenFile::preallocate(std::int64_t bytes) {
  return together({CallKind::kPreallocate, {}, {bytes}, "the size given to MPI_File_preallocate"},
                  [&] { return on_rank_0([&] { return file_->preallocate(bytes); }); });
}

Status OpenFile::sync() {
  return together({CallKind::kSync, [&] { return mode_.writes() ? file_->sync() : Status(); }},
                  [] { return Status(); });
}

Status OpenFile::set_atomic(bool atomic) {
  const auto able = [&]() -> Status {
    if (!atomic || file_->capabilities().locks) return {};
    return {ErrorClass::kUnsupportedOperation,
            fmt::format("atomic mode needs byte-range locks, which the file system of '{}' does not have", path_)};
  };
  return together({CallKind::kSetAtomicity, able, {atomic ? 1 : 0}, "the flag given to MPI_File_set_atomicity"},
                  [&] { return set_atomic_together(atomic); });
}

Status OpenFile::set_atomic_together(bool atomic) {
  Status status = atomic && !on_one_node() ? probe_locks() : Status();
  if (status.ok()) atomic_ = atomic;
  return status;
}

// A file system may take locks and keep them to the node. Rank 0 holds one; every other node must see it.
Status OpenFile::probe_locks() {
  constexpr Extent kProbe = {std::int64_t{1} << 61, (std::int64_t{1} << 61) + 1};
  Status status;
  std::unique_ptr<driver::RangeLock> held;
  if (rank() == 0) {
    auto lock = file_->lock(kProbe, mode_.writes() ? driver::LockKind::kExclusive : driver::LockKind::kShared);
    status = lock.status();
    if (lock.ok()) held = std::move(lock).value();
  }
  status = agree(comm(), std::move(status));
  if (!status.ok()) return status;
  const std::vector<int>& node_of = comm().topology().node_of;
  if (mode_.writes() && node_of[static_cast<std::size_t>(rank())] != node_of[0]) {
    Result<bool> locked = file_->locked_by_other(kProbe);
    status = locked.status();
    if (locked.ok() && !locked.value()) {
      status = Status(ErrorClass::kUnsupportedOperation,
                      fmt::format("atomic mode cannot hold: locks on '{}' do not reach other nodes", path_));
    }
  }
  return agree(comm(), std::move(status));
}

Result<std::vector<std::string>> OpenFile::settle_hints(const HintSources& mine, hints::When when) {
  std::vector<std::string> notices;
  const CallKind kind = when == hints::When::kSetView ? CallKind::kSetView : CallKind::kSetInfo;
  Status status = together({kind}, [&]() -> Status {
    Result<SettledHints> settled = exec::settle_hints(comm(), hints(), mine, when);
    if (!settled.ok()) return settled.status();
    notices = std::move(settled.value().notices);
    std::scoped_lock lock(mutex_);
    hints_ = std::move(settled.value().hints);
    large_pieces_ = {};
    keep_not_followed(settled.value().not_followed);
    set_watchdog();
    return {};
  });
  if (!status.ok()) return status;
  return notices;
}

// REQUIRES mutex_ held.
void OpenFile::set_watchdog() {
  if (!channels_.watchdog) return;
  channels_.watchdog->set(
      {std::chrono::seconds(hints_.integer(hints::Id::kWeirWatchdog)), hints_.boolean(hints::Id::kWeirWatchdogAbort)});
}

// REQUIRES mutex_ held. Programs may give the same hints again and again.
void OpenFile::keep_not_followed(const hints::Changes& changes) {
  constexpr std::size_t kMostKept = 100;
  for (const hints::Change& change : changes) {
    const auto found = std::find(hints_not_followed_.begin(), hints_not_followed_.end(), change);
    if (found == hints_not_followed_.end() && hints_not_followed_.size() < kMostKept) {
      hints_not_followed_.push_back(change);
    }
  }
}

hints::HintSet OpenFile::hints() const {
  std::scoped_lock lock(mutex_);
  return hints_;
}

layout::FileView OpenFile::view() const {
  std::scoped_lock lock(mutex_);
  return view_;
}

Status OpenFile::set_view(Status mine, const layout::FileView& view, std::int64_t signature) {
  const Appointment appointment = {CallKind::kSetView,
                                   [&] { return std::move(mine); },
                                   {signature},
                                   "the data representation or the size of the etype"};
  return together(appointment, [&]() -> Status {
    {
      std::scoped_lock lock(mutex_);
      view_ = view;
      position_ = 0;
    }
    return on_rank_0([&] { return shared_pointer_ ? shared_pointer_->store(0) : Status(); });
  });
}

Result<std::int64_t> OpenFile::size() { return file_->size(); }

Status OpenFile::begin_split(SplitKind kind, Access access) {
  auto promise = std::make_shared<Promise>();
  access.manner = Manner::kSplit;
  {
    std::unique_lock lock(mutex_);
    if (split_.has_value()) {
      lock.unlock();
      return run(access).status;  // refused by check_transfer()
    }
    split_.emplace(Split{kind, promise});
  }
  start(std::move(access), [promise](driver::IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return {};
}

bool OpenFile::split_active() const {
  std::scoped_lock lock(mutex_);
  return split_.has_value();
}

driver::IoOutcome OpenFile::end_split(SplitKind kind) {
  std::optional<Split> split;
  {
    std::scoped_lock lock(mutex_);
    if (split_.has_value() && split_->kind == kind) split_.swap(split);
  }
  if (!split.has_value()) {
    return {0, Status(ErrorClass::kIo, fmt::format("no matching split collective call has begun on '{}'", path_))};
  }
  return split->promise->take(company());
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
  return values;
}

Result<trace::FileReport> OpenFile::report() {
  trace::FileReport report;
  report.path = path_;
  report.ranks = comm().size();
  report.nodes = comm().topology().node_count();
  report.node_of = comm().topology().node_of;
  report.hosts = facts_.host_of_node;
  report.file_system = file_->storage().file_system;
  report.thread_level = thread_level_;
  Status status = together({CallKind::kClose}, [&] {
    report.totals = counter_values();
    report.most = report.totals;
    Status summed = comm::reduce_all(comm(), comm::Reduction::kSum, report.totals);
    return std::move(summed).or_else(comm::reduce_all(comm(), comm::Reduction::kMax, report.most));
  });
  if (!status.ok()) return status;
  std::scoped_lock lock(mutex_);
  report.hints = trace::hints_given(hints_);
  report.hints_not_followed = hints_not_followed_;
  report.calls = calls_;
  if (last_choice_) report.last_access = fmt::format("{}: {}", name(last_choice_->method), last_choice_->reason);
  return report;
}

}  // namespace weir::exec

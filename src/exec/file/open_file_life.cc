// How a file is opened and closed.
#include <fmt/format.h>

#include "comm/agree.h"
#include "comm/collectives.h"
#include "driver/machine_file.h"
#include "exec/file/first_open.h"
#include "exec/file/left_services.h"
#include "exec/file/open_file.h"
#include "exec/file/storage_hints.h"
#include "exec/file/wishes.h"
#include "trace/span.h"

namespace weir::exec {

namespace {

using comm::agree;

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

trace::FileLine line_of(const OpenArguments& arguments) {
  trace::Timeline* timeline = arguments.timeline;
  return timeline == nullptr ? trace::FileLine() : trace::FileLine{timeline, timeline->add_file(arguments.path)};
}

}  // namespace

// The agreement is also the barrier that keeps a write from racing another rank's open of a new file.
Result<std::unique_ptr<OpenFile>> OpenFile::open(driver::FileDriver& driver, Wiring wiring,
                                                 const OpenArguments& arguments) {
  comm::Comm& comm = *wiring.collective;
  const trace::Span span(line_of(arguments), "MPI_File_open");
  const trace::Nanoseconds begun = trace::now();
  Status status = check_same_mode(comm, arguments.mode);
  if (!status.ok()) return status;

  Made made;
  Result<std::unique_ptr<driver::File>> file = open_by_all(comm, driver, arguments, made);
  std::unique_ptr<OpenFile> opened;
  status = file.status();
  if (file.ok()) opened = make(std::move(wiring), arguments, std::move(file).value());
  if (opened) made.now ? opened->refresh_bytes() : opened->refresh();
  std::int64_t size_bytes = 0;
  if (opened && arguments.recorder != nullptr && comm.rank() == 0) {
    const Result<std::int64_t> size = opened->size();
    if (size.ok()) size_bytes = size.value();
  }
  status = agree(comm, status);
  if (status.ok()) status = opened->start(arguments);
  if (!status.ok()) {
    opened.reset();
    if (made.here) status = std::move(status).or_else(driver.remove(arguments.path));
    return status;
  }
  opened->record_open(arguments, size_bytes, begun);
  opened->tell_io();
  opened->driver_ = &driver;
  if (opened->wiring_.watchdog) opened->wiring_.watchdog->leave();
  return opened;
}

OpenFile::OpenFile(Wiring wiring, const OpenArguments& arguments, std::unique_ptr<driver::File> file)
    : path_(arguments.path),
      mode_(arguments.mode),
      thread_level_(arguments.thread_level),
      wiring_(std::move(wiring)),
      file_(std::move(file)),
      journal_(arguments.tell),
      meeting_(path_, *wiring_.collective, wiring_.watchdog.get()),
      pointers_(path_, mode_.sequential),
      independent_(path_, *file_, counters_, arguments.timed),
      hints_(arguments.hints) {
  journal_.add_not_followed(arguments.hints_not_followed);
  counters_.show_on(line_of(arguments));
}

OpenFile::OpenFile(Wiring wiring, const OpenArguments& arguments, std::unique_ptr<agent::AgentFile> file)
    : OpenFile(std::move(wiring), arguments, std::unique_ptr<driver::File>(std::move(file))) {
  agents_ = static_cast<agent::AgentFile*>(file_.get());
}

std::unique_ptr<OpenFile> OpenFile::make(Wiring wiring, const OpenArguments& arguments,
                                         std::unique_ptr<driver::File> file) {
  if (!may_use_agents(arguments.hints)) {
    return std::unique_ptr<OpenFile>(new OpenFile(std::move(wiring), arguments, std::move(file)));
  }
  auto shipped = std::make_unique<agent::AgentFile>(std::move(file), *wiring.collective, wiring.agent_line);
  return std::unique_ptr<OpenFile>(new OpenFile(std::move(wiring), arguments, std::move(shipped)));
}

OpenFile::~OpenFile() { abandon().ignore(); }

Status OpenFile::start(const OpenArguments& arguments) {
  Status started = start_engine(arguments);
  if (started.ok()) started = use_agents();
  return started.ok() ? start_pointers() : started;
}

// What rank 0 found: the others open the same file.
void OpenFile::tell_io() const {
  if (rank() != 0) return;
  if (const std::string replaced = file_->io_replaced(); !replaced.empty())
    journal_.tell({"not as wished: " + replaced});
}

Status OpenFile::use_agents() {
  if (agents_ == nullptr) return {};
  std::string complaint;
  agent::AgentSettings settings = agent_settings(hints(), facts_, complaint);
  settings.on = settings.on && !atomic_;
  if (settings.on && !complaint.empty() && rank() == 0) journal_.tell({complaint});
  Status status = agents_->follow(settings);
  use_plan_facts();
  std::string lack;  // a file whose agents cannot be had is good without them
  if (!agents_->on()) {
    if (!status.ok()) lack = "no I/O agents: " + status.text();
    status = {};
  } else if (!agents_->can_ask()) {
    lack =
        "I/O agents of other nodes get what was written at sync and close, and are not asked otherwise: for that they "
        "have to answer while their ranks compute, which takes MPI_THREAD_MULTIPLE (WEIR_THREADS=multiple)";
  }
  if (lack.empty() || lack == agents_lack_) return status;
  agents_lack_ = lack;
  if (rank() == 0) journal_.tell({lack});
  return status;
}

// The model of the machine that this rank, if it is the first, is given. One that is wrong is told; built-in numbers
// serve then.
std::optional<model::MachineModel> OpenFile::given_model() {
  if (rank() != 0) return std::nullopt;
  const Result<std::optional<model::ModelFile>> chosen = driver::chosen_model();
  if (!chosen.ok()) {
    journal_.tell({fmt::format("the machine model is not used: {}", chosen.status().text())});
    return std::nullopt;
  }
  if (!chosen.value()) return std::nullopt;
  return chosen.value()->machine;
}

// The word of the shared pointer may be an earlier file's. It is used by nobody before the facts are gathered.
Status OpenFile::start_engine(const OpenArguments& arguments) {
  const bool is_new = !wiring_.engine;
  Status ready = wiring_.engine.ensure(comm());
  if (!ready.ok()) return ready;
  const bool shares_memory = wiring_.engine->memory != nullptr;
  if (is_new && wiring_.watchdog && shares_memory) wiring_.watchdog->use(wiring_.engine->presence);
  if (shares_memory && rank() == 0) {
    std::atomic_ref(*reinterpret_cast<std::int64_t*>(wiring_.engine->memory->bytes().data())).store(0);
  }
  const driver::StorageLayout storage = rank() == 0 ? file_->storage() : driver::StorageLayout();
  Result<OpenFacts> facts = gather_facts(comm(), {storage, shares_memory, given_model()});
  if (!facts.ok()) return facts.status();
  facts_ = std::move(facts).value();
  settle_striping(hints_, facts_.striping);
  if (rank() == 0) journal_.tell_not_followed(unfulfilled_wishes(arguments, storage));
  driver::File& whole = agents_ != nullptr ? agents_->through() : *file_;
  // Aggregators pass agents by that cannot be asked.
  const bool by_agents = agents_ != nullptr && wiring_.agent_line;
  if (facts_.keeps_writes && mode_.writes() && !by_agents && !on_one_node()) told_ = std::make_unique<ToldFile>(whole);
  driver::File& shared = told_ ? *told_ : whole;
  collective_ = std::make_unique<CollectiveCall>(
      CollectiveCall::Parts{meeting_, shared, *wiring_.engine->collective, independent_, journal_, counters_,
                            [this](Access& access) { return pointers_.take_in_order(access, meeting_); }});
  use_hints();
  return {};
}

Status OpenFile::start_pointers() {
  auto counter =
      comm::make_shared_counter(comm(), wiring_.pointer_line, on_one_node() ? wiring_.engine->memory : nullptr);
  Status status = counter.status();
  // Files that never use the shared pointer work without one; mode_.sequential cannot.
  if (!counter.ok() && !mode_.sequential) status = Status();
  if (counter.ok()) pointers_.share(std::move(counter).value());
  if (mode_.append) {
    std::int64_t end = 0;
    if (rank() == 0) {
      Result<std::int64_t> bytes = file_->size();
      status = std::move(status).or_else(bytes.status());
      end = bytes.ok() ? bytes.value() : 0;
    }
    status = std::move(status).or_else(comm::broadcast_value(comm(), 0, end));
    pointers_.start_at(end);
    if (rank() == 0) status = std::move(status).or_else(pointers_.store_shared(end));
  }
  status = agree(comm(), status);
  if (!status.ok() && pointers_.shares()) pointers_.stop_sharing()->close().ignore();
  return status;
}

Status OpenFile::close() {
  Status status = recorded({.kind = capture::OpKind::kClose},
                           [&] { return together({CallKind::kClose}, [&] { return close_together(); }); });
  if (!meeting_.out_of_step()) return status;
  close_alone().ignore();
  return meeting_.mismatch();
}

// All ranks have come: nobody takes the shared pointer's service away too early.
Status OpenFile::close_together() {
  Status status;
  if (pointers_.shares()) status = pointers_.stop_sharing()->close();
  if (mode_.writes()) refresh_bytes();  // for whoever reads the file next on this node, by whatever means
  status = std::move(status).or_else(agents_ != nullptr ? agents_->close_together() : file_->close());
  file_.reset();
  agents_ = nullptr;
  status = agree(comm(), status);
  if (mode_.delete_on_close) {
    status = std::move(status).or_else(meeting_.on_rank_0([&] { return driver_->remove(path_); }));
  }
  if (wiring_.watchdog) wiring_.watchdog->stop_using();
  wiring_.engine.give_back();
  return status;
}

// The others may never come: whoever serves them stays until they have left, and nobody uses the engine again.
Status OpenFile::close_alone() {
  std::unique_ptr<comm::SharedCounter> shared = pointers_.stop_sharing();
  if (shared && rank() == 0) {
    const std::shared_ptr<comm::SharedCounter> counter = std::move(shared);
    left_services().keep([counter] { counter->close().ignore(); });
  } else if (shared) {
    shared->close().ignore();
  }
  if (wiring_.watchdog) wiring_.watchdog->stop_using();
  wiring_.engine.discard();
  return abandon();
}

// Other nodes may ask this rank's agent until their ranks leave too.
Status OpenFile::leave_agents() {
  if (!agents_->serves()) return file_->close();
  Status status = agents_->leave();
  const std::shared_ptr<driver::File> kept = std::move(file_);
  left_services().keep([kept, agents = agents_] { agents->stay().ignore(); });
  agents_ = nullptr;
  return status;
}

Status OpenFile::abandon() {
  background_strand_.drain(company());
  collective_strand_.drain(company());
  if (!file_) return {};
  Status status = agents_ != nullptr ? leave_agents() : file_->close();
  file_.reset();
  if (mode_.delete_on_close && driver_ != nullptr && rank() == 0) {
    status = std::move(status).or_else(driver_->remove(path_));
  }
  return status;
}

}  // namespace weir::exec

#include "programs/thread_backend.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "comm/collectives.h"
#include "hints/apply.h"
#include "programs/types.h"

namespace weir::programs {

namespace {

constexpr std::chrono::microseconds kPause(300);  // between two looks of a rank that waits

std::size_t index(int value) { return static_cast<std::size_t>(value); }

comm::ThreadGroup make_group(const Program& program, std::size_t ranks) {
  const comm::Delivery delivery = program.eager ? comm::Delivery::kEager : comm::Delivery::kRendezvous;
  return comm::ThreadGroup(static_cast<int>(ranks), program.ranks_per_node, delivery);
}

Outcome outcome_of(const Status& status, std::int64_t moved = 0) {
  return {static_cast<int>(status.error_class()), moved, status.text()};
}

Outcome outcome_of(const driver::IoOutcome& outcome) { return outcome_of(outcome.status, outcome.bytes_moved); }

Outcome outcome_of(const Result<std::int64_t>& result) {
  return outcome_of(result.status(), result.ok() ? result.value() : 0);
}

// COLLECTIVE: the engine that rank 0 chooses.
void lease_engine(exec::Wiring& wiring, const std::shared_ptr<exec::EnginePool>& engines) {
  comm::Comm& comm = *wiring.collective;
  exec::EnginePool::Choice choice;
  if (comm.rank() == 0) choice = engines->choose();
  std::int64_t words[] = {choice.place, choice.make ? 1 : 0};
  for (std::int64_t& word : words) {
    if (!comm::broadcast_value(comm, 0, word).ok()) std::abort();
  }
  wiring.use(engines->take({static_cast<int>(words[0]), words[1] != 0}, &comm));
}

exec::AccessMode mode_of(const Mode& mode) {
  return {.read_only = mode.reads && !mode.writes,
          .write_only = mode.writes && !mode.reads,
          .read_write = mode.reads && mode.writes,
          .create = mode.create,
          .exclusive = mode.exclusive,
          .delete_on_close = mode.delete_on_close,
          .unique_open = mode.unique_open,
          .append = mode.append};
}

hints::HintSet hints_of(const Step& step) {
  hints::HintSet set;
  const hints::Pairs pairs(step.hints.begin(), step.hints.end());
  static_cast<void>(hints::apply(set, pairs, hints::When::kOpen));
  return set;
}

layout::Layout layout_of(const std::vector<Extent>& pieces) {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> lengths;
  for (const Extent& piece : pieces) {
    begins.push_back(piece.begin);
    lengths.push_back(piece.bytes());
  }
  return layout::Layout::blocks(begins, lengths);
}

exec::SplitKind split_kind(const Step& step) { return {step.direction, static_cast<exec::Positioning>(step.pointer)}; }

driver::FaultPlan fault_plan(const Program& program, int rank) {
  driver::FaultPlan plan;
  for (const PlannedFault& fault : program.faults) {
    if (fault.rank != rank) continue;
    const auto operation = fault.on_write ? driver::Operation::kWrite : driver::Operation::kRead;
    plan.faults.push_back({operation, fault.call, fault.error_number});
  }
  return plan;
}

}  // namespace

Mail::Mail(const Program& program) : program_(program), letters_(program.messages.size()) {}

void Mail::post(int id, const Buffer& data) {
  std::scoped_lock lock(mutex_);
  letters_[index(id)].data = data;
  letters_[index(id)].posted = true;
  changed_.notify_all();
}

void Mail::wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& over,
                const std::function<void()>& meanwhile) {
  while (!changed_.wait_for(lock, kPause, over)) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
}

Buffer Mail::take(int id, const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  Letter& letter = letters_[index(id)];
  wait(
      lock, [&] { return letter.posted; }, meanwhile);
  return letter.data;
}

void Mail::barrier(int communicator, int rank, const std::function<void()>& meanwhile) {
  const Communicator& group = program_.communicators[index(communicator)];
  std::unique_lock lock(mutex_);
  Meeting& meeting = meetings_[{communicator, group.colours[index(rank)]}];
  const std::int64_t round = meeting.round;
  if (++meeting.arrived == std::popcount(group.group_of(rank))) {
    meeting.arrived = 0;
    ++meeting.round;
    changed_.notify_all();
  }
  wait(
      lock, [&] { return meeting.round != round; }, meanwhile);
}

Stage::Stage(const Program& program) : program_(program), mail_(program) {
  for (int rank = 0; rank < program.ranks; ++rank) {
    drivers_.push_back(std::make_unique<driver::FaultDriver>(memory_, fault_plan(program, rank)));
  }
  int opens = 0;
  for (const Step& step : program.steps) {
    if (step.kind != StepKind::kOpen) continue;
    const Communicator& communicator = program.communicator_of(step.file);
    for (int colour = 0; colour < communicator.colour_count(); ++colour) {
      const std::size_t ranks = communicator.members(colour).size();
      const auto make = [&] { return make_group(program, ranks); };
      groups_.emplace(std::pair(opens, colour), Groups{make(), {make(), make()}, {make(), make()}});
    }
    ++opens;
  }
}

exec::Wiring Stage::wiring(int step, int rank, const std::shared_ptr<exec::EnginePool>& engines,
                           exec::WatchRoom& room) {
  int opens = 0;
  for (const Step& other : program_.steps) {
    if (other.kind != StepKind::kOpen || opens++ != step) continue;
    const Communicator& communicator = program_.communicator_of(other.file);
    const int colour = communicator.colours[index(rank)];
    const std::vector<int> members = communicator.members(colour);
    const auto mine = static_cast<int>(std::find(members.begin(), members.end(), rank) - members.begin());
    const Groups& groups = groups_.at({step, colour});
    exec::Wiring wiring = {groups.collective.comm(mine), groups.pointer_line.of(mine)};
    if (program_.seed % 2 == 0) wiring.agent_line = groups.agent_line.of(mine);  // else as below MPI_THREAD_MULTIPLE
    lease_engine(wiring, engines);
    wiring.watch(file_name(other.file, colour), room, exec::Voice{});
    return wiring;
  }
  return {};
}

ThreadBackend::ThreadBackend(Stage& stage, int rank, const ThreadOptions& options)
    : stage_(stage), rank_(rank), options_(options) {}

Outcome ThreadBackend::open(const Step& step) {
  const Program& program = stage_.program();
  std::shared_ptr<exec::EnginePool>& engines = engine_pools_[program.files[index(step.file)].communicator];
  if (!engines) engines = std::make_shared<exec::EnginePool>();
  exec::OpenArguments arguments;
  const int colour = program.communicator_of(step.file).colours[index(rank_)];
  arguments.path = file_name(step.file, colour);
  arguments.mode = mode_of(step.mode);
  arguments.hints = hints_of(step);
  auto opened =
      exec::OpenFile::open(stage_.driver(rank_), stage_.wiring(opens_++, rank_, engines, watch_room_), arguments);
  if (!opened.ok()) return outcome_of(opened.status());
  files_[step.file] = std::move(opened).value();
  etypes_[step.file] = 1;
  return {};
}

Outcome ThreadBackend::close(int file) {
  const Outcome outcome = outcome_of(at(file).close());
  files_.erase(file);
  return outcome;
}

Outcome ThreadBackend::set_view(int file, const View& view) {
  const Tile tile = tile_of(view);
  etypes_[file] = view.etype_bytes;
  return outcome_of(at(file).set_view({}, {view.displacement, view.etype_bytes, layout_of(tile.pieces), tile.extent},
                                      view.etype_bytes));
}

Outcome ThreadBackend::seek(int file, std::int64_t offset, Whence whence) {
  return outcome_of(at(file).seek(offset, static_cast<exec::Whence>(whence)));
}

Outcome ThreadBackend::seek_shared(int file, std::int64_t offset) {
  return outcome_of(at(file).seek_shared(offset, exec::Whence::kSet));
}

Outcome ThreadBackend::sync(int file) { return outcome_of(at(file).sync()); }
Outcome ThreadBackend::set_size(int file, std::int64_t bytes) { return outcome_of(at(file).set_size(bytes)); }
Outcome ThreadBackend::preallocate(int file, std::int64_t bytes) { return outcome_of(at(file).preallocate(bytes)); }

Outcome ThreadBackend::set_atomic(int file, bool atomic) { return outcome_of(at(file).set_atomic(atomic)); }

Outcome ThreadBackend::size(int file) { return outcome_of(at(file).size()); }
Outcome ThreadBackend::position(int file) { return outcome_of(at(file).position()); }
Outcome ThreadBackend::shared_position(int file) { return outcome_of(at(file).shared_position()); }

exec::Transfer ThreadBackend::transfer_of(const Step& step, Buffer& buffer) {
  const Share& share = step.shares[index(rank_)];
  layout::Layout memory = layout_of(memory_pieces(share.memory, etypes_.at(step.file), share.count));
  const bool lossy = options_.lose_byte_above >= 0 && step.collective && step.direction == Direction::kWrite &&
                     memory.data_bytes() > options_.lose_byte_above;
  if (lossy) buffer.back() = static_cast<std::uint8_t>(buffer.back() ^ 1U);
  return {step.direction,
          static_cast<exec::Positioning>(step.pointer),
          step.collective,
          share.offset,
          {reinterpret_cast<std::byte*>(buffer.data()), memory}};
}

Outcome ThreadBackend::access(const Step& step, Buffer& buffer) {
  exec::OpenFile& file = at(step.file);
  exec::Access access = file.prepare(transfer_of(step, buffer));
  if (step.manner == Manner::kBlocking) return outcome_of(file.run(access));
  if (step.manner == Manner::kSplit) return outcome_of(file.begin_split(split_kind(step), std::move(access)));
  const auto promise = std::make_shared<exec::Promise>();
  requests_[step.id] = {promise, file.company()};
  file.start(std::move(access), [promise](driver::IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return {};
}

Outcome ThreadBackend::end(const Step& step) { return outcome_of(at(step.file).end_split(split_kind(step))); }

std::map<int, Outcome> ThreadBackend::complete(const Step& step) {
  std::map<int, Outcome> outcomes;
  std::vector<int> ids = step.accesses;
  if (step.way == Way::kWaitBackwards) std::reverse(ids.begin(), ids.end());
  for (const int id : ids) {
    const auto found = requests_.find(id);
    if (found == requests_.end()) continue;
    while (step.way >= Way::kTest && !found->second.promise->kept()) {
      help_files();
      std::this_thread::sleep_for(kPause);
    }
    outcomes[id] = outcome_of(found->second.promise->take(found->second.company));
    requests_.erase(found);
  }
  for (const int id : step.messages) complete_message(id);
  return outcomes;
}

// As a program that waits inside MPI lets messages of its files move.
void ThreadBackend::help_files() {
  for (const auto& [number, file] : files_) {
    while (file->company()->progress()) {
    }
  }
}

void ThreadBackend::complete_message(int id) {
  const Message& message = stage_.program().messages[index(id)];
  const auto receiving = receiving_.find(id);
  if (message.to == rank_ && receiving != receiving_.end()) {
    *receiving->second = stage_.mail().take(id, [this] { help_files(); });
    receiving_.erase(receiving);
  }
}

void ThreadBackend::send(int id, const Buffer& data) { stage_.mail().post(id, data); }

}  // namespace weir::programs

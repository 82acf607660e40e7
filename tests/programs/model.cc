#include "programs/model.h"

#include <algorithm>

#include "programs/types.h"

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::int64_t end_of(const std::vector<Extent>& pieces) { return pieces.empty() ? 0 : pieces.back().end; }

}  // namespace

Model::Model(const Program& program, ModelOptions options) : program_(program), options_(std::move(options)) {
  for (int f = 0; f < static_cast<int>(program.files.size()); ++f) {
    files_.emplace_back(at(communicator(f).colour_count()));
    const std::int64_t initial = program.files[at(f)].initial_bytes;
    for (int colour = 0; colour < static_cast<int>(files_.back().size()); ++colour) {
      FileState& state = files_.back()[at(colour)];
      state.exists = initial >= 0;
      if (initial > 0) state.contents.fill(initial, colour);
      state.views.resize(at(program.ranks));
      state.positions.resize(at(program.ranks));
    }
  }
}

const FileState& Model::file(int file, int colour) const { return files_[at(file)][at(colour)]; }

const FileState& Model::file_of(int file, int rank) const {
  return this->file(file, communicator(file).colours[at(rank)]);
}

FileState& Model::file_at(int file, int rank) { return files_[at(file)][at(communicator(file).colours[at(rank)])]; }

RankSet Model::groups_of(int file, RankSet ranks) const {
  RankSet groups = 0;
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (contains(ranks, rank)) groups |= communicator(file).group_of(rank);
  }
  return groups;
}

bool Model::may_trade(const Step& access, int a, int b) const {
  const std::vector<int>& colours = communicator(access.file).colours;
  return access.pointer == Pointer::kShared && colours[at(a)] == colours[at(b)];
}

std::vector<int> Model::pending(int file) const {
  std::vector<int> ids;
  for (const auto& [id, pending] : pending_) {
    if (file < 0 || pending.step.file == file) ids.push_back(id);
  }
  return ids;
}

RankSet Model::pending_on(int id) const {
  const auto found = pending_.find(id);
  return found == pending_.end() ? 0 : found->second.started & ~found->second.done;
}

RankSet Model::missing_on(int id) const {
  const auto found = pending_.find(id);
  return found == pending_.end() ? 0 : found->second.all & ~found->second.started;
}

Model::MessageState Model::message_state(int id) const {
  return at(id) < messages_.size() ? messages_[at(id)] : MessageState{};
}

std::map<int, Model::Part> Model::parts(const Step& access, RankSet ranks) const {
  std::map<int, Part> parts;
  std::map<int, std::int64_t> shared;  // by colour: etypes before this rank's
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (!contains(ranks, rank)) continue;
    const FileState& state = file_of(access.file, rank);
    const View& view = state.views[at(rank)];
    const Share& share = access.shares[at(rank)];
    std::int64_t place = share.offset;
    if (access.pointer == Pointer::kIndividual) place = state.positions[at(rank)].value_or(0);
    if (access.pointer == Pointer::kShared || access.pointer == Pointer::kOrdered) {
      std::int64_t& before = shared[communicator(access.file).colours[at(rank)]];
      place = state.shared_position.value_or(0) + before;
      before += share.count;
    }
    const std::int64_t first = place * view.etype_bytes;
    const std::int64_t bytes = share.count * view.etype_bytes;
    parts[rank] = {first, bytes, file_pieces(view, first, bytes)};
  }
  return parts;
}

void Model::apply(const Step& step) {
  switch (step.kind) {
    case StepKind::kOpen: open(step); break;
    case StepKind::kClose: close(step); break;
    case StepKind::kView:
      for (FileState& state : files_[at(step.file)]) {
        state.views = step.views;
        state.positions.assign(at(program_.ranks), 0);
        state.shared_position = 0;
        state.shared_users = program_.everyone();
      }
      break;
    case StepKind::kSeek: seek(step); break;
    case StepKind::kSeekShared:
      for (FileState& state : files_[at(step.file)]) {
        state.shared_position = step.number;
        state.shared_users = program_.everyone();
      }
      break;
    case StepKind::kAccess:
      used_ids_.insert(step.id);
      start(step, step.ranks);
      break;
    case StepKind::kJoin: start(Step(pending_.at(step.id).step), step.ranks); break;
    case StepKind::kEnd:
    case StepKind::kComplete: complete(step); break;
    case StepKind::kBarrier: barrier(static_cast<int>(step.number)); break;
    case StepKind::kSync: break;
    case StepKind::kSettle: meet(step.file); break;
    case StepKind::kSetSize:
    case StepKind::kPreallocate:
      for (FileState& state : files_[at(step.file)]) {
        if (step.kind == StepKind::kSetSize || step.number > state.contents.size()) state.contents.resize(step.number);
        state.unsettled = true;
      }
      break;
    case StepKind::kAtomic:
      for (FileState& state : files_[at(step.file)]) state.atomic = step.number != 0;
      break;
    case StepKind::kAsk: ask(step); break;
    default: message(step);
  }
  ++steps_;
}

void Model::open(const Step& step) {
  for (FileState& state : files_[at(step.file)]) {
    state.exists = true;
    state.open = true;
    state.mode = step.mode;
    state.atomic = false;
    state.views.assign(at(program_.ranks), View{});
    std::optional<std::int64_t> begin = step.mode.append ? state.contents.size() : 0;
    if (step.mode.append && state.loose) begin.reset();
    state.positions.assign(at(program_.ranks), begin);
    state.shared_position = begin;
    state.shared_users = 0;
  }
  meet(step.file);
}

void Model::close(const Step& step) {
  for (FileState& state : files_[at(step.file)]) {
    state.open = false;
    if (!state.mode.delete_on_close) continue;
    state.exists = false;
    state.contents.resize(0);
  }
}

void Model::meet(int file) {
  for (FileState& state : files_[at(file)]) {
    state.touches.begin_epoch();
    state.shared_users = 0;
    state.extenders = 0;
    state.short_readers = 0;
    state.epoch_size = state.contents.size();
    state.unsettled = false;
  }
}

void Model::barrier(int number) {
  const Communicator& met = program_.communicators[at(number)];
  for (int f = 0; f < static_cast<int>(files_.size()); ++f) {
    for (int rank = 0; rank < program_.ranks; ++rank) {
      const bool all_met = (communicator(f).group_of(rank) & ~met.group_of(rank)) == 0;
      if (all_met) file_at(f, rank).shared_users = 0;
    }
  }
}

void Model::seek(const Step& step) {
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (!contains(step.ranks, rank)) continue;
    FileState& state = file_at(step.file, rank);
    const View& view = state.views[at(rank)];
    const std::int64_t end = (state.contents.size() - view.displacement) / view.etype_bytes;
    std::optional<std::int64_t>& position = state.positions[at(rank)];
    const std::int64_t offset = step.shares[at(rank)].offset;
    if (step.whence == Whence::kSet) position = offset;
    if (step.whence == Whence::kCurrent) position = position.value_or(0) + offset;
    if (step.whence != Whence::kEnd) continue;
    position = end + offset;
    state.short_readers |= only(rank);
  }
}

void Model::start(const Step& access, RankSet ranks) {
  const std::map<int, Part> parts = this->parts(access, ranks);
  for (const auto& [rank, part] : parts) start_part(access, rank, part);
  if (access.pointer == Pointer::kShared) mix_parts(access, parts);
  move_pointers(access, ranks);
  if (access.manner == Manner::kBlocking) return;
  Pending& pending = pending_[access.id];
  if (pending.started == 0) {
    pending.step = access;
    pending.all = access.collective ? groups_of(access.file, access.ranks) : access.ranks;
  }
  pending.started |= ranks;
  for (const auto& [rank, part] : parts) {
    pending.parts[rank] = part;
    FileState& state = file_at(access.file, rank);
    const RankSet group = communicator(access.file).group_of(rank);
    state.partial = access.collective && (group & pending.all & ~pending.started) != 0 ? access.id : -1;
    if (access.manner == Manner::kSplit) state.split = access.id;
  }
}

// Any rank's data may be in any rank's place.
void Model::mix_parts(const Step& access, const std::map<int, Part>& parts) {
  for (const auto& [place, part] : parts) {
    for (const auto& [rank, unused] : parts) {
      if (rank == place || !may_trade(access, rank, place)) continue;
      FileState& state = file_at(access.file, rank);
      state.touches.note(access.direction, rank, part.pieces);
      const bool failed = options_.failures.contains({access.id, communicator(access.file).colours[at(rank)]});
      if (!failed) state.contents.write(part.pieces, access.id, rank);
    }
  }
}

void Model::start_part(const Step& access, int rank, const Part& part) {
  FileState& state = file_at(access.file, rank);
  const bool writes = access.direction == Direction::kWrite;
  const bool failed = options_.failures.contains({access.id, communicator(access.file).colours[at(rank)]});
  state.touches.note(access.direction, rank, part.pieces);
  if (failed) state.loose = true;
  expect(access, rank, part);
  const RankSet group = access.pointer == Pointer::kShared ? access.ranks : only(rank);
  if (writes && end_of(part.pieces) > state.epoch_size) state.extenders |= group;
  if (!writes && end_of(part.pieces) > state.contents.size()) state.short_readers |= only(rank);
  if (access.manner != Manner::kBlocking) {
    ++state.pending;
    state.touches.pend(access.direction, part.pieces, 1);
    if (writes && end_of(part.pieces) > state.epoch_size) ++state.pending_extensions;
    if (!writes && end_of(part.pieces) > state.contents.size()) ++state.pending_short_reads;
  }
  if (writes && failed) state.contents.make_unknown(part.pieces);
  if (writes && !failed) state.contents.write(part.pieces, access.id, rank);
}

void Model::expect(const Step& access, int rank, const Part& part) {
  const FileState& state = file_of(access.file, rank);
  Expected& expected = expected_[{access.id, rank}];
  expected.requested = part.bytes;
  expected.moved = part.bytes;
  expected.certain = !state.loose;
  if (access.direction == Direction::kWrite) return;
  expected.moved = 0;
  for (const Extent& piece : part.pieces) {
    expected.moved += std::max<std::int64_t>(0, std::min(piece.end, state.contents.size()) - piece.begin);
  }
  if (!options_.keep_data) return;
  expected.data.reserve(at(static_cast<int>(expected.moved)));
  for (const Extent& piece : part.pieces) {
    const std::int64_t end = std::min(piece.end, state.contents.size());
    for (std::int64_t byte = piece.begin; byte < end; ++byte) {
      const auto any = state.contents.alternatives().find(byte);
      if (any != state.contents.alternatives().end()) expected.alternatives[std::ssize(expected.data)] = any->second;
      expected.data.push_back(state.contents.bytes()[static_cast<std::size_t>(byte)]);
    }
  }
}

void Model::move_pointers(const Step& access, RankSet ranks) {
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (!contains(ranks, rank) || access.pointer == Pointer::kExplicit) continue;
    FileState& state = file_at(access.file, rank);
    const Expected& expected = expected_[{access.id, rank}];
    const bool is_short = expected.moved < expected.requested;  // how far pointers go then is not agreed upon
    const std::int64_t count = access.shares[at(rank)].count;
    const bool individual = access.pointer == Pointer::kIndividual;
    std::optional<std::int64_t>& pointer = individual ? state.positions[at(rank)] : state.shared_position;
    if (is_short || !pointer) {
      pointer.reset();
    } else {
      *pointer += count;
    }
    if (access.pointer == Pointer::kShared) state.shared_users |= only(rank);
  }
}

void Model::complete_part(Pending& pending, int rank) {
  if (!contains(pending.started & ~pending.done, rank)) return;
  pending.done |= only(rank);
  FileState& state = file_at(pending.step.file, rank);
  const std::vector<Extent>& pieces = pending.parts[rank].pieces;
  const bool writes = pending.step.direction == Direction::kWrite;
  const Expected& expected = expected_[{pending.step.id, rank}];
  --state.pending;
  state.touches.pend(pending.step.direction, pieces, -1);
  if (writes && end_of(pieces) > state.epoch_size) --state.pending_extensions;
  if (!writes && expected.moved < expected.requested) --state.pending_short_reads;
  if (state.split == pending.step.id) state.split = -1;
}

void Model::complete(const Step& step) {
  const std::vector<int> ids = step.kind == StepKind::kEnd ? std::vector<int>{step.id} : step.accesses;
  for (const int id : ids) {
    const auto found = pending_.find(id);
    if (found == pending_.end()) continue;
    for (int rank = 0; rank < program_.ranks; ++rank) {
      if (step.kind == StepKind::kEnd || contains(step.ranks, rank)) complete_part(found->second, rank);
    }
    if (found->second.done == found->second.all) pending_.erase(found);
  }
  if (messages_.size() < program_.messages.size()) messages_.resize(program_.messages.size());
  for (const int id : step.messages) {
    const Message& message = program_.messages[at(id)];
    if (contains(step.ranks, message.from)) messages_[at(id)].send_pending = false;
    if (contains(step.ranks, message.to)) messages_[at(id)].receive_pending = false;
  }
}

void Model::message(const Step& step) {
  if (messages_.size() < program_.messages.size()) messages_.resize(program_.messages.size());
  MessageState& state = messages_[at(step.id)];
  const bool sends = step.kind == StepKind::kIsend || step.kind == StepKind::kSend || step.kind == StepKind::kExchange;
  const bool receives =
      step.kind == StepKind::kIrecv || step.kind == StepKind::kRecv || step.kind == StepKind::kExchange;
  state.sent |= sends;
  state.received |= receives;
  if (step.kind == StepKind::kIsend) state.send_pending = true;
  if (step.kind == StepKind::kIrecv) state.receive_pending = true;
}

void Model::ask(const Step& step) {
  for (int rank = 0; rank < program_.ranks; ++rank) {
    const FileState& state = file_of(step.file, rank);
    const bool alone = std::popcount(communicator(step.file).group_of(rank)) == 1;
    const bool size_known = (state.extenders == 0 || alone) && state.pending_extensions == 0 && !state.unsettled;
    ExpectedAnswers& answers = answers_[{steps_, rank}];
    answers.position = state.positions[at(rank)];
    if (size_known && !state.loose) answers.size = state.contents.size();
    if ((state.shared_users == 0 || alone) && state.split < 0) answers.shared_position = state.shared_position;
  }
  barrier(program_.files[at(step.file)].communicator);
}

std::string why_illegal(const Program& program) {
  Model model(program, {.keep_data = false});
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const std::string reason = model.why_not(program.steps[i]);
    if (!reason.empty()) return "step " + std::to_string(i) + ": " + reason;
    model.apply(program.steps[i]);
  }
  return model.why_not_end();
}

Model run_model(const Program& program, ModelOptions options) {
  Model model(program, std::move(options));
  for (const Step& step : program.steps) model.apply(step);
  return model;
}

}  // namespace weir::programs

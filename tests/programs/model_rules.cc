// Which steps the standard allows, given those before.
#include <algorithm>

#include "programs/model.h"
#include "programs/types.h"

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::int64_t end_of(const std::vector<Extent>& pieces) { return pieces.empty() ? 0 : pieces.back().end; }

bool is_about_file(StepKind kind) {
  switch (kind) {
    case StepKind::kClose:
    case StepKind::kView:
    case StepKind::kSeek:
    case StepKind::kSeekShared:
    case StepKind::kAccess:
    case StepKind::kSync:
    case StepKind::kSettle:
    case StepKind::kSetSize:
    case StepKind::kPreallocate:
    case StepKind::kAtomic:
    case StepKind::kAsk: return true;
    default: return false;
  }
}

// Calls before which everything has to be completed.
bool needs_quiet(StepKind kind) {
  return kind != StepKind::kSeek && kind != StepKind::kAccess && kind != StepKind::kAsk &&
         kind != StepKind::kSeekShared;
}

// Whether two of the ranks ask for the same byte of the same file.
bool overlap(const std::map<int, Model::Part>& parts, const Communicator& communicator) {
  std::map<int, std::vector<Extent>> all;  // by colour
  for (const auto& [rank, part] : parts) {
    std::vector<Extent>& pieces = all[communicator.colours[at(rank)]];
    pieces.insert(pieces.end(), part.pieces.begin(), part.pieces.end());
  }
  for (auto& [colour, pieces] : all) {
    std::sort(pieces.begin(), pieces.end(), [](Extent a, Extent b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (pieces[i].begin < pieces[i - 1].end) return true;
    }
  }
  return false;
}

bool shares_pointer(const Step& access) {
  return access.pointer == Pointer::kShared || access.pointer == Pointer::kOrdered;
}

bool is_call(const Step& access) {
  if (access.pointer == Pointer::kOrdered) return access.collective && access.manner != Manner::kNonblocking;
  if (access.pointer == Pointer::kShared) return !access.collective && access.manner != Manner::kSplit;
  return access.collective || access.manner != Manner::kSplit;
}

}  // namespace

std::string Model::why_not(const Step& step) const {
  if (is_about_file(step.kind) || step.kind == StepKind::kOpen) {
    if (step.file < 0 || at(step.file) >= files_.size()) return "no such file";
  }
  if (is_about_file(step.kind)) {
    const std::string reason = why_no_file_step(step);
    if (!reason.empty()) return reason;
  }
  switch (step.kind) {
    case StepKind::kOpen: return why_no_open(step);
    case StepKind::kView: return why_no_view(step);
    case StepKind::kSeek: return why_no_seek(step);
    case StepKind::kAccess: return why_no_access(step);
    case StepKind::kJoin: return why_no_join(step);
    case StepKind::kEnd: return why_no_end(step);
    case StepKind::kComplete: return why_no_complete(step);
    case StepKind::kIsend:
    case StepKind::kIrecv:
    case StepKind::kSend:
    case StepKind::kRecv:
    case StepKind::kExchange: return why_no_message(step);
    case StepKind::kBarrier: return at(static_cast<int>(step.number)) < program_.communicators.size() ? "" : "no comm";
    default: return "";
  }
}

std::string Model::why_no_file_step(const Step& step) const {
  for (const FileState& state : files_[at(step.file)]) {
    if (!state.open) return "the file is not open";
    if (needs_quiet(step.kind) && (state.pending != 0 || state.partial >= 0)) return "accesses are not completed";
    const bool sizes = step.kind == StepKind::kSetSize || step.kind == StepKind::kPreallocate;
    const bool writes = sizes || step.kind == StepKind::kSync || (step.kind == StepKind::kSettle && step.number == 0);
    if (writes && !state.mode.writes) return "the file is not open for writing";
    if (sizes && (step.number < 0 || step.number > options_.longest_file)) return "not a size";
    const bool met = state.extenders == 0 && state.short_readers == 0 && !state.unsettled;
    if (sizes && (!met || state.touches.conflict(Direction::kWrite, kMostRanks - 1, {{{0, 1 << 30}}}))) {
      return "the ranks have to meet before the size is set";
    }
    if (step.kind == StepKind::kSettle && step.number == 1 && state.mode.writes && !state.atomic) {
      return "a barrier alone settles in atomic mode only";
    }
    if (step.kind == StepKind::kSeekShared && (state.split >= 0 || state.partial >= 0))
      return "a split access is active";
    if (step.kind == StepKind::kSeekShared && state.shared_users != 0) return "the ranks have to meet first";
    if (step.kind == StepKind::kSeekShared && step.number < 0) return "not an offset";
  }
  return "";
}

std::string Model::why_no_open(const Step& step) const {
  const Mode& mode = step.mode;
  if (!mode.reads && !mode.writes) return "neither reads nor writes";
  if (!mode.writes && (mode.create || mode.exclusive)) return "a file that is only read cannot be created";
  for (const FileState& state : files_[at(step.file)]) {
    if (state.open) return "the file is open";
    if (!state.exists && !mode.create) return "there is no such file";
    if (mode.exclusive && (state.exists || !mode.create)) return "the file exists";
  }
  return "";
}

std::string Model::why_no_view(const Step& step) const {
  if (at(program_.ranks) != step.views.size()) return "not a view for each rank";
  for (const View& view : step.views) {
    if (view.etype_bytes != step.views.front().etype_bytes) return "etypes differ";
    if (view.displacement < 0 || view.extent < 1) return "not a view";
    if (view.kind == View::Kind::kVector && (view.numbers.size() != 3 || view.numbers[0] < 1)) return "not a vector";
    if (view.kind == View::Kind::kIndexed && view.numbers.size() % 2 != 0) return "not an index";
    if (view.kind == View::Kind::kSubarray && view.numbers.size() != 9) return "not an array";
    const Tile tile = tile_of(view);
    for (std::size_t i = 0; i < tile.pieces.size(); ++i) {
      if (tile.pieces[i].begin < 0 || tile.pieces[i].end > tile.extent) return "a piece outside of the extent";
      if (i > 0 && tile.pieces[i].begin < tile.pieces[i - 1].end) return "pieces not in order";
    }
  }
  return "";
}

std::string Model::why_no_seek(const Step& step) const {
  if (at(program_.ranks) != step.shares.size()) return "not a place for each rank";
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (!contains(step.ranks, rank)) continue;
    const FileState& state = file_of(step.file, rank);
    const View& view = state.views[at(rank)];
    const std::int64_t offset = step.shares[at(rank)].offset;
    const std::int64_t beyond = state.contents.size() - view.displacement;
    if (step.whence == Whence::kSet && offset < 0) return "before the begin";
    if (step.whence == Whence::kCurrent) {
      const std::optional<std::int64_t>& position = state.positions[at(rank)];
      if (!position || *position + offset < 0) return "relative to an unknown position";
    }
    if (step.whence != Whence::kEnd) continue;
    if (view.kind != View::Kind::kPlain || beyond < 0 || beyond % view.etype_bytes != 0) return "no etype at the end";
    if (beyond / view.etype_bytes + offset < 0) return "before the begin";
    if (state.extenders != 0 || state.pending_extensions != 0 || state.unsettled) return "the size is not known";
  }
  return "";
}

std::string Model::why_no_access(const Step& step) const {
  if (step.id < kFirstAccessId || step.id >= kFirstMessageId || used_ids_.contains(step.id)) return "not a new id";
  if (at(program_.ranks) != step.shares.size() || step.ranks == 0) return "not a share for each rank";
  if (!is_call(step)) return "there is no such call";
  const RankSet groups = groups_of(step.file, step.ranks);
  if (step.collective && step.manner != Manner::kNonblocking && groups != step.ranks) return "ranks are missing";
  return why_no_part(step, step.ranks);
}

std::string Model::why_no_part(const Step& access, RankSet ranks) const {
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (!contains(ranks, rank)) continue;
    std::string reason = why_no_place(access, rank);
    if (reason.empty()) reason = why_no_share(access, rank);
    if (!reason.empty()) return reason;
  }
  const std::map<int, Part> parts = this->parts(access, ranks);
  for (const auto& [place, part] : parts) {
    for (const auto& [rank, unused] : parts) {
      if (rank != place && !may_trade(access, rank, place)) continue;
      std::string reason = why_no_touch(access, rank, part);
      if (!reason.empty()) return reason;
    }
  }
  if (access.direction == Direction::kWrite && !access.overlaps && overlap(parts, communicator(access.file))) {
    return "ranks write the same bytes";
  }
  return "";
}

std::string Model::why_no_place(const Step& access, int rank) const {
  const FileState& state = file_of(access.file, rank);
  const RankSet group = communicator(access.file).group_of(rank);
  const bool writes = access.direction == Direction::kWrite;
  if (writes ? !state.mode.writes : !state.mode.reads) return "the file is not open for that";
  if (state.unsettled) return "the ranks have to meet after the size was set";
  if (access.collective && state.split >= 0) return "a split access is active";
  if (access.collective && state.partial >= 0 && state.partial != access.id) return "ranks are still to start another";
  if (access.pointer == Pointer::kIndividual && !state.positions[at(rank)]) return "the position is not known";
  if (!shares_pointer(access)) return "";
  if (!state.shared_position) return "the shared position is not known";
  if (state.split >= 0) return "a split access is active";
  if (state.shared_users != 0 && (group != only(rank)) &&
      (access.ranks != only(rank) || state.shared_users != only(rank))) {
    return "the order of shared accesses is not known";
  }
  for (const int other : communicator(access.file).members(communicator(access.file).colours[at(rank)])) {
    if (state.views[at(other)] != state.views[at(rank)]) return "shared pointers need equal views";
    const bool together = access.pointer == Pointer::kShared && contains(access.ranks, other) && other != rank;
    if (!together) continue;
    if (!writes || access.shares[at(other)].count != access.shares[at(rank)].count) return "the places are not known";
  }
  return "";
}

std::string Model::why_no_share(const Step& access, int rank) const {
  const FileState& state = file_of(access.file, rank);
  const View& view = state.views[at(rank)];
  const Share& share = access.shares[at(rank)];
  const bool blocks = share.memory.kind != Memory::Kind::kPlain && share.memory.kind != Memory::Kind::kOne;
  if (share.count < 0 || share.offset < 0) return "negative numbers";
  if (blocks && (share.memory.block < 1 || share.memory.gap < 0 || share.count % share.memory.block != 0)) {
    return "the memory's blocks do not divide the count";
  }
  if (share.count == 0) return "";
  const Tile tile = tile_of(view);
  if (tile.data_bytes == 0) return "the view has no bytes";
  const std::int64_t last =
      share.offset + share.count + state.positions[at(rank)].value_or(0) + state.shared_position.value_or(0);
  if (view.displacement + (last * view.etype_bytes / tile.data_bytes + 1) * tile.extent > options_.longest_file) {
    return "too far";
  }
  return "";
}

std::string Model::why_no_touch(const Step& access, int rank, const Part& part) const {
  const FileState& state = file_of(access.file, rank);
  const bool writes = access.direction == Direction::kWrite;
  const RankSet me = only(rank);
  const std::int64_t end = end_of(part.pieces);
  if (end > options_.longest_file) return "too far";
  if (state.touches.conflict(access.direction, rank, part.pieces)) return "conflicts with another access";
  if (writes && end > state.epoch_size) {
    if ((state.short_readers & ~me) != 0 || state.pending_short_reads != 0) return "a read at the end is on its way";
  }
  if (!writes && end > state.epoch_size) {
    if ((state.extenders & ~me) != 0 || state.pending_extensions != 0) return "the size is not known";
  }
  return "";
}

std::string Model::why_no_join(const Step& step) const {
  const auto found = pending_.find(step.id);
  if (found == pending_.end() || found->second.step.manner != Manner::kNonblocking) return "no such access";
  const Pending& pending = found->second;
  if (step.ranks == 0 || (step.ranks & ~(pending.all & ~pending.started)) != 0) return "not ranks that are missing";
  return why_no_part(pending.step, step.ranks);
}

std::string Model::why_no_end(const Step& step) const {
  const auto found = pending_.find(step.id);
  if (found == pending_.end() || found->second.step.manner != Manner::kSplit) return "no such split access";
  return "";
}

std::string Model::why_no_complete(const Step& step) const {
  bool any = false;
  for (const int id : step.accesses) {
    const auto found = pending_.find(id);
    if (found == pending_.end() || found->second.step.manner != Manner::kNonblocking) return "no such access";
    const Pending& pending = found->second;
    const RankSet mine = step.ranks & pending.started & ~pending.done;
    any |= mine != 0;
    if (!pending.step.collective) continue;
    if ((groups_of(pending.step.file, mine) & ~pending.started) != 0) return "other ranks have not started it";
  }
  for (const int id : step.messages) {
    if (id < 0 || at(id) >= program_.messages.size()) return "no such message";
    const Message& message = program_.messages[at(id)];
    const MessageState state = message_state(id);
    const bool sends = contains(step.ranks, message.from) && state.send_pending;
    const bool receives = contains(step.ranks, message.to) && state.receive_pending;
    any |= sends || receives;
    if ((sends && !state.received) || (receives && !state.sent)) return "nobody is at the other end";
  }
  return any ? "" : "nothing to complete";
}

std::string Model::why_no_message(const Step& step) const {
  if (step.id < 0 || at(step.id) >= program_.messages.size()) return "no such message";
  const Message& message = program_.messages[at(step.id)];
  if (message.from == message.to || message.from >= program_.ranks || message.to >= program_.ranks) return "no peer";
  const MessageState state = message_state(step.id);
  switch (step.kind) {
    case StepKind::kIsend: return state.sent ? "sent already" : "";
    case StepKind::kIrecv: return state.received ? "received already" : "";
    case StepKind::kSend: return state.sent || !state.received ? "nobody receives" : "";
    case StepKind::kRecv: return state.received || !state.sent ? "nobody sends" : "";
    default: return state.sent || state.received ? "sent already" : "";
  }
}

std::string Model::why_not_end() const {
  for (const auto& colours : files_) {
    for (const FileState& state : colours) {
      if (state.open) return "a file is open at the end";
    }
  }
  if (!pending_.empty()) return "an access is not completed at the end";
  for (int id = 0; id < static_cast<int>(program_.messages.size()); ++id) {
    const MessageState state = message_state(id);
    if (state.sent != state.received || state.send_pending || state.receive_pending) return "a message is on its way";
  }
  return "";
}

}  // namespace weir::programs

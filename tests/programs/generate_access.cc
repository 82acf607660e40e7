// How the generator draws accesses: the call, who takes part, how much and where.
#include <algorithm>
#include <numeric>

#include "programs/generator.h"
#include "programs/types.h"

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

void Generator::access(int file) {
  Step step = {.kind = StepKind::kAccess, .file = file, .id = next_id_};
  step.shares.resize(at(program_.ranks));
  if (!choose_call(step)) return;
  step.ranks = choose_ranks(step);
  draw_shares(step);
  if (!place(step)) return;
  ++next_id_;
  const RankSet all = step.ranks;
  const bool late = knobs_.late_starts && !step.overlaps && step.collective && step.manner == Manner::kNonblocking &&
                    !starting_ && program_.ranks > 1 && random_.one_in(2);
  if (late) step.ranks = random_.some_of(all);
  if (late && step.ranks != all) {
    start_late(step);
  } else {
    must(step);
  }
}

bool Generator::choose_call(Step& step) {
  const Mode& mode = model_->file(step.file, 0).mode;
  step.direction = random_.one_in(3) ? Direction::kRead : Direction::kWrite;
  if (!mode.reads) step.direction = Direction::kWrite;
  if (!mode.writes) step.direction = Direction::kRead;
  step.pointer = random_.one_of({Pointer::kExplicit, Pointer::kExplicit, Pointer::kExplicit, Pointer::kIndividual,
                                 Pointer::kIndividual, Pointer::kShared, Pointer::kOrdered});
  const bool shares = step.pointer == Pointer::kShared || step.pointer == Pointer::kOrdered;
  if (shares && !knobs_.shared_pointers) return false;
  step.collective = step.pointer == Pointer::kOrdered || (step.pointer != Pointer::kShared && !random_.one_in(3));
  step.manner = random_.one_of({Manner::kBlocking, Manner::kBlocking, Manner::kNonblocking, Manner::kSplit});
  if (step.pointer == Pointer::kOrdered && step.manner == Manner::kNonblocking) step.manner = Manner::kSplit;
  if (!step.collective && step.manner == Manner::kSplit) step.manner = Manner::kNonblocking;
  if (step.collective && step.manner == Manner::kNonblocking && !knobs_.nonblocking_collectives) {
    step.manner = Manner::kBlocking;
  }
  return true;
}

RankSet Generator::choose_ranks(const Step& step) {
  const Communicator& communicator = program_.communicator_of(step.file);
  RankSet ranks = program_.everyone();
  if (step.collective) {
    if (communicator.colour_count() > 1 && random_.one_in(4)) {
      ranks = communicator.group_of(random_.pick_int(0, program_.ranks - 1));
    }
    return ranks;
  }
  if (step.pointer != Pointer::kShared) return random_.some_of(ranks);
  const bool together = step.direction == Direction::kWrite && random_.one_in(3);
  if (together) return ranks;
  ranks = 0;
  for (int colour = 0; colour < communicator.colour_count(); ++colour) {
    ranks |= only(random_.one_of(communicator.members(colour)));
  }
  return ranks;
}

std::int64_t Generator::etypes_within(const View& view, std::int64_t bytes) const {
  const Tile tile = tile_of(view);
  if (tile.data_bytes == 0 || bytes <= view.displacement) return 0;
  return (bytes - view.displacement) / tile.extent * tile.data_bytes / view.etype_bytes;
}

std::int64_t Generator::draw_count(const View& view) {
  const std::int64_t most = etypes_within(view, file_bytes_);
  if (most < 1 || random_.one_in(9)) return 0;
  const std::int64_t in_tile = std::max<std::int64_t>(1, tile_of(view).data_bytes / view.etype_bytes);
  switch (random_.pick(0, 4)) {
    case 0: return random_.pick(1, std::min<std::int64_t>(most, 20));
    case 1: return random_.pick(1, std::min(most, in_tile));
    case 2: return std::min(most, in_tile * random_.pick(1, 3));
    case 3: return std::min(most, 48 * random_.pick(1, 8));
    default: return random_.pick(1, std::max<std::int64_t>(1, most / 2));
  }
}

void Generator::draw_shares(Step& step) {
  const Communicator& communicator = program_.communicator_of(step.file);
  for (int colour = 0; colour < communicator.colour_count(); ++colour) draw_group(step, communicator.members(colour));
  cut_at_end(step);
  draw_memories(step);
}

// The ranks of one colour. Where their views are equal, they go one behind the other.
void Generator::draw_group(Step& step, const std::vector<int>& members) {
  const FileState& state = model_->file_of(step.file, members.front());
  const View& first = state.views[at(members.front())];
  bool equal = true;
  for (const int rank : members) equal &= state.views[at(rank)] == first;
  const bool alike = random_.one_in(2) || (step.pointer == Pointer::kShared && std::popcount(step.ranks) > 1);
  const std::int64_t count = draw_count(first);
  std::vector<int> order = members;
  if (random_.one_in(2)) std::reverse(order.begin(), order.end());
  std::int64_t offset =
      random_.one_in(2) ? 0 : random_.pick(0, std::max<std::int64_t>(0, etypes_within(first, file_bytes_ / 2)));
  for (const int rank : order) {
    const View& view = state.views[at(rank)];
    Share& share = step.shares[at(rank)];
    share.count = tile_of(view).data_bytes == 0 ? 0 : alike ? count : draw_count(view);
    if (equal) share.count = std::min(share.count, std::max<std::int64_t>(1, file_bytes_ / std::ssize(members)));
    share.offset = offset;
    if (equal && step.direction == Direction::kWrite)
      offset += share.count + (random_.one_in(4) ? random_.pick(0, 30) : 0);
  }
}

// Most reads end before the file does.
void Generator::cut_at_end(Step& step) {
  if (step.direction == Direction::kWrite || (knobs_.short_reads && random_.one_in(4))) return;
  for (const auto& [rank, part] : model_->parts(step, step.ranks)) {
    const FileState& state = model_->file_of(step.file, rank);
    std::int64_t inside = 0;
    for (const Extent& piece : part.pieces) {
      inside += std::max<std::int64_t>(0, std::min(piece.end, state.contents.size()) - piece.begin);
    }
    step.shares[at(rank)].count = inside / state.views[at(rank)].etype_bytes;
  }
}

void Generator::draw_memories(Step& step) {
  const bool alike = random_.one_in(3);
  for (Share& share : step.shares) {
    share.memory = draw_memory(random_, share.count);
    if (alike) share.memory = {};
  }
}

// Makes the step legal, by steps before it and by asking for less. False: it cannot be.
bool Generator::place(Step& step) {
  if (model_->why_not(step).empty()) return true;
  if (starting_) return false;
  repair(step);
  if (model_->why_not(step).empty()) return true;
  complete_file(step.file);
  if (model_->why_not(step).empty()) return true;
  settle(step.file);
  cut_at_end(step);
  draw_memories(step);
  const bool mixed = step.pointer == Pointer::kShared && std::popcount(step.ranks) > 1;
  if (!mixed && step.direction == Direction::kWrite && step.collective && random_.one_in(6)) step.overlaps = true;
  for (int rank = 0; rank < program_.ranks; ++rank) {
    if (model_->why_not(step).empty()) return true;
    if (mixed) return false;
    step.shares[at(rank)] = {.offset = step.shares[at(rank)].offset};
  }
  return model_->why_not(step).empty();
}

// Pointers whose place is not known, or that stand where others write, are moved.
void Generator::repair(Step& step) {
  if (step.pointer == Pointer::kIndividual) {
    emit({.kind = StepKind::kSeek, .file = step.file, .ranks = step.ranks, .shares = step.shares});
  }
  const bool shares = step.pointer == Pointer::kShared || step.pointer == Pointer::kOrdered;
  if (!shares) return;
  const int communicator = program_.files[at(step.file)].communicator;
  emit({.kind = StepKind::kBarrier, .number = communicator});
  if (model_->file(step.file, 0).shared_position && !random_.one_in(4)) return;
  emit({.kind = StepKind::kSeekShared, .file = step.file, .number = random_.pick(0, 30)});
  emit({.kind = StepKind::kBarrier, .number = communicator});
}

// Other ranks do other things before they start the access too.
void Generator::start_late(Step step) {
  must(step);
  starting_ = true;
  for (int i = random_.pick_int(0, 4); i > 0; --i) {
    const int other = random_.pick_int(0, file_count() - 1);
    if (random_.one_in(3) && other != step.file) {
      access(other);
    } else if (random_.one_in(4)) {
      emit({.kind = StepKind::kBarrier, .number = 0});
    } else {
      message();
    }
  }
  while (model_->missing_on(step.id) != 0) {
    must({.kind = StepKind::kJoin, .id = step.id, .ranks = random_.some_of(model_->missing_on(step.id))});
    if (random_.one_in(3)) message();
  }
  starting_ = false;
}

}  // namespace weir::programs

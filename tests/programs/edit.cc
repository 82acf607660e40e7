#include "programs/edit.h"

#include <algorithm>
#include <set>

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_about_message(const Step& step) {
  return step.kind == StepKind::kIsend || step.kind == StepKind::kIrecv || step.kind == StepKind::kSend ||
         step.kind == StepKind::kRecv || step.kind == StepKind::kExchange;
}

bool is_empty(const Step& step) {
  if (step.kind == StepKind::kComplete) return step.ranks == 0 || (step.accesses.empty() && step.messages.empty());
  const bool some = step.kind == StepKind::kAccess || step.kind == StepKind::kJoin || step.kind == StepKind::kSeek;
  return some && step.ranks == 0;
}

void drop_empty(Program& program) { std::erase_if(program.steps, is_empty); }

// Everything that comes after the start of the access.
void drop_completion(Program& program, int id) {
  std::erase_if(program.steps, [id](const Step& step) {
    return (step.kind == StepKind::kJoin || step.kind == StepKind::kEnd) && step.id == id;
  });
  for (Step& step : program.steps) std::erase(step.accesses, id);
  drop_empty(program);
}

RankSet without_bit(RankSet set, int rank) {
  const RankSet below = set & (only(rank) - 1);
  return below | (set >> (rank + 1) << rank);
}

template <typename T>
void drop_at(std::vector<T>& list, int index) {
  if (!list.empty()) list.erase(list.begin() + index);
}

// Colours without gaps.
void renumber(std::vector<int>& colours) {
  std::vector<int> seen;
  for (int& colour : colours) {
    auto found = std::find(seen.begin(), seen.end(), colour);
    if (found == seen.end()) found = seen.insert(seen.end(), colour);
    colour = static_cast<int>(found - seen.begin());
  }
}

}  // namespace

Program without_steps(const Program& program, std::size_t first, std::size_t count) {
  Program made = program;
  const auto begin = made.steps.begin() + static_cast<std::ptrdiff_t>(first);
  made.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, made.steps.size() - first)));
  return made;
}

Program without_access(const Program& program, int id) {
  Program made = program;
  drop_completion(made, id);
  std::erase_if(made.steps, [id](const Step& step) { return step.kind == StepKind::kAccess && step.id == id; });
  return made;
}

Program without_message(const Program& program, int id) {
  Program made = program;
  std::erase_if(made.steps, [id](const Step& step) { return is_about_message(step) && step.id == id; });
  for (Step& step : made.steps) {
    if (is_about_message(step) && step.id > id) --step.id;
    std::erase(step.messages, id);
    for (int& message : step.messages) message -= message > id ? 1 : 0;
  }
  drop_at(made.messages, id);
  drop_empty(made);
  return made;
}

Program without_file(const Program& program, int file) {
  Program made = program;
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::kAccess && step.file == file) made = without_access(made, step.id);
  }
  std::erase_if(made.steps, [file](const Step& step) { return step.file == file; });
  for (Step& step : made.steps) step.file -= step.file > file ? 1 : 0;
  drop_at(made.files, file);
  return made;
}

Program without_rank(const Program& program, int rank) {
  Program made = program;
  for (int id = static_cast<int>(program.messages.size()) - 1; id >= 0; --id) {
    const Message& message = program.messages[at(id)];
    if (message.from == rank || message.to == rank) made = without_message(made, id);
  }
  for (Message& message : made.messages) {
    message.from -= message.from > rank ? 1 : 0;
    message.to -= message.to > rank ? 1 : 0;
  }
  --made.ranks;
  for (Communicator& communicator : made.communicators) {
    drop_at(communicator.colours, rank);
    renumber(communicator.colours);
  }
  std::erase_if(made.faults, [rank](const PlannedFault& fault) { return fault.rank == rank; });
  for (PlannedFault& fault : made.faults) fault.rank -= fault.rank > rank ? 1 : 0;
  std::set<int> gone;
  for (Step& step : made.steps) {
    drop_at(step.views, rank);
    drop_at(step.shares, rank);
    step.ranks = without_bit(step.ranks, rank);
    if (step.kind == StepKind::kAccess && step.ranks == 0) gone.insert(step.id);
  }
  for (const int id : gone) made = without_access(made, id);
  drop_empty(made);
  return made;
}

Program with_blocking(const Program& program, int id) {
  Program made = program;
  RankSet joined = 0;
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::kJoin && step.id == id) joined |= step.ranks;
  }
  drop_completion(made, id);
  for (Step& step : made.steps) {
    if (step.kind != StepKind::kAccess || step.id != id) continue;
    step.manner = Manner::kBlocking;
    step.ranks |= joined;
  }
  return made;
}

Program without_unused(const Program& program) {
  Program made = program;
  std::set<int> sent;
  std::set<int> communicators = {0};
  for (const Step& step : program.steps) {
    if (is_about_message(step)) sent.insert(step.id);
    if (step.kind == StepKind::kBarrier) communicators.insert(static_cast<int>(step.number));
  }
  for (const FileSpec& file : program.files) communicators.insert(file.communicator);
  for (int id = static_cast<int>(program.messages.size()) - 1; id >= 0; --id) {
    if (!sent.contains(id)) made = without_message(made, id);
  }
  for (int index = static_cast<int>(program.communicators.size()) - 1; index > 0; --index) {
    if (communicators.contains(index)) continue;
    drop_at(made.communicators, index);
    for (FileSpec& file : made.files) file.communicator -= file.communicator > index ? 1 : 0;
    for (Step& step : made.steps) {
      if (step.kind == StepKind::kBarrier && step.number > index) --step.number;
    }
  }
  return made;
}

}  // namespace weir::programs

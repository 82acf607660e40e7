#include "programs/program.h"

#include <algorithm>

namespace weir::programs {

RankSet Communicator::group_of(int rank) const {
  RankSet group = 0;
  for (std::size_t other = 0; other < colours.size(); ++other) {
    if (colours[other] == colours[static_cast<std::size_t>(rank)]) group |= only(static_cast<int>(other));
  }
  return group;
}

int Communicator::colour_count() const {
  return colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end()) + 1;
}

std::vector<int> Communicator::members(int colour) const {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < colours.size(); ++rank) {
    if (colours[rank] == colour) ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

RankSet ranks_of(const Program& program, const Step& step) {
  const auto message = [&]() -> const Message& { return program.messages[static_cast<std::size_t>(step.id)]; };
  switch (step.kind) {
    case StepKind::kAccess:
    case StepKind::kJoin:
    case StepKind::kSeek:
    case StepKind::kComplete: return step.ranks;
    case StepKind::kIsend:
    case StepKind::kSend: return only(message().from);
    case StepKind::kIrecv:
    case StepKind::kRecv: return only(message().to);
    case StepKind::kExchange: return only(message().from) | only(message().to);
    default: return program.everyone();
  }
}

const Step* find_access(const Program& program, int id) {
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::kAccess && step.id == id) return &step;
  }
  return nullptr;
}

bool has_late_starts(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(),
                     [](const Step& step) { return step.kind == StepKind::kJoin; });
}

bool uses_shared_pointers(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(), [](const Step& step) {
    const bool shares = step.pointer == Pointer::kShared || step.pointer == Pointer::kOrdered;
    return step.kind == StepKind::kSeekShared || (step.kind == StepKind::kAccess && shares);
  });
}

std::string file_name(int file, int colour) { return "f" + std::to_string(file) + "." + std::to_string(colour); }

std::string describe_origin(Origin origin) {
  if (origin == kUnwritten) return "a byte nobody wrote";
  if (origin == kUnknown) return "any";
  const auto id = static_cast<int>(origin >> 48);
  const std::string place = ", byte " + std::to_string(origin & ((Origin{1} << 40) - 1));
  const std::string rank = std::to_string(origin >> 40 & 0xff);
  if (id == kInitialId) return "the initial contents" + place;
  return "access " + std::to_string(id) + " of rank " + rank + place;
}

std::uint8_t value_of(std::uint64_t seed, Origin origin) {
  if (origin == kUnwritten) return 0;
  std::uint64_t mixed = (seed ^ (origin >> 3)) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9U;
  mixed ^= mixed >> 32;
  const auto byte = static_cast<std::uint8_t>(mixed >> (8 * (origin & 7)));
  return byte != 0 ? byte : 0xa5;
}

}  // namespace weir::programs

#include <sstream>

#include "programs/names.h"
#include "programs/text.h"

namespace weir::programs {

namespace {

std::string letters(const Mode& mode) {
  const bool set[] = {mode.reads,           mode.writes,      mode.create, mode.exclusive,
                      mode.delete_on_close, mode.unique_open, mode.append};
  std::string text;
  for (std::size_t i = 0; i < kModeLetters.size(); ++i) {
    if (set[i]) text += kModeLetters[i];
  }
  return text;
}

std::string line(const View& view) {
  std::ostringstream out;
  out << view.displacement << " etype " << view.etype_bytes << " extent " << view.extent << " "
      << word(kViewWords, view.kind);
  for (const std::int64_t number : view.numbers) out << " " << number;
  return out.str();
}

std::string line(const Share& share) {
  std::ostringstream out;
  out << share.offset << " " << share.count << " " << word(kMemoryWords, share.memory.kind) << " " << share.memory.block
      << " " << share.memory.gap;
  return out.str();
}

// One line for each rank, or one for all where they are equal.
template <typename Part>
void print_by_rank(std::ostream& out, const std::vector<Part>& parts) {
  bool equal = true;
  for (const Part& part : parts) equal &= part == parts.front();
  if (equal && !parts.empty()) {
    out << "\n * " << line(parts.front());
    return;
  }
  for (std::size_t rank = 0; rank < parts.size(); ++rank) out << "\n " << rank << " " << line(parts[rank]);
}

void print_ranks(std::ostream& out, RankSet ranks) { out << " ranks " << std::hex << ranks << std::dec; }

void print_access(std::ostream& out, const Step& step) {
  out << " " << step.id << " file " << step.file << " " << word(kDirectionWords, step.direction) << " "
      << word(kPointerWords, step.pointer) << " " << (step.collective ? "all" : "alone") << " "
      << word(kMannerWords, step.manner) << (step.overlaps ? " overlaps" : " apart");
  print_ranks(out, step.ranks);
  print_by_rank(out, step.shares);
}

void print_complete(std::ostream& out, const Step& step) {
  out << " " << word(kWayWords, step.way);
  print_ranks(out, step.ranks);
  out << " accesses";
  for (const int id : step.accesses) out << " " << id;
  out << " messages";
  for (const int id : step.messages) out << " " << id;
}

void print_step(std::ostream& out, const Step& step) {
  out << word(kStepWords, step.kind);
  switch (step.kind) {
    case StepKind::kOpen:
      out << " " << step.file << " " << letters(step.mode);
      for (const auto& [key, value] : step.hints) out << " " << key << "=" << value;
      break;
    case StepKind::kView:
      out << " " << step.file;
      print_by_rank(out, step.views);
      break;
    case StepKind::kSeek:
      out << " " << step.file << " " << word(kWhenceWords, step.whence);
      print_ranks(out, step.ranks);
      print_by_rank(out, step.shares);
      break;
    case StepKind::kAccess: print_access(out, step); break;
    case StepKind::kJoin:
      out << " " << step.id;
      print_ranks(out, step.ranks);
      break;
    case StepKind::kComplete: print_complete(out, step); break;
    case StepKind::kEnd:
    case StepKind::kIsend:
    case StepKind::kIrecv:
    case StepKind::kSend:
    case StepKind::kRecv:
    case StepKind::kExchange: out << " " << step.id; break;
    case StepKind::kBarrier: out << " " << step.number; break;
    case StepKind::kClose:
    case StepKind::kSync:
    case StepKind::kAsk: out << " " << step.file; break;
    default: out << " " << step.file << " " << step.number;
  }
}

}  // namespace

std::string print(const Program& program) {
  std::ostringstream out;
  out << "program seed " << program.seed << " ranks " << program.ranks << " ranks_per_node " << program.ranks_per_node
      << " " << (program.eager ? "eager" : "rendezvous") << " " << word(kLevelWords, program.level) << "\n";
  for (const Communicator& communicator : program.communicators) {
    out << "comm " << word(kCommunicatorWords, communicator.kind);
    for (const int colour : communicator.colours) out << " " << colour;
    out << "\n";
  }
  for (const FileSpec& file : program.files) out << "file " << file.communicator << " " << file.initial_bytes << "\n";
  for (const Message& m : program.messages) out << "message " << m.from << " " << m.to << " " << m.bytes << "\n";
  for (const PlannedFault& fault : program.faults) {
    out << "fault " << fault.rank << " " << (fault.on_write ? "write" : "read") << " " << fault.call << " "
        << fault.error_number << "\n";
  }
  for (const Step& step : program.steps) {
    print_step(out, step);
    out << "\n";
  }
  return out.str();
}

std::string print(const Step& step) {
  std::ostringstream out;
  print_step(out, step);
  return out.str();
}

}  // namespace weir::programs

#include "programs/interpret.h"

#include "programs/text.h"
#include "programs/types.h"

namespace weir::programs {

namespace {

constexpr std::uint8_t kGuard = 0xee;  // in the gaps of buffers

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class Interpreter {
 public:
  Interpreter(const Program& program, int rank, Backend& backend)
      : program_(program),
        rank_(rank),
        backend_(backend),
        shares_pointer_(uses_shared_pointers(program)),
        etypes_(program.files.size(), 1) {}

  void step(int number, const Step& step) {
    switch (step.kind) {
      case StepKind::kOpen: etypes_[at(step.file)] = 1; return must(step, backend_.open(step));
      case StepKind::kClose: return must(step, backend_.close(step.file));
      case StepKind::kView:
        etypes_[at(step.file)] = step.views[at(rank_)].etype_bytes;
        return must(step, backend_.set_view(step.file, step.views[at(rank_)]));
      case StepKind::kSeek: return must(step, backend_.seek(step.file, step.shares[at(rank_)].offset, step.whence));
      case StepKind::kSeekShared: return must(step, backend_.seek_shared(step.file, step.number));
      case StepKind::kAccess: return access(step);
      case StepKind::kJoin: return access(*find_access(program_, step.id));
      case StepKind::kEnd: return end(step);
      case StepKind::kComplete: return complete(step);
      case StepKind::kBarrier: return backend_.barrier(static_cast<int>(step.number));
      case StepKind::kSync: return must(step, backend_.sync(step.file));
      case StepKind::kSettle: return settle(step);
      case StepKind::kSetSize: return must(step, backend_.set_size(step.file, step.number));
      case StepKind::kPreallocate: return must(step, backend_.preallocate(step.file, step.number));
      case StepKind::kAtomic: return must(step, backend_.set_atomic(step.file, step.number != 0));
      case StepKind::kAsk: return ask(number, step);
      default: message(step);
    }
  }

  Record finish() {
    for (auto& [id, buffer] : buffers_) record_.accesses[id].buffer = std::move(buffer);
    for (const auto& [id, buffer] : received_) check_message(id, buffer);
    return std::move(record_);
  }

 private:
  void must(const Step& step, const Outcome& outcome) {
    if (outcome.error != 0) record_.complaints.push_back(print(step) + ": " + outcome.text);
  }

  void settle(const Step& step) {
    if (step.number == 0) must(step, backend_.sync(step.file));
    backend_.barrier(program_.files[at(step.file)].communicator);
    if (step.number == 0) must(step, backend_.sync(step.file));
  }

  void access(const Step& step) {
    const Share& share = step.shares[at(rank_)];
    const std::int64_t etype = etypes_[at(step.file)];
    Buffer& buffer = buffers_[step.id];
    buffer.assign(static_cast<std::size_t>(memory_bytes(share.memory, etype, share.count)), kGuard);
    if (step.direction == Direction::kWrite) {
      std::int64_t position = 0;
      for (const Extent& piece : memory_pieces(share.memory, etype, share.count)) {
        for (std::int64_t i = piece.begin; i < piece.end; ++i) {
          buffer[static_cast<std::size_t>(i)] = value_of(program_.seed, origin(step.id, rank_, position++));
        }
      }
    }
    record_.accesses[step.id].outcome = backend_.access(step, buffer);
  }

  void end(const Step& step) {
    const Step& access = *find_access(program_, step.id);
    if (contains(access.ranks, rank_)) keep(step.id, backend_.end(access));
  }

  void complete(const Step& step) {
    for (const auto& [id, outcome] : backend_.complete(step)) keep(id, outcome);
  }

  // The first error of an access counts: of its begin, or of its end.
  void keep(int id, const Outcome& outcome) {
    Outcome& kept = record_.accesses[id].outcome;
    if (kept.error == 0) kept = outcome;
  }

  void ask(int number, const Step& step) {
    Record::Answers& answers = record_.answers[number];
    const auto get = [&](const Outcome& outcome) {
      must(step, outcome);
      return outcome.moved_bytes;
    };
    answers.size = get(backend_.size(step.file));
    answers.position = get(backend_.position(step.file));
    if (shares_pointer_) answers.shared_position = get(backend_.shared_position(step.file));
    backend_.barrier(program_.files[at(step.file)].communicator);
  }

  Buffer payload(int id) const {
    const Message& message = program_.messages[at(id)];
    Buffer data(static_cast<std::size_t>(message.bytes));
    for (std::size_t i = 0; i < data.size(); ++i) {
      data[i] = value_of(program_.seed, origin(kFirstMessageId + id, message.from, static_cast<std::int64_t>(i)));
    }
    return data;
  }

  void message(const Step& step) {
    const Message& message = program_.messages[at(step.id)];
    const bool exchange = step.kind == StepKind::kExchange;
    if (step.kind == StepKind::kIsend) backend_.isend(step.id, sent_[step.id] = payload(step.id));
    if (step.kind == StepKind::kSend || (exchange && message.from == rank_)) backend_.send(step.id, payload(step.id));
    if (step.kind != StepKind::kIrecv && step.kind != StepKind::kRecv && !(exchange && message.to == rank_)) return;
    Buffer& data = received_[step.id];
    data.assign(static_cast<std::size_t>(message.bytes), kGuard);
    step.kind == StepKind::kIrecv ? backend_.irecv(step.id, data) : backend_.recv(step.id, data);
  }

  void check_message(int id, const Buffer& data) {
    if (data != payload(id)) record_.complaints.push_back("message " + std::to_string(id) + " has other contents");
  }

  const Program& program_;
  int rank_;
  Backend& backend_;
  bool shares_pointer_;
  std::vector<std::int64_t> etypes_;  // by file
  std::map<int, Buffer> buffers_;     // by access
  std::map<int, Buffer> sent_;        // by message
  std::map<int, Buffer> received_;
  Record record_;
};

// The first difference between what was read and what should have been.
class DataCheck {
 public:
  DataCheck(const Program& program, const Model& model, const Expected& expected, const Buffer& buffer)
      : program_(program), zero_holes_(model.zero_holes()), expected_(expected), buffer_(buffer) {}

  std::string run(const std::vector<Extent>& pieces, std::int64_t moved) {
    std::int64_t position = 0;
    std::vector<bool> may_change(buffer_.size(), false);
    for (const Extent& piece : pieces) {
      for (std::int64_t i = piece.begin; i < piece.end; ++i, ++position) {
        may_change[static_cast<std::size_t>(i)] = true;
        if (position >= moved || position >= std::ssize(expected_.data)) continue;
        std::string text = compare(position, buffer_[static_cast<std::size_t>(i)]);
        if (!text.empty()) return text;
      }
    }
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
      if (!may_change[i] && buffer_[i] != kGuard) return "byte " + std::to_string(i) + " of a gap in memory changed";
    }
    return "";
  }

  std::string compare(std::int64_t position, std::uint8_t found) const {
    const Origin wanted = expected_.data[static_cast<std::size_t>(position)];
    if (wanted == kUnwritten && !zero_holes_) return "";
    if (wanted == kUnknown || found == value_of(program_.seed, wanted)) return "";
    const auto any = expected_.alternatives.find(position);
    if (any != expected_.alternatives.end()) {
      for (const Origin other : any->second) {
        if (found == value_of(program_.seed, other)) return "";
      }
    }
    return "byte " + std::to_string(position) + " is " + std::to_string(found) + ", not " +
           std::to_string(value_of(program_.seed, wanted)) + " (" + describe_origin(wanted) + ")";
  }

 private:
  const Program& program_;
  bool zero_holes_;
  const Expected& expected_;
  const Buffer& buffer_;
};

void compare_answer(std::vector<std::string>& complaints, const std::string& what,
                    const std::optional<std::int64_t>& expected, std::int64_t found) {
  if (!expected || *expected == found) return;
  complaints.push_back(what + " is " + std::to_string(found) + ", not " + std::to_string(*expected));
}

// Views in force at each access: the etypes that buffers are counted in.
std::map<int, std::int64_t> etypes_of_accesses(const Program& program, int rank) {
  std::vector<std::int64_t> now(program.files.size(), 1);
  std::map<int, std::int64_t> etypes;
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::kOpen) now[at(step.file)] = 1;
    if (step.kind == StepKind::kView) now[at(step.file)] = step.views[at(rank)].etype_bytes;
    if (step.kind == StepKind::kAccess) etypes[step.id] = now[at(step.file)];
  }
  return etypes;
}

}  // namespace

Record interpret(const Program& program, int rank, Backend& backend, volatile int& current_step) {
  Interpreter interpreter(program, rank, backend);
  for (int i = 0; i < static_cast<int>(program.steps.size()); ++i) {
    const Step& step = program.steps[at(i)];
    current_step = i;
    if (contains(ranks_of(program, step), rank)) interpreter.step(i, step);
  }
  return interpreter.finish();
}

std::vector<std::string> complaints_of(const Program& program, const Model& model, int rank, const Record& record) {
  std::vector<std::string> complaints = record.complaints;
  const std::map<int, std::int64_t> etypes = etypes_of_accesses(program, rank);
  for (const auto& [id, seen] : record.accesses) {
    const std::string name = "access " + std::to_string(id) + ": ";
    const Step& step = *find_access(program, id);
    const Expected& expected = model.expected().at({id, rank});
    const Share& share = step.shares[at(rank)];
    if (seen.outcome.error != 0) {
      if (program.faults.empty()) complaints.push_back(name + seen.outcome.text);
      continue;
    }
    const std::int64_t moved = seen.outcome.moved_bytes;
    if (expected.certain ? moved != expected.moved : moved > expected.requested) {
      complaints.push_back(name + "moved " + std::to_string(moved) + " bytes, not " + std::to_string(expected.moved));
    }
    if (step.direction == Direction::kWrite) continue;
    const auto pieces = memory_pieces(share.memory, etypes.at(id), share.count);
    const std::string difference = DataCheck(program, model, expected, seen.buffer).run(pieces, moved);
    if (!difference.empty()) complaints.push_back(name + difference);
  }
  for (const auto& [number, seen] : record.answers) {
    const ExpectedAnswers& expected = model.answers().at({number, rank});
    const std::string name = "step " + std::to_string(number) + ": ";
    compare_answer(complaints, name + "the size", expected.size, seen.size);
    compare_answer(complaints, name + "the position", expected.position, seen.position);
    if (!uses_shared_pointers(program)) continue;
    compare_answer(complaints, name + "the shared position", expected.shared_position, seen.shared_position);
  }
  return complaints;
}

std::vector<std::string> complaints_about_file(const Program& program, const Model& model, int file, int colour,
                                               const Buffer* bytes) {
  const FileState& state = model.file(file, colour);
  const std::string name = "file " + file_name(file, colour) + " at the end: ";
  if (!state.exists) return bytes == nullptr ? std::vector<std::string>{} : std::vector{name + "it still exists"};
  if (bytes == nullptr) return {name + "it is gone"};
  std::vector<std::string> complaints;
  if (!state.loose) compare_answer(complaints, name + "the size", state.contents.size(), std::ssize(*bytes));
  Expected expected;
  expected.data = state.contents.bytes();
  expected.alternatives = state.contents.alternatives();
  const std::int64_t end = std::min(std::ssize(*bytes), state.contents.size());
  const DataCheck check(program, model, expected, *bytes);
  for (std::int64_t i = 0; i < end; ++i) {
    const std::string difference = check.compare(i, (*bytes)[static_cast<std::size_t>(i)]);
    if (difference.empty()) continue;
    complaints.push_back(name + difference);
    break;
  }
  return complaints;
}

Failures failures_in(const Program& program, const std::vector<Record>& records, std::vector<std::string>& complaints) {
  Failures failures;
  for (int rank = 0; rank < program.ranks; ++rank) {
    for (const auto& [id, seen] : records[at(rank)].accesses) {
      const Step& step = *find_access(program, id);
      const Communicator& communicator = program.communicator_of(step.file);
      if (seen.outcome.error != 0) failures.emplace(id, communicator.colours[at(rank)]);
      if (!step.collective) continue;
      const int first = communicator.members(communicator.colours[at(rank)]).front();
      const auto other = records[at(first)].accesses.find(id);
      if (other != records[at(first)].accesses.end() && other->second.outcome.error == seen.outcome.error) continue;
      complaints.push_back("access " + std::to_string(id) + ": rank " + std::to_string(rank) + " and rank " +
                           std::to_string(first) + " see different errors (" + seen.outcome.text + ")");
    }
  }
  return failures;
}

Buffer initial_contents(const Program& program, int file, int colour) {
  const std::int64_t bytes = program.files[at(file)].initial_bytes;
  Buffer contents(static_cast<std::size_t>(std::max<std::int64_t>(0, bytes)));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    contents[i] = value_of(program.seed, origin(kInitialId, colour, static_cast<std::int64_t>(i)));
  }
  return contents;
}

}  // namespace weir::programs

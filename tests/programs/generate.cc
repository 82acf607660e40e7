#include "programs/generate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "programs/generator.h"
#include "programs/text.h"

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Generator::Generator(std::uint64_t seed, const Knobs& knobs) : knobs_(knobs), random_(seed) {
  program_.seed = seed;
  program_.level = knobs.level;
  program_.ranks = knobs.ranks != 0     ? knobs.ranks
                   : random_.one_in(12) ? 1
                                        : random_.pick_int(2, random_.one_in(3) ? 8 : 5);
  program_.ranks_per_node = random_.one_of({0, 1, 2, 2, 4});
  program_.eager = random_.one_in(2);
  const std::int64_t usual = random_.one_in(30)  ? 1 << 19
                             : random_.one_in(8) ? 1 << 16
                                                 : random_.one_of({1 << 10, 1 << 13});
  file_bytes_ = std::max<std::int64_t>(256, usual * knobs.size_percent / 100);
  for (int i = random_.pick_int(1, 3); i > 0; --i) {
    program_.communicators.push_back(draw_communicator(random_, program_.ranks, program_.communicators.empty()));
  }
  for (int i = random_.one_in(2) ? 1 : random_.pick_int(1, knobs.most_files); i > 0; --i) {
    const int last = static_cast<int>(program_.communicators.size()) - 1;
    const std::int64_t initial = random_.one_in(3) ? random_.pick(0, file_bytes_) : -1;
    program_.files.push_back({random_.one_in(2) ? 0 : random_.pick_int(0, last), initial});
  }
  if (knobs.faults) {
    for (int i = random_.pick_int(1, 2); i > 0; --i) {
      program_.faults.push_back({random_.pick_int(0, program_.ranks - 1), !random_.one_in(3), random_.pick(0, 12),
                                 random_.one_in(2) ? 5 : 28});
    }
  }
  model_.emplace(program_, ModelOptions{.keep_data = false});
}

Program Generator::run() {
  for (int f = 0; f < file_count(); ++f) open(f, true);
  const int actions = random_.pick_int(3, std::max(3, knobs_.most_actions));
  for (int i = 0; i < actions; ++i) act();
  finish();
  const std::string reason = model_->why_not_end();
  if (!reason.empty()) {
    std::fprintf(stderr, "the generator made an illegal program: %s\n%s", reason.c_str(), print(program_).c_str());
    std::abort();
  }
  return program_;
}

bool Generator::emit(Step step) {
  if (!model_->why_not(step).empty()) return false;
  model_->apply(step);
  program_.steps.push_back(std::move(step));
  return true;
}

void Generator::must(Step step) {
  const std::string reason = model_->why_not(step);
  if (!reason.empty()) {
    std::fprintf(stderr, "the generator cannot go on: %s\n%s%s\n", reason.c_str(), print(program_).c_str(),
                 print(step).c_str());
    std::abort();
  }
  emit(std::move(step));
}

void Generator::act() {
  const int file = random_.pick_int(0, file_count() - 1);
  const std::int64_t choice = random_.pick(0, 99);
  if (choice < 15) return view(file);
  if (choice < 62) return access(file);
  if (choice < 74) return message();
  if (choice < 82) return complete_some();
  if (choice < 88) return ask(file);
  if (choice < 91) return seek(file);
  if (choice < 93) return resize(file);
  if (choice < 95) return atomic(file);
  if (choice < 97) return reopen(file);
  if (choice < 98) {
    complete_file(file);
    emit({.kind = StepKind::kSync, .file = file});
    return;
  }
  emit({.kind = StepKind::kBarrier,
        .number = random_.pick(0, static_cast<std::int64_t>(program_.communicators.size()) - 1)});
}

void Generator::open(int file, bool is_first) {
  const FileState& state = model_->file(file, 0);
  Mode mode;
  if (!is_first && random_.one_in(3)) (random_.one_in(2) ? mode.reads : mode.writes) = false;
  if (is_first && random_.one_in(12)) mode.reads = false;
  if (!state.exists && !mode.writes) mode.writes = true;
  mode.create = mode.writes && (!state.exists || random_.one_in(3));
  mode.exclusive = !state.exists && random_.one_in(4);
  mode.delete_on_close = random_.one_in(12);
  mode.unique_open = random_.one_in(8);
  mode.append = !knobs_.faults && random_.one_in(8);
  Hints hints = knobs_.hints ? draw_hints(random_) : Hints{};
  // What agents write behind fails in another call than the one that wrote.
  if (knobs_.hints && !knobs_.faults && random_.one_in(3)) draw_agent_hints(random_, hints);
  must({.kind = StepKind::kOpen, .file = file, .mode = mode, .hints = std::move(hints)});
}

void Generator::reopen(int file) {
  complete_file(file);
  must({.kind = StepKind::kClose, .file = file});
  must({.kind = StepKind::kBarrier, .number = 0});
  open(file, false);
}

void Generator::view(int file) {
  complete_file(file);
  const ViewLimits limits = {file_bytes_ / 4, knobs_.empty_views};
  must({.kind = StepKind::kView, .file = file, .views = draw_views(random_, program_.communicator_of(file), limits)});
}

void Generator::ask(int file) {
  if (random_.one_in(2)) settle(file);
  must({.kind = StepKind::kAsk, .file = file});
}

void Generator::settle(int file) {
  complete_file(file);
  const FileState& state = model_->file(file, 0);
  const bool barrier_is_enough = state.atomic || !state.mode.writes;
  const bool barrier = barrier_is_enough && (!state.mode.writes || random_.one_in(2));
  must({.kind = StepKind::kSettle, .file = file, .number = barrier ? 1 : 0});
}

void Generator::resize(int file) {
  if (!model_->file(file, 0).mode.writes) return;
  settle(file);
  const StepKind kind = random_.one_in(2) ? StepKind::kSetSize : StepKind::kPreallocate;
  must({.kind = kind, .file = file, .number = random_.one_in(6) ? 0 : random_.pick(0, file_bytes_)});
  settle(file);
}

void Generator::atomic(int file) {
  if (!knobs_.atomic) return;
  complete_file(file);
  must({.kind = StepKind::kAtomic, .file = file, .number = model_->file(file, 0).atomic ? 0 : 1});
}

void Generator::seek(int file) {
  Step step = {.kind = StepKind::kSeek, .file = file, .ranks = random_.some_of(program_.everyone())};
  step.shares.resize(at(program_.ranks));
  step.whence = static_cast<Whence>(random_.pick(0, knobs_.faults ? 1 : 2));
  for (Share& share : step.shares) share.offset = random_.pick(step.whence == Whence::kSet ? 0 : -20, 40);
  emit(step);
}

Way Generator::draw_way() {
  const int last = static_cast<int>(knobs_.tests ? Way::kTestall : Way::kWaitsome);
  return static_cast<Way>(random_.pick(0, last));
}

// One message goes one step further, or a new one begins.
void Generator::message() {
  if (program_.ranks < 2) return;
  if (random_.one_in(2)) {
    for (int id = 0; id < static_cast<int>(program_.messages.size()); ++id) {
      if (advance_message(id)) return;
    }
  }
  const int from = random_.pick_int(0, program_.ranks - 1);
  const int to = (from + random_.pick_int(1, program_.ranks - 1)) % program_.ranks;
  const auto bytes = random_.one_of<std::int64_t>({0, 8, 100, 4096, 70000, 1 << 18});
  const int id = static_cast<int>(program_.messages.size());
  program_.messages.push_back({from, to, bytes});
  must({.kind = random_.one_of({StepKind::kIsend, StepKind::kIsend, StepKind::kIrecv, StepKind::kExchange}), .id = id});
}

bool Generator::advance_message(int id) {
  const Model::MessageState state = model_->message_state(id);
  if (state.sent && !state.received) {
    must({.kind = random_.one_in(3) ? StepKind::kIrecv : StepKind::kRecv, .id = id});
    return true;
  }
  if (state.received && !state.sent) {
    must({.kind = random_.one_in(3) ? StepKind::kIsend : StepKind::kSend, .id = id});
    return true;
  }
  if (!state.send_pending && !state.receive_pending) return false;
  must({.kind = StepKind::kComplete, .ranks = program_.everyone(), .messages = {id}, .way = draw_way()});
  return true;
}

// Some ranks complete some of what can be completed, in any way.
void Generator::complete_some() {
  Step step = {.kind = StepKind::kComplete, .way = draw_way()};
  step.ranks = random_.one_in(2) ? program_.everyone() : random_.some_of(program_.everyone());
  for (const int id : model_->pending()) {
    const Step* access = find_access(program_, id);
    if (access->manner == Manner::kSplit) {
      if (random_.one_in(2)) must({.kind = StepKind::kEnd, .id = id});
    } else if (random_.one_in(2) && model_->missing_on(id) == 0) {
      step.accesses.push_back(id);
    }
  }
  for (int id = 0; id < static_cast<int>(program_.messages.size()); ++id) {
    const Model::MessageState state = model_->message_state(id);
    const bool pending = state.send_pending || state.receive_pending;
    if (pending && state.sent && state.received && random_.one_in(2)) step.messages.push_back(id);
  }
  emit(std::move(step));
}

// Everything of the file is completed.
void Generator::complete_file(int file) {
  Step step = {.kind = StepKind::kComplete, .ranks = program_.everyone()};
  step.way = draw_way();
  for (const int id : model_->pending(file)) {
    if (find_access(program_, id)->manner == Manner::kSplit) {
      must({.kind = StepKind::kEnd, .id = id});
    } else {
      step.accesses.push_back(id);
    }
  }
  if (random_.one_in(2)) std::reverse(step.accesses.begin(), step.accesses.end());
  if (!step.accesses.empty()) must(std::move(step));
}

void Generator::finish() {
  for (int file = 0; file < file_count(); ++file) {
    complete_file(file);
    if (random_.one_in(2)) {
      settle(file);
      must({.kind = StepKind::kAsk, .file = file});
    }
    must({.kind = StepKind::kClose, .file = file});
  }
  for (int id = 0; id < static_cast<int>(program_.messages.size()); ++id) {
    while (advance_message(id)) {
    }
  }
}

Program generate(std::uint64_t seed, const Knobs& knobs) { return Generator(seed, knobs).run(); }

}  // namespace weir::programs

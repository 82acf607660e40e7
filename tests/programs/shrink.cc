#include "programs/shrink.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "programs/edit.h"
#include "programs/model.h"

namespace weir::programs {

namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails, const ShrinkOptions& options)
      : best_(std::move(program)), fails_(fails), options_(options) {}

  Program run() {
    for (bool smaller = true; smaller && !out_of_runs();) {
      smaller = drop_files();
      smaller |= drop_ranks();
      smaller |= drop_accesses();
      smaller |= drop_messages();
      smaller |= drop_steps();
      smaller |= simplify_accesses();
      smaller |= simplify_shares();
      smaller |= simplify_steps();
      smaller |= simplify_program();
      smaller |= keep(without_unused(best_));
    }
    return best_;
  }

 private:
  bool out_of_runs() const { return runs_ >= options_.most_runs || options_.enough(); }

  // Whether the candidate is the best one from now on.
  bool keep(Program candidate) {
    if (candidate == best_ || out_of_runs() || !why_illegal(candidate).empty()) return false;
    ++runs_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    if (options_.tell) options_.tell(best_);
    return true;
  }

  bool edit(const auto& change) {
    Program candidate = best_;
    change(candidate);
    return keep(std::move(candidate));
  }

  bool edit_step(std::size_t index, const auto& change) {
    return edit([&](Program& program) { change(program.steps[index]); });
  }

  bool drop_files() {
    bool any = false;
    for (int file = static_cast<int>(best_.files.size()) - 1; file >= 0 && best_.files.size() > 1; --file) {
      any |= keep(without_file(best_, file));
    }
    return any;
  }

  bool drop_ranks() {
    bool any = false;
    for (int rank = best_.ranks - 1; rank >= 0 && best_.ranks > 1; --rank) any |= keep(without_rank(best_, rank));
    return any;
  }

  std::vector<int> access_ids() const {
    std::vector<int> ids;
    for (const Step& step : best_.steps) {
      if (step.kind == StepKind::kAccess) ids.push_back(step.id);
    }
    return ids;
  }

  // Halves first, then smaller groups.
  bool drop_accesses() {
    bool any = false;
    for (std::size_t group = std::max<std::size_t>(access_ids().size() / 2, 1); group >= 1; group /= 2) {
      const std::vector<int> ids = access_ids();
      for (std::size_t end = ids.size(); end > 0; end -= std::min(group, end)) {
        Program candidate = best_;
        for (std::size_t i = end - std::min(group, end); i < end; ++i) candidate = without_access(candidate, ids[i]);
        any |= keep(std::move(candidate));
      }
    }
    return any;
  }

  bool drop_messages() {
    bool any = false;
    for (int id = static_cast<int>(best_.messages.size()) - 1; id >= 0; --id) any |= keep(without_message(best_, id));
    return any;
  }

  bool drop_steps() {
    bool any = false;
    for (const std::size_t group : {std::size_t{8}, std::size_t{3}, std::size_t{2}, std::size_t{1}}) {
      for (std::size_t i = best_.steps.size(); i-- > 0;) {
        if (i < best_.steps.size()) any |= keep(without_steps(best_, i, group));
      }
    }
    return any;
  }

  bool simplify_accesses() {
    bool any = false;
    for (const int id : access_ids()) any |= keep(with_blocking(best_, id));
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      const StepKind kind = best_.steps[i].kind;
      if (kind == StepKind::kAccess) {
        any |= edit_step(i, [](Step& step) { step.pointer = Pointer::kExplicit; });
        any |= edit_step(i, [](Step& step) { step.overlaps = false; });
      }
      if (kind == StepKind::kComplete) {
        any |= edit_step(i, [](Step& step) { step.way = Way::kWaitall; });
        any |= edit([&](Program& program) { program.steps[i].ranks = program.everyone(); });
      }
    }
    return any;
  }

  // One change to the shares of all ranks, or else of single ones.
  bool edit_shares(std::size_t index, const auto& change) {
    bool any = edit_step(index, [&](Step& step) {
      for (Share& share : step.shares) change(share);
    });
    for (std::size_t rank = 0; !any && rank < best_.steps[index].shares.size(); ++rank) {
      any |= edit_step(index, [&](Step& step) { change(step.shares[rank]); });
    }
    return any;
  }

  bool simplify_shares() {
    bool any = false;
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      if (best_.steps[i].kind != StepKind::kAccess && best_.steps[i].kind != StepKind::kSeek) continue;
      any |= edit_shares(i, [](Share& share) { share.memory = {}; });
      any |= edit_shares(i, [](Share& share) { share = {.offset = share.offset}; });
      any |= edit_shares(i, [](Share& share) { share.offset = 0; });
      any |= edit_shares(i, [](Share& share) {
        if (share.count > 1) share = {.offset = share.offset, .count = share.count / 2};
      });
      any |= edit_shares(i, [](Share& share) {
        if (share.count > 1) share = {.offset = share.offset, .count = share.count - 1};
      });
    }
    return any;
  }

  bool simplify_steps() {
    bool any = false;
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      for (std::size_t hint = best_.steps[i].hints.size(); hint-- > 0;) {
        any |=
            edit_step(i, [&](Step& step) { step.hints.erase(step.hints.begin() + static_cast<std::ptrdiff_t>(hint)); });
      }
      if (best_.steps[i].kind == StepKind::kOpen) any |= simplify_mode(i);
      if (best_.steps[i].kind == StepKind::kView) any |= simplify_views(i);
    }
    return any;
  }

  bool simplify_mode(std::size_t index) {
    bool any = false;
    for (bool Mode::*flag : {&Mode::append, &Mode::unique_open, &Mode::delete_on_close, &Mode::exclusive}) {
      any |= edit_step(index, [&](Step& step) { step.mode.*flag = false; });
    }
    return any | edit_step(index, [](Step& step) { step.mode.reads = step.mode.writes = true; });
  }

  bool edit_views(std::size_t index, const auto& change) {
    return edit_step(index, [&](Step& step) {
      for (View& view : step.views) change(view);
    });
  }

  bool simplify_views(std::size_t index) {
    bool any = edit_views(index, [](View& view) { view = {}; });
    any |= edit_views(index, [](View& view) {
      view = {view.displacement, view.etype_bytes, View::Kind::kPlain, {}, 1};
    });
    any |= edit_views(index, [](View& view) { view.etype_bytes = 1; });
    any |= edit_views(index, [](View& view) {
      if (view.kind != View::Kind::kVector || view.numbers[0] == 1) return;
      view.numbers[0] = view.numbers[0] / 2;
      view.extent = view.numbers[0] * view.numbers[2];
    });
    any |= edit_views(index, [](View& view) {
      if (view.kind == View::Kind::kIndexed && view.numbers.size() > 2) view.numbers.resize(view.numbers.size() - 2);
    });
    return any;
  }

  bool simplify_program() {
    bool any = edit([](Program& program) { program.ranks_per_node = 0; });
    any |= edit([](Program& program) { program.eager = true; });
    any |= edit([](Program& program) { program.faults.clear(); });
    for (std::size_t i = 0; i < best_.files.size(); ++i) {
      any |= edit([&](Program& program) { program.files[i].initial_bytes /= 2; });
      any |= edit([&](Program& program) { program.files[i].communicator = 0; });
    }
    for (std::size_t i = 0; i < best_.messages.size(); ++i) {
      any |= edit([&](Program& program) { program.messages[i].bytes = 0; });
    }
    return any;
  }

  Program best_;
  const std::function<bool(const Program&)>& fails_;
  const ShrinkOptions& options_;
  int runs_ = 0;
};

}  // namespace

Program shrink(const Program& program, const std::function<bool(const Program&)>& fails, const ShrinkOptions& options) {
  return Shrinker(program, fails, options).run();
}

}  // namespace weir::programs

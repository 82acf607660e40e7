#include "capture/capture.h"

namespace weir::capture {

namespace {

// Where the entries of one table have come to in another.
template <typename T>
std::vector<int> join_tables(std::vector<T>& all, const std::vector<T>& one) {
  std::vector<int> numbers;
  for (const T& entry : one) numbers.push_back(number_of(all, entry));
  return numbers;
}

int moved(const std::vector<int>& numbers, int number) {
  return number == kNothing ? kNothing : numbers[static_cast<std::size_t>(number)];
}

bool equal_but_for_place(const Op& a, const Op& b) {
  return a.direction == b.direction && a.positioning == b.positioning && a.manner == b.manner &&
         a.collective == b.collective && a.file == b.file && a.what == b.what && a.first == b.first;
}

}  // namespace

void append(std::vector<Op>& program, const Op& op) {
  if (!program.empty()) {
    Op& last = program.back();
    const bool alike = last.kind == OpKind::kAccess && op.kind == OpKind::kAccess && equal_but_for_place(last, op);
    const std::int64_t step = last.count == 1 ? op.place - last.place : last.step;
    if (alike && op.place == last.place + step * last.count) {
      last.step = step;
      last.count += 1;
      last.before += op.before;
      last.inside += op.inside;
      return;
    }
  }
  program.push_back(op);
}

void join(Capture& all, const Capture& one) {
  all.made_by = one.made_by;
  all.ranks = one.ranks;
  const std::vector<int> structures = join_tables(all.structures, one.structures);
  const std::vector<int> hints = join_tables(all.hints, one.hints);
  const std::vector<int> groups = join_tables(all.groups, one.groups);
  std::vector<int> opens;
  for (Open open : one.opens) {
    open.ranks = moved(groups, open.ranks);
    open.hints = moved(hints, open.hints);
    opens.push_back(number_of(all.opens, open));
  }
  std::vector<Op> program = one.programs.front();
  for (Op& op : program) {
    if (op.kind == OpKind::kOpen) op.what = moved(opens, op.what);
    if (op.kind == OpKind::kSetView || op.kind == OpKind::kAccess) op.what = moved(structures, op.what);
    if (op.kind == OpKind::kSetInfo) op.what = moved(hints, op.what);
  }
  all.programs.push_back(std::move(program));
}

}  // namespace weir::capture

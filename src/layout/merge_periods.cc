#include "layout/merge_periods.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "layout/checked.h"
#include "layout/layout_builder.h"
#include "layout/merge.h"
#include "layout/node.h"
#include "layout/part.h"
#include "layout/query.h"

namespace weir::layout {
namespace {

std::int64_t width(const Layout& layout) { return layout.span().bytes(); }

// The distance of a layout's copies or pieces; 0 when it is neither a run nor a repeat, or one piece.
std::int64_t stride_of(const Layout& layout) {
  switch (layout.root()->kind) {
    case NodeKind::kRun: return as<RunNode>(*layout.root()).stride;
    case NodeKind::kRepeat: return as<RepeatNode>(*layout.root()).stride;
    default: return 0;
  }
}

// One of the copies or pieces of a run or repeat, at offset 0.
Layout copy_of(const Layout& layout) {
  const Node& root = *layout.root();
  if (root.kind == NodeKind::kRun) return Layout::contiguous(as<RunNode>(root).length);
  return LayoutBuilder::placed(0, shared_child(root, 0));
}

// 0 when it cannot be expressed.
std::int64_t common_multiple(std::int64_t a, std::int64_t b) {
  const Checked multiple = Checked(a / std::gcd(a, b)) * b;
  return multiple.ok() ? multiple.value() : 0;
}

// A distance after which all layouts that are wider repeat themselves: the greatest of their strides, or a multiple.
// One piece repeats itself at every distance. 0 when there is none, or no layout is wider.
std::int64_t common_period(std::span<const Layout> layouts) {
  std::int64_t period = 0;
  for (const Layout& layout : layouts) period = std::max(period, stride_of(layout));
  bool wider = false;
  for (const Layout& layout : layouts) {
    if (period == 0) return 0;
    if (layout.is_contiguous() || width(layout) <= period) continue;
    if (stride_of(layout) == 0) return 0;
    period = common_multiple(period, stride_of(layout));
  }
  for (const Layout& layout : layouts) wider |= !layout.is_contiguous() && width(layout) > period;
  return wider ? period : 0;
}

// Layouts seen in periods: which bytes each period has of them. Offsets count from the origin.
class Periods {
 public:
  Periods(std::int64_t origin, std::int64_t period) : origin_(origin), period_(period) {}

  // REQUIRES: does not begin before the origin; narrower than a period, one piece, or a run or repeat whose stride
  // divides the period.
  void add(const Layout& layout);

  // How many parts have to be merged, in all stretches of equal periods together.
  std::int64_t cost();
  void merge_into(PartJoiner& out);

 private:
  // In each of the periods [first, end): these bytes, relative to the begin of the period.
  struct Part {
    std::int64_t first;
    std::int64_t end;
    Layout bytes;
  };

  void add_piece(Extent piece);
  void place(std::int64_t offset, std::int64_t count, const Layout& copy);
  void settle_bounds();
  void add_stretch(std::int64_t first, std::int64_t count, const Layout& bytes, PartJoiner& out) const;
  void add_closed_stretch(std::int64_t first, std::int64_t count, const Layout& bytes, PartJoiner& out) const;

  std::int64_t origin_;
  std::int64_t period_;
  std::vector<Part> parts_;
  std::vector<std::int64_t> bounds_;  // periods in which a part begins or has ended
};

void Periods::add(const Layout& layout) {
  const std::int64_t offset = layout.first() - origin_;
  const std::int64_t stride = stride_of(layout);
  if (layout.is_contiguous()) return add_piece({offset, offset + layout.data_bytes()});
  if (stride == period_) return place(offset, entry_count(*layout.root()), copy_of(layout));
  if (width(layout) <= period_) return place(offset, 1, layout.shifted(-layout.first()));
  const std::int64_t copies = entry_count(*layout.root());
  const std::int64_t in_a_period = period_ / stride;
  const std::int64_t whole = copies / in_a_period;
  const Layout copy = copy_of(layout);
  if (whole > 0) place(offset, whole, Layout::repeat(in_a_period, stride, copy));
  const Layout rest = Layout::repeat(copies % in_a_period, stride, copy);
  if (!rest.empty()) place(offset + whole * period_, 1, rest);
}

void Periods::add_piece(Extent piece) {
  const std::int64_t first = piece.begin / period_;
  const std::int64_t last = (piece.end - 1) / period_;
  const std::int64_t inner = piece.begin - first * period_;
  if (first == last) {
    parts_.push_back({first, first + 1, Layout::contiguous(piece.bytes()).shifted(inner)});
    return;
  }
  const std::int64_t whole_begin = inner == 0 ? first : first + 1;
  const std::int64_t whole_end = piece.end / period_;
  if (inner != 0) parts_.push_back({first, first + 1, Layout::contiguous(period_ - inner).shifted(inner)});
  if (whole_begin < whole_end) parts_.push_back({whole_begin, whole_end, Layout::contiguous(period_)});
  const std::int64_t rest = piece.end - whole_end * period_;
  if (rest > 0) parts_.push_back({whole_end, whole_end + 1, Layout::contiguous(rest)});
}

// `count` copies, a period apart; a copy that reaches over the end of a period is cut there.
void Periods::place(std::int64_t offset, std::int64_t count, const Layout& copy) {
  std::int64_t first = offset / period_;
  const std::int64_t copy_end = copy.span().end;
  for (std::int64_t begin = first * period_ - offset; begin < copy_end; begin += period_, ++first) {
    const Extent data{data_bytes_below(copy, begin), data_bytes_below(copy, begin + period_)};
    if (!data.empty()) parts_.push_back({first, first + count, part_of(copy, data).shifted(-begin)});
  }
}

void Periods::settle_bounds() {
  bounds_.clear();
  for (const Part& part : parts_) {
    bounds_.push_back(part.first);
    bounds_.push_back(part.end);
  }
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
}

std::int64_t Periods::cost() {
  settle_bounds();
  const auto index_of = [&](std::int64_t period) {
    return std::lower_bound(bounds_.begin(), bounds_.end(), period) - bounds_.begin();
  };
  std::int64_t total = 0;
  for (const Part& part : parts_) total += index_of(part.end) - index_of(part.first);
  return total;
}

void Periods::merge_into(PartJoiner& out) {
  settle_bounds();
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.first < b.first; });
  std::vector<const Part*> present;
  std::vector<Layout> bytes;
  auto next = parts_.begin();
  for (std::size_t i = 0; i + 1 < bounds_.size(); ++i) {
    std::erase_if(present, [&](const Part* part) { return part->end <= bounds_[i]; });
    for (; next != parts_.end() && next->first == bounds_[i]; ++next) present.push_back(&*next);
    if (present.empty()) continue;
    bytes.clear();
    for (const Part* part : present) bytes.push_back(part->bytes);
    add_stretch(bounds_[i], bounds_[i + 1] - bounds_[i], merged(bytes), out);
  }
}

// `count` periods that all have the same bytes, in maximal pieces.
void Periods::add_stretch(std::int64_t first, std::int64_t count, const Layout& bytes, PartJoiner& out) const {
  const bool closed = bytes.span() == Extent{0, period_} && !bytes.is_contiguous();
  if (closed && count > 1) return add_closed_stretch(first, count, bytes, out);
  out.add(Layout::repeat(count, period_, bytes).shifted(origin_ + first * period_));
}

// The last piece of each period goes on as the first one of the next: what repeats itself lies between two of these.
void Periods::add_closed_stretch(std::int64_t first, std::int64_t count, const Layout& bytes, PartJoiner& out) const {
  const std::int64_t origin = origin_ + first * period_;
  const std::int64_t head = first_piece_bytes(*bytes.root());
  const std::int64_t tail_begin = bytes.first() + bytes.root()->last_piece;
  const std::int64_t tail = period_ - tail_begin;
  const std::array<Layout::Part, 2> between = {{
      {0, part_of(bytes, {head, bytes.data_bytes() - tail})},
      {tail_begin, Layout::contiguous(tail + head)},
  }};
  out.add_piece({origin, origin + head});
  out.add(Layout::repeat(count - 1, period_, Layout::sequence(between)).shifted(origin));
  out.add(part_of(bytes, {head, bytes.data_bytes()}).shifted(origin + (count - 1) * period_));
}

}  // namespace

bool merge_periods(std::span<const Layout> layouts, PartJoiner& out) {
  const std::int64_t period = common_period(layouts);
  if (period == 0) return false;
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const Layout& layout : layouts) origin = std::min(origin, layout.span().begin);
  Periods periods(origin, period);
  Checked pieces = 0;
  for (const Layout& layout : layouts) {
    periods.add(layout);
    pieces += layout.piece_count();
  }
  if (pieces.ok() && periods.cost() > pieces.value()) return false;
  periods.merge_into(out);
  return true;
}

}  // namespace weir::layout

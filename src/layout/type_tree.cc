#include "layout/type_tree.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "layout/array_layout.h"

namespace weir::layout {
namespace {

std::int64_t product(std::span<const std::int64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t sum(std::span<const std::int64_t> terms) {
  return std::accumulate(terms.begin(), terms.end(), std::int64_t{0});
}

// How many instances of its only child a type has.
struct CountInstances {
  std::int64_t operator()(const Contiguous& shape) const { return shape.count; }
  std::int64_t operator()(const Vector& shape) const { return shape.count * shape.block_length; }
  std::int64_t operator()(const Hvector& shape) const { return shape.count * shape.block_length; }
  std::int64_t operator()(const Indexed& shape) const { return sum(shape.block_lengths); }
  std::int64_t operator()(const Hindexed& shape) const { return sum(shape.block_lengths); }
  std::int64_t operator()(const IndexedBlock& shape) const {
    return shape.block_length * static_cast<std::int64_t>(shape.displacements.size());
  }
  std::int64_t operator()(const HindexedBlock& shape) const {
    return shape.block_length * static_cast<std::int64_t>(shape.displacement_bytes.size());
  }
  std::int64_t operator()(const Subarray& shape) const { return product(shape.subsizes); }
  std::int64_t operator()(const Darray& shape) const { return darray_elements(shape); }
  std::int64_t operator()(const Resized&) const { return 1; }
};

struct BasicRun {
  BasicKind kind;
  std::int64_t count;
};

// Joins neighbouring runs of one kind before it hands them on.
class RunJoiner {
 public:
  explicit RunJoiner(const std::function<void(BasicKind, std::int64_t)>& fn) : fn_(fn) {}

  void add(BasicRun run) {
    if (run.count <= 0) return;
    if (last_.count > 0 && last_.kind == run.kind) {
      last_.count += run.count;
      return;
    }
    flush();
    last_ = run;
  }
  void flush() {
    if (last_.count > 0) fn_(last_.kind, last_.count);
    last_.count = 0;
  }

 private:
  const std::function<void(BasicKind, std::int64_t)>& fn_;
  BasicRun last_{BasicKind::kByte, 0};
};

// The one kind that a type consists of, and how many; count 0 when it is empty, nothing when kinds mix.
std::optional<BasicRun> only_kind(const TypeNode& type);

std::optional<BasicRun> only_kind_of_basic(BasicKind kind) {
  const auto pair = pair_members(kind);
  if (!pair) return BasicRun{kind, 1};
  if (pair->first == pair->second) return BasicRun{pair->first, 2};
  return std::nullopt;
}

std::optional<BasicRun> only_kind_of_struct(const Struct& shape) {
  BasicRun total{BasicKind::kByte, 0};
  for (std::size_t i = 0; i < shape.children.size(); ++i) {
    if (shape.block_lengths[i] == 0) continue;
    const std::optional<BasicRun> member = only_kind(*shape.children[i]);
    if (!member) return std::nullopt;
    if (member->count == 0) continue;
    if (total.count > 0 && total.kind != member->kind) return std::nullopt;
    total = {member->kind, total.count + shape.block_lengths[i] * member->count};
  }
  return total;
}

std::optional<BasicRun> only_kind(const TypeNode& type) {
  return std::visit(
      [](const auto& shape) -> std::optional<BasicRun> {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, Basic>) {
          return only_kind_of_basic(shape.kind);
        } else if constexpr (std::is_same_v<Shape, Struct>) {
          return only_kind_of_struct(shape);
        } else {
          std::optional<BasicRun> run = only_kind(*shape.child);
          if (run) run->count *= CountInstances()(shape);
          return run;
        }
      },
      type.shape);
}

void walk(const TypeNode& type, std::int64_t times, RunJoiner& joiner);

// The basic values of one instance of a type whose kinds mix.
struct WalkOnce {
  RunJoiner& joiner;

  void operator()(const Basic& shape) const {
    const auto pair = pair_members(shape.kind);
    joiner.add({pair->first, 1});
    joiner.add({pair->second, 1});
  }
  void operator()(const Struct& shape) const {
    for (std::size_t i = 0; i < shape.children.size(); ++i) walk(*shape.children[i], shape.block_lengths[i], joiner);
  }
  template <typename Shape>
  void operator()(const Shape& shape) const {
    walk(*shape.child, CountInstances()(shape), joiner);
  }
};

void walk(const TypeNode& type, std::int64_t times, RunJoiner& joiner) {
  if (const std::optional<BasicRun> run = only_kind(type)) return joiner.add({run->kind, run->count * times});
  for (std::int64_t i = 0; i < times; ++i) std::visit(WalkOnce{joiner}, type.shape);
}

}  // namespace

void for_each_basic(const TypeNode& type, const std::function<void(BasicKind, std::int64_t)>& fn) {
  RunJoiner joiner(fn);
  walk(type, 1, joiner);
  joiner.flush();
}

}  // namespace weir::layout

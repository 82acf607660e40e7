#include "workloads/views.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "layout/basic_kind.h"
#include "layout/part.h"
#include "layout/type_tree.h"

namespace bench {
namespace {

namespace layout = weir::layout;
using layout::make_type;
using layout::TypeTree;

std::vector<std::int64_t> wide(const std::vector<int>& list) { return {list.begin(), list.end()}; }

layout::BasicKind kind_of(Basic basic) {
  switch (basic) {
    case Basic::kByte: return layout::BasicKind::kByte;
    case Basic::kInt: return layout::BasicKind::kInt;
    case Basic::kFloat: return layout::BasicKind::kFloat;
    case Basic::kDouble: return layout::BasicKind::kDouble;
  }
  return layout::BasicKind::kByte;
}

TypeTree tree_of(const Element& element) {
  const TypeTree values = make_type(layout::Contiguous{element.count, make_type(kind_of(element.basic))});
  return element.dense() ? values : make_type(layout::Resized{0, element.extent_bytes, values});
}

struct Build {
  TypeTree operator()(const Plain& type) const { return tree_of(type.element); }

  TypeTree operator()(const Subarray& type) const {
    const auto order = type.order == Order::kC ? layout::ArrayOrder::kC : layout::ArrayOrder::kFortran;
    return make_type(
        layout::Subarray{wide(type.sizes), wide(type.subsizes), wide(type.starts), order, tree_of(type.element)});
  }

  TypeTree operator()(const Vector& type) const {
    return make_type(layout::Vector{type.count, type.block, type.stride, tree_of(type.element)});
  }

  TypeTree operator()(const Hindexed& type) const {
    return make_type(layout::Hindexed{wide(type.lengths), type.displacements, tree_of(type.element)});
  }

  TypeTree operator()(const HindexedBlock& type) const {
    return make_type(layout::HindexedBlock{type.length, type.displacements, tree_of(type.element)});
  }

  TypeTree operator()(const Joined& type) const {
    layout::Struct all;
    for (const Subarray& part : type.parts) {
      all.block_lengths.push_back(1);
      all.displacement_bytes.push_back(0);
      all.children.push_back((*this)(part));
    }
    return make_type(all);
  }
};

}  // namespace

layout::FileView view_of(const Access& access) {
  // What a workload describes fits 64-bit offsets: it was settled.
  const TypeTree type = std::visit(Build{}, access.file);
  const auto sized = layout::build(*type, layout::Representation::native()).value();
  return {access.displacement, element_of(access.file).bytes(), sized.layout, sized.extent()};
}

layout::Layout request_of(const Access& access, int call) {
  if (const auto* plain = std::get_if<Plain>(&access.file)) {
    const layout::Layout element = layout::Layout::contiguous(plain->element.bytes());
    return layout::Layout::repeat(plain->count, plain->element.extent_bytes, element)
        .shifted(call_origin(access, call));
  }
  const layout::FileView view = view_of(access);
  const std::int64_t bytes = data_bytes(access.file);
  return layout::part_of(view.layout(), {call * bytes, (call + 1) * bytes});
}

}  // namespace bench

// The bytes of a described type, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "workloads/type_spec.h"

namespace bench {

// Calls visit(position, bytes) for every contiguous piece of one instance whose origin is at `origin`, in the order of
// the type map. Pieces that touch may come separately.
template <typename Visit>
class PieceWalk {
 public:
  PieceWalk(std::int64_t origin, Visit& visit) : origin_(origin), visit_(visit) {}

  void operator()(const Plain& type) { elements(type.element, origin_, type.count); }

  void operator()(const Subarray& type) { dimension(type, 0, 0); }

  void operator()(const Vector& type) {
    for (std::int64_t block = 0; block < type.count; ++block) {
      elements(type.element, origin_ + block * type.stride * type.element.extent_bytes, type.block);
    }
  }

  void operator()(const Hindexed& type) {
    for (std::size_t i = 0; i < type.lengths.size(); ++i) {
      elements(type.element, origin_ + type.displacements[i], type.lengths[i]);
    }
  }

  void operator()(const HindexedBlock& type) {
    for (const std::int64_t displacement : type.displacements) {
      elements(type.element, origin_ + displacement, type.length);
    }
  }

  void operator()(const Joined& type) {
    for (const Subarray& part : type.parts) (*this)(part);
  }

 private:
  void elements(const Element& element, std::int64_t position, std::int64_t count) {
    if (count == 0) return;
    if (element.dense()) {
      visit_(position, count * element.bytes());
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) visit_(position + i * element.extent_bytes, element.bytes());
  }

  // `depth` 0 is the slowest dimension; `index` is the linear index, in elements, of the slower dimensions.
  void dimension(const Subarray& type, std::size_t depth, std::int64_t index) {
    const std::size_t last = type.sizes.size() - 1;
    const std::size_t d = type.order == Order::kC ? depth : last - depth;
    const std::int64_t first = index * type.sizes[d] + type.starts[d];
    if (depth == last) {
      elements(type.element, origin_ + first * type.element.extent_bytes, type.subsizes[d]);
      return;
    }
    for (int i = 0; i < type.subsizes[d]; ++i) dimension(type, depth + 1, first + i);
  }

  std::int64_t origin_;
  Visit& visit_;
};

template <typename Visit>
void for_each_piece(const TypeSpec& type, std::int64_t origin, Visit visit) {
  std::visit(PieceWalk<Visit>(origin, visit), type);
}

}  // namespace bench

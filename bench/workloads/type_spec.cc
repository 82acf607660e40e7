#include "workloads/type_spec.h"

#include <numeric>

namespace bench {
namespace {

std::int64_t product(const std::vector<int>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

struct DataBytes {
  std::int64_t operator()(const Plain& type) const { return type.count * type.element.bytes(); }
  std::int64_t operator()(const Subarray& type) const { return product(type.subsizes) * type.element.bytes(); }
  std::int64_t operator()(const Vector& type) const {
    return std::int64_t{type.count} * type.block * type.element.bytes();
  }
  std::int64_t operator()(const Hindexed& type) const {
    return std::accumulate(type.lengths.begin(), type.lengths.end(), std::int64_t{0}) * type.element.bytes();
  }
  std::int64_t operator()(const HindexedBlock& type) const {
    return static_cast<std::int64_t>(type.displacements.size()) * type.length * type.element.bytes();
  }
  std::int64_t operator()(const Joined& type) const {
    std::int64_t bytes = 0;
    for (const Subarray& part : type.parts) bytes += (*this)(part);
    return bytes;
  }
};

struct SpanBytes {
  std::int64_t operator()(const Plain& type) const { return type.count * type.element.extent_bytes; }
  std::int64_t operator()(const Subarray& type) const { return product(type.sizes) * type.element.extent_bytes; }
  std::int64_t operator()(const Vector& type) const {
    return (std::int64_t{type.count - 1} * type.stride + type.block) * type.element.extent_bytes;
  }
  std::int64_t operator()(const Hindexed& type) const {
    if (type.lengths.empty()) return 0;
    return type.displacements.back() + type.lengths.back() * type.element.extent_bytes;
  }
  std::int64_t operator()(const HindexedBlock& type) const {
    if (type.displacements.empty()) return 0;
    return type.displacements.back() + type.length * type.element.extent_bytes;
  }
  std::int64_t operator()(const Joined& type) const { return (*this)(type.parts.front()); }
};

struct ElementOf {
  const Element& operator()(const Joined& type) const { return type.parts.front().element; }
  const Element& operator()(const auto& type) const { return type.element; }
};

}  // namespace

std::int64_t basic_bytes(Basic basic) {
  switch (basic) {
    case Basic::kByte: return 1;
    case Basic::kInt:
    case Basic::kFloat: return 4;
    case Basic::kDouble: return 8;
  }
  return 0;
}

Element element_of(Basic basic, int count) {
  return {.basic = basic, .count = count, .extent_bytes = count * basic_bytes(basic)};
}

const Element& element_of(const TypeSpec& type) { return std::visit(ElementOf{}, type); }

std::int64_t data_bytes(const TypeSpec& type) { return std::visit(DataBytes{}, type); }

std::int64_t span_bytes(const TypeSpec& type) { return std::visit(SpanBytes{}, type); }

}  // namespace bench

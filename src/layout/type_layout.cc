// build(): from the constructors of a datatype to its layout and bounds.
#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/bytes.h"
#include "layout/array_layout.h"
#include "layout/checked.h"
#include "layout/type_tree.h"

namespace weir::layout {
namespace {

// The bounds of a type map. Explicit markers, once there is one, are the only ones that count.
struct Bounds {
  std::int64_t lb = 0;
  std::int64_t ub = 0;
  bool present = false;  // false for a type map without entries
  bool marked = false;

  void add(const Bounds& other) {
    if (!other.present || (marked && !other.marked)) return;
    const bool replace = !present || (other.marked && !marked);
    lb = replace ? other.lb : std::min(lb, other.lb);
    ub = replace ? other.ub : std::max(ub, other.ub);
    present = true;
    marked = other.marked;
  }
};

struct Sized {
  Layout layout;
  Bounds bounds;
  std::int64_t alignment = 1;  // the greatest among the basic members
};

// One pass over a type. Numbers that do not fit are noted in fits(), and the rest of the result means nothing then.
class TypeBuilder {
 public:
  explicit TypeBuilder(const Representation& representation) : representation_(representation) {}

  bool fits() const { return fits_; }

  Sized build(const TypeNode& type) {
    if (const auto known = built_.find(&type); known != built_.end()) return known->second;
    Sized sized = std::visit([this](const auto& shape) { return build_shape(shape); }, type.shape);
    fits_ = fits_ && !sized.layout.overflowed();
    if (sized.layout.empty()) sized.alignment = 1;
    built_.emplace(&type, sized);
    return sized;
  }

 private:
  Sized build_shape(const Basic& shape);
  Sized build_shape(const Contiguous& shape);
  Sized build_shape(const Vector& shape);
  Sized build_shape(const Hvector& shape);
  Sized build_shape(const Indexed& shape);
  Sized build_shape(const Hindexed& shape);
  Sized build_shape(const IndexedBlock& shape);
  Sized build_shape(const HindexedBlock& shape);
  Sized build_shape(const Struct& shape);
  Sized build_shape(const Subarray& shape);
  Sized build_shape(const Darray& shape);
  Sized build_shape(const Resized& shape);

  std::int64_t fit(Checked number) {
    fits_ = fits_ && number.ok();
    return number.value();
  }
  std::int64_t extent(const Sized& sized) { return fit(Checked(sized.bounds.ub) - sized.bounds.lb); }
  std::vector<std::int64_t> scaled(std::span<const std::int64_t> numbers, std::int64_t factor);

  // `block_length` instances of the child in a row.
  Layout block_layout(std::int64_t block_length, const Sized& child) {
    return Layout::repeat(block_length, extent(child), child.layout);
  }
  Bounds block_bounds(std::int64_t block_length, std::int64_t displacement, const Sized& child);

  Sized strided(std::int64_t count, std::int64_t block_length, std::int64_t stride_bytes, const Sized& child);
  Sized listed(std::span<const std::int64_t> block_lengths, std::span<const std::int64_t> displacement_bytes,
               const Sized& child);
  Sized listed_equal(std::int64_t block_length, std::span<const std::int64_t> displacement_bytes, const Sized& child);
  Layout list_layout(std::span<const std::int64_t> block_lengths, std::span<const std::int64_t> displacement_bytes,
                     const Sized& child);
  Layout scattered_instances(std::span<const std::int64_t> block_lengths,
                             std::span<const std::int64_t> displacement_bytes, const Sized& child);
  Layout block_sequence(std::span<const std::int64_t> block_lengths, std::span<const std::int64_t> displacement_bytes,
                        const Sized& child);
  Bounds array_bounds(std::span<const std::int64_t> sizes, const Sized& child);

  const Representation& representation_;
  bool fits_ = true;
  std::unordered_map<const TypeNode*, Sized> built_;
};

std::vector<std::int64_t> TypeBuilder::scaled(std::span<const std::int64_t> numbers, std::int64_t factor) {
  std::vector<std::int64_t> result;
  result.reserve(numbers.size());
  for (const std::int64_t number : numbers) result.push_back(fit(Checked(number) * factor));
  return result;
}

Bounds TypeBuilder::block_bounds(std::int64_t block_length, std::int64_t displacement, const Sized& child) {
  if (block_length <= 0 || !child.bounds.present) return {};
  const std::int64_t last = fit(Checked(block_length - 1) * extent(child));
  Bounds bounds = child.bounds;
  bounds.lb = fit(Checked(bounds.lb) + displacement + std::min<std::int64_t>(last, 0));
  bounds.ub = fit(Checked(bounds.ub) + displacement + std::max<std::int64_t>(last, 0));
  return bounds;
}

Sized TypeBuilder::strided(std::int64_t count, std::int64_t block_length, std::int64_t stride_bytes,
                           const Sized& child) {
  Sized result{Layout::repeat(count, stride_bytes, block_layout(block_length, child)), {}, child.alignment};
  if (count <= 0) return result;
  result.bounds.add(block_bounds(block_length, 0, child));
  result.bounds.add(block_bounds(block_length, fit(Checked(count - 1) * stride_bytes), child));
  return result;
}

// Each instance of the child at its own displacement.
Layout TypeBuilder::scattered_instances(std::span<const std::int64_t> block_lengths,
                                        std::span<const std::int64_t> displacement_bytes, const Sized& child) {
  const std::int64_t step = extent(child);
  std::vector<std::int64_t> displacements;
  for (std::size_t i = 0; i < block_lengths.size(); ++i) {
    for (std::int64_t k = 0; k < block_lengths[i]; ++k) {
      displacements.push_back(fit(Checked(k) * step + displacement_bytes[i]));
    }
  }
  return Layout::copies(displacements, child.layout);
}

// Each block a part of a sequence; blocks of one length share their nodes.
Layout TypeBuilder::block_sequence(std::span<const std::int64_t> block_lengths,
                                   std::span<const std::int64_t> displacement_bytes, const Sized& child) {
  std::unordered_map<std::int64_t, Layout> by_length;
  std::vector<Layout::Part> parts;
  parts.reserve(block_lengths.size());
  for (std::size_t i = 0; i < block_lengths.size(); ++i) {
    const auto [found, is_new] = by_length.try_emplace(block_lengths[i]);
    if (is_new) found->second = block_layout(block_lengths[i], child);
    parts.push_back({displacement_bytes[i], found->second});
  }
  return Layout::sequence(parts);
}

Layout TypeBuilder::list_layout(std::span<const std::int64_t> block_lengths,
                                std::span<const std::int64_t> displacement_bytes, const Sized& child) {
  if (child.layout.is_contiguous() && child.layout.data_bytes() == extent(child)) {
    const std::vector<std::int64_t> lengths = scaled(block_lengths, extent(child));
    return Layout::blocks(displacement_bytes, lengths).shifted(child.layout.first());
  }
  // A part of a sequence costs 32 bytes, a copy 8: short blocks are cheaper instance by instance.
  constexpr std::int64_t kLongBlock = 3;
  Checked instances = 0;
  for (const std::int64_t length : block_lengths) instances += length;
  const auto blocks = static_cast<std::int64_t>(block_lengths.size());
  if (fit(instances) < kLongBlock * blocks) return scattered_instances(block_lengths, displacement_bytes, child);
  return block_sequence(block_lengths, displacement_bytes, child);
}

Sized TypeBuilder::listed(std::span<const std::int64_t> block_lengths, std::span<const std::int64_t> displacement_bytes,
                          const Sized& child) {
  Sized result{list_layout(block_lengths, displacement_bytes, child), {}, child.alignment};
  for (std::size_t i = 0; i < block_lengths.size(); ++i) {
    result.bounds.add(block_bounds(block_lengths[i], displacement_bytes[i], child));
  }
  return result;
}

Sized TypeBuilder::listed_equal(std::int64_t block_length, std::span<const std::int64_t> displacement_bytes,
                                const Sized& child) {
  Sized result{Layout::copies(displacement_bytes, block_layout(block_length, child)), {}, child.alignment};
  for (const std::int64_t displacement : displacement_bytes) {
    result.bounds.add(block_bounds(block_length, displacement, child));
  }
  return result;
}

Bounds TypeBuilder::array_bounds(std::span<const std::int64_t> sizes, const Sized& child) {
  Checked bytes = extent(child);
  for (const std::int64_t size : sizes) bytes *= size;
  return {0, fit(bytes), true, true};
}

Sized TypeBuilder::build_shape(const Basic& shape) {
  const std::int64_t alignment = representation_.alignment(shape.kind);
  const auto pair = pair_members(shape.kind);
  if (!pair) {
    const std::int64_t bytes = representation_.bytes(shape.kind);
    return {Layout::contiguous(bytes), {0, bytes, true, false}, alignment};
  }
  const std::int64_t second = representation_.second_offset(*pair);
  const std::array<Layout::Part, 2> parts = {{
      {0, Layout::contiguous(representation_.bytes(pair->first))},
      {second, Layout::contiguous(representation_.bytes(pair->second))},
  }};
  const std::int64_t ub = round_up(second + representation_.bytes(pair->second), alignment);
  return {Layout::sequence(parts), {0, ub, true, false}, alignment};
}

Sized TypeBuilder::build_shape(const Contiguous& shape) { return strided(1, shape.count, 0, build(*shape.child)); }

Sized TypeBuilder::build_shape(const Vector& shape) {
  const Sized child = build(*shape.child);
  return strided(shape.count, shape.block_length, fit(Checked(shape.stride) * extent(child)), child);
}

Sized TypeBuilder::build_shape(const Hvector& shape) {
  return strided(shape.count, shape.block_length, shape.stride_bytes, build(*shape.child));
}

Sized TypeBuilder::build_shape(const Indexed& shape) {
  const Sized child = build(*shape.child);
  return listed(shape.block_lengths, scaled(shape.displacements, extent(child)), child);
}

Sized TypeBuilder::build_shape(const Hindexed& shape) {
  return listed(shape.block_lengths, shape.displacement_bytes, build(*shape.child));
}

Sized TypeBuilder::build_shape(const IndexedBlock& shape) {
  const Sized child = build(*shape.child);
  return listed_equal(shape.block_length, scaled(shape.displacements, extent(child)), child);
}

Sized TypeBuilder::build_shape(const HindexedBlock& shape) {
  return listed_equal(shape.block_length, shape.displacement_bytes, build(*shape.child));
}

Sized TypeBuilder::build_shape(const Struct& shape) {
  Sized result;
  std::vector<Layout::Part> parts;
  parts.reserve(shape.children.size());
  for (std::size_t i = 0; i < shape.children.size(); ++i) {
    if (shape.block_lengths[i] <= 0) continue;
    const Sized child = build(*shape.children[i]);
    parts.push_back({shape.displacement_bytes[i], block_layout(shape.block_lengths[i], child)});
    result.bounds.add(block_bounds(shape.block_lengths[i], shape.displacement_bytes[i], child));
    result.alignment = std::max(result.alignment, child.alignment);
  }
  result.layout = Layout::sequence(parts);
  if (!result.bounds.marked) {
    const std::int64_t padding = round_up(extent(result), result.alignment) - extent(result);
    result.bounds.ub = fit(Checked(result.bounds.ub) + padding);
  }
  return result;
}

Sized TypeBuilder::build_shape(const Subarray& shape) {
  const Sized child = build(*shape.child);
  return {subarray_layout(shape, child.layout, extent(child)), array_bounds(shape.sizes, child), child.alignment};
}

Sized TypeBuilder::build_shape(const Darray& shape) {
  const Sized child = build(*shape.child);
  return {darray_layout(shape, child.layout, extent(child)), array_bounds(shape.sizes, child), child.alignment};
}

Sized TypeBuilder::build_shape(const Resized& shape) {
  Sized result = build(*shape.child);
  result.bounds = {shape.lb, fit(Checked(shape.lb) + shape.extent), true, true};
  return result;
}

}  // namespace

Result<SizedLayout> build(const TypeNode& type, const Representation& representation) {
  TypeBuilder builder(representation);
  Sized sized = builder.build(type);
  if (!builder.fits() || !(Checked(sized.bounds.ub) - sized.bounds.lb).ok()) {
    return Status(ErrorClass::kDatatype, "the datatype reaches further than 64-bit offsets");
  }
  return SizedLayout{std::move(sized.layout), sized.bounds.lb, sized.bounds.ub};
}

}  // namespace weir::layout

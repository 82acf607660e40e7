#include "replay/program/structure_type.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "layout/node.h"
#include "workloads/program/job.h"

namespace bench {
namespace {

namespace layout = weir::layout;
using layout::Node;
using layout::NodeKind;

MpiType committed(MPI_Datatype handle) {
  check_mpi(MPI_Type_commit(&handle), "MPI_Type_commit");
  return {handle, false};
}

std::vector<MPI_Aint> addresses(const std::vector<std::int64_t>& numbers) { return {numbers.begin(), numbers.end()}; }

MpiType repeated(std::int64_t count, std::int64_t stride, const MpiType& child) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_hvector(to_int(count), 1, stride, child.get(), &made), "MPI_Type_create_hvector");
  return committed(made);
}

MpiType copies(const std::vector<std::int64_t>& displacements, const MpiType& child) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_hindexed_block(to_int(std::ssize(displacements)), 1, addresses(displacements).data(),
                                           child.get(), &made),
            "MPI_Type_create_hindexed_block");
  return committed(made);
}

// Different types, each once, at their places.
MpiType joined(const std::vector<std::int64_t>& displacements, const std::vector<MpiType>& parts) {
  const std::vector<int> ones(parts.size(), 1);
  std::vector<MPI_Datatype> handles;
  for (const MpiType& part : parts) handles.push_back(part.get());
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_struct(to_int(std::ssize(parts)), ones.data(), addresses(displacements).data(),
                                   handles.data(), &made),
            "MPI_Type_create_struct");
  return committed(made);
}

MpiType type_of(const Node& node);

MpiType blocks(const layout::BlocksNode& node) {
  const std::size_t count = node.displacements.size();
  std::vector<int> lengths;
  for (std::size_t i = 0; i < count; ++i) lengths.push_back(to_int(node.prefix[i + 1] - node.prefix[i]));
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_hindexed(to_int(static_cast<std::int64_t>(count)), lengths.data(),
                                     addresses(node.displacements).data(), MPI_BYTE, &made),
            "MPI_Type_create_hindexed");
  return committed(made);
}

MpiType sequence(const layout::SequenceNode& node) {
  std::vector<MpiType> parts;
  for (const layout::NodePtr& child : node.children) parts.push_back(type_of(*child));
  return joined(node.displacements, parts);
}

MpiType type_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::kRun: {
      const auto& run = layout::as<layout::RunNode>(node);
      return run.count == 1 ? bytes_type(run.length) : repeated(run.count, run.stride, bytes_type(run.length));
    }
    case NodeKind::kBlocks: return blocks(layout::as<layout::BlocksNode>(node));
    case NodeKind::kEqualBlocks: {
      const auto& equal = layout::as<layout::EqualBlocksNode>(node);
      return copies(equal.displacements, bytes_type(equal.length));
    }
    case NodeKind::kRepeat: {
      const auto& repeat = layout::as<layout::RepeatNode>(node);
      return repeated(repeat.count, repeat.stride, type_of(*repeat.child));
    }
    case NodeKind::kCopies: {
      const auto& many = layout::as<layout::CopiesNode>(node);
      return copies(many.displacements, type_of(*many.child));
    }
    case NodeKind::kSequence: break;
  }
  return sequence(layout::as<layout::SequenceNode>(node));
}

}  // namespace

MpiType bytes_type(std::int64_t bytes) {
  constexpr std::int64_t kUnit = std::int64_t{1} << 30;
  if (bytes == 1) return {MPI_BYTE, true};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (bytes <= std::numeric_limits<int>::max()) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &made), "MPI_Type_contiguous");
    return committed(made);
  }
  const MpiType unit = bytes_type(kUnit);
  check_mpi(MPI_Type_contiguous(to_int(bytes / kUnit), unit.get(), &made), "MPI_Type_contiguous");
  std::vector<MpiType> parts;
  parts.push_back(committed(made));
  if (bytes % kUnit == 0) return std::move(parts.front());
  parts.push_back(bytes_type(bytes % kUnit));
  return joined({0, bytes / kUnit * kUnit}, parts);
}

MpiType structure_type(const layout::Layout& layout) {
  if (layout.empty()) return bytes_type(0);
  MpiType type = type_of(*layout.root());
  return layout.first() == 0 ? std::move(type) : copies({layout.first()}, type);
}

MpiType tile_type(const layout::Layout& layout, std::int64_t extent) {
  const MpiType type = structure_type(layout);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_resized(type.get(), 0, extent, &made), "MPI_Type_create_resized");
  return committed(made);
}

}  // namespace bench

#include "programs/mpi_types.h"

#include <utility>
#include <vector>

namespace weir::programs {

namespace {

int narrow(std::int64_t number) { return static_cast<int>(number); }

MPI_Datatype resized(MPI_Datatype type, MPI_Aint extent) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, 0, extent, &made);
  MPI_Type_free(&type);
  return made;
}

MPI_Datatype make_vector(const View& view, MPI_Datatype etype) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(narrow(view.numbers[0]), narrow(view.numbers[1]), narrow(view.numbers[2]), etype, &made);
  return resized(made, view.extent * view.etype_bytes);
}

MPI_Datatype make_indexed(const View& view, MPI_Datatype etype) {
  std::vector<int> places;
  std::vector<int> lengths;
  for (std::size_t i = 0; i + 1 < view.numbers.size(); i += 2) {
    places.push_back(narrow(view.numbers[i]));
    lengths.push_back(narrow(view.numbers[i + 1]));
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_indexed(narrow(std::ssize(places)), lengths.data(), places.data(), etype, &made);
  return resized(made, view.extent * view.etype_bytes);
}

MPI_Datatype make_subarray(const View& view, MPI_Datatype etype) {
  int n[9];
  for (std::size_t i = 0; i < 9; ++i) n[i] = narrow(view.numbers[i]);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(3, n, n + 3, n + 6, MPI_ORDER_C, etype, &made);
  return made;
}

// One type with all blocks of a share.
MPI_Datatype make_blocks(const Share& share, std::int64_t etype_bytes, MPI_Datatype etype) {
  const Memory& memory = share.memory;
  const std::int64_t blocks = share.count / memory.block;
  const std::int64_t stride = (memory.block + memory.gap) * etype_bytes;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (memory.kind == Memory::Kind::kVector) {
    MPI_Type_create_hvector(narrow(blocks), narrow(memory.block), stride, etype, &made);
    return made;
  }
  std::vector<MPI_Aint> places;
  for (std::int64_t i = 0; i < blocks; ++i) places.push_back((blocks - 1 - i) * stride);
  MPI_Type_create_hindexed_block(narrow(blocks), narrow(memory.block), places.data(), etype, &made);
  return made;
}

}  // namespace

MpiType::MpiType(MPI_Datatype type, bool derived) : type_(type), derived_(derived) {
  if (derived_) MPI_Type_commit(&type_);
}

MpiType::~MpiType() {
  if (derived_) MPI_Type_free(&type_);
}

MpiType::MpiType(MpiType&& other) noexcept : type_(other.type_), derived_(std::exchange(other.derived_, false)) {}

MpiType& MpiType::operator=(MpiType&& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(derived_, other.derived_);
  return *this;
}

MpiType MpiType::etype(std::int64_t bytes) {
  if (bytes == 1) return {MPI_BYTE, false};
  if (bytes == 2) return {MPI_SHORT, false};
  if (bytes == 4) return {MPI_INT, false};
  if (bytes == 8) return {MPI_DOUBLE, false};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, bytes == 3 ? MPI_BYTE : MPI_INT, &made);
  return {made, true};
}

MpiType MpiType::filetype(const View& view) {
  const MpiType etype = MpiType::etype(view.etype_bytes);
  switch (view.kind) {
    case View::Kind::kVector: return {make_vector(view, etype), true};
    case View::Kind::kIndexed: return {make_indexed(view, etype), true};
    case View::Kind::kSubarray: return {make_subarray(view, etype), true};
    default: return MpiType::etype(view.etype_bytes);
  }
}

MpiType MpiType::memory(const Share& share, std::int64_t etype_bytes, int* count) {
  const Memory& memory = share.memory;
  MpiType etype = MpiType::etype(etype_bytes);
  if (memory.kind == Memory::Kind::kPlain || share.count == 0) {
    *count = narrow(share.count);
    return etype;
  }
  *count = 1;
  if (memory.kind == Memory::Kind::kVector || memory.kind == Memory::Kind::kReversed) {
    return {make_blocks(share, etype_bytes, etype), true};
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (memory.kind == Memory::Kind::kOne) {
    MPI_Type_contiguous(narrow(share.count), etype, &made);
    return {made, true};
  }
  *count = narrow(share.count / memory.block);
  MPI_Type_contiguous(narrow(memory.block), etype, &made);
  return {resized(made, (memory.block + memory.gap) * etype_bytes), true};
}

}  // namespace weir::programs

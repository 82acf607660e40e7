#include "type_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpi_test {

namespace {

template <typename Number>
std::string list(const std::vector<Number>& values) {
  std::string text = "[";
  for (const Number value : values) text.append(text.size() > 1 ? "," : "").append(std::to_string(value));
  return text + "]";
}

template <typename... Numbers>
std::string call(const char* name, const TypeModel& element, Numbers... numbers) {
  std::string text = std::string(name) + "(";
  ((text += std::to_string(numbers) + ","), ...);
  return text + " " + element.text() + ")";
}

void release(MPI_Datatype* type) {
  MPI_Type_free(type);
  delete type;
}

// The indices of one dimension that belong to process `coordinate` of the dimension.
std::vector<int> owned(const TypeModel::Distribution& dimension, int coordinate) {
  int block = dimension.argument;
  if (dimension.kind == MPI_DISTRIBUTE_NONE) {
    block = dimension.global_size;
  } else if (block == MPI_DISTRIBUTE_DFLT_DARG) {
    block = dimension.kind == MPI_DISTRIBUTE_CYCLIC
                ? 1
                : (dimension.global_size + dimension.processes - 1) / dimension.processes;
  }
  std::vector<int> indices;
  for (int i = 0; i < dimension.global_size; ++i) {
    if (i / block % dimension.processes == coordinate) indices.push_back(i);
  }
  return indices;
}

// The positions, in row-major order of the array `sizes`, of all combinations of the chosen indices; the last
// dimension runs fastest.
std::vector<MPI_Aint> positions(const std::vector<int>& sizes, const std::vector<std::vector<int>>& chosen) {
  std::vector<MPI_Aint> result = {0};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    std::vector<MPI_Aint> next;
    for (const MPI_Aint outer : result) {
      for (const int index : chosen[d]) next.push_back(outer * sizes[d] + index);
    }
    result = std::move(next);
  }
  return result;
}

template <typename Values>
Values in_order(Values values, int order) {
  if (order == MPI_ORDER_FORTRAN) std::reverse(values.begin(), values.end());
  return values;
}

}  // namespace

TypeModel::TypeModel(MPI_Datatype made, std::string text)
    : type_(new MPI_Datatype(made), release), text_(std::move(text)) {
  MPI_Type_commit(type_.get());
  MPI_Type_get_extent(made, &lower_bound_, &extent_);
}

TypeModel TypeModel::basic(MPI_Datatype type, const char* name) {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  MPI_Type_dup(type, &copy);
  TypeModel model(copy, name);
  model.type_ = std::make_shared<MPI_Datatype>(type);  // and the copy is freed
  model.pieces_ = {{0, model.extent_}};
  return model;
}

MPI_Aint TypeModel::bytes() const {
  return std::accumulate(pieces_.begin(), pieces_.end(), MPI_Aint{0},
                         [](MPI_Aint sum, const Piece& piece) { return sum + piece.bytes; });
}

void TypeModel::place(const TypeModel& element, int count, MPI_Aint displacement) {
  for (int i = 0; i < count; ++i) {
    for (const Piece& piece : element.pieces_) {
      pieces_.push_back({displacement + i * element.extent_ + piece.offset, piece.bytes});
    }
  }
}

TypeModel TypeModel::contiguous(int count) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, type(), &made);
  TypeModel model(made, call("contiguous", *this, count));
  model.place(*this, count, 0);
  return model;
}

TypeModel TypeModel::vector(int count, int block_length, int stride) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, block_length, stride, type(), &made);
  TypeModel model(made, call("vector", *this, count, block_length, stride));
  for (int i = 0; i < count; ++i) model.place(*this, block_length, i * stride * extent_);
  return model;
}

TypeModel TypeModel::hvector(int count, int block_length, MPI_Aint stride_bytes) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(count, block_length, stride_bytes, type(), &made);
  TypeModel model(made, call("hvector", *this, count, block_length, stride_bytes));
  for (int i = 0; i < count; ++i) model.place(*this, block_length, i * stride_bytes);
  return model;
}

TypeModel TypeModel::indexed(const std::vector<int>& block_lengths, const std::vector<int>& displacements) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_indexed(static_cast<int>(block_lengths.size()), block_lengths.data(), displacements.data(), type(), &made);
  TypeModel model(made, "indexed(" + list(block_lengths) + "," + list(displacements) + ", " + text_ + ")");
  for (std::size_t i = 0; i < block_lengths.size(); ++i) {
    model.place(*this, block_lengths[i], displacements[i] * extent_);
  }
  return model;
}

TypeModel TypeModel::hindexed(const std::vector<int>& block_lengths, const std::vector<MPI_Aint>& displacements) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(static_cast<int>(block_lengths.size()), block_lengths.data(), displacements.data(), type(),
                           &made);
  TypeModel model(made, "hindexed(" + list(block_lengths) + "," + list(displacements) + ", " + text_ + ")");
  for (std::size_t i = 0; i < block_lengths.size(); ++i) model.place(*this, block_lengths[i], displacements[i]);
  return model;
}

TypeModel TypeModel::indexed_block(int block_length, const std::vector<int>& displacements) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(static_cast<int>(displacements.size()), block_length, displacements.data(), type(),
                                &made);
  TypeModel model(made,
                  "indexed_block(" + std::to_string(block_length) + "," + list(displacements) + ", " + text_ + ")");
  for (const int displacement : displacements) model.place(*this, block_length, displacement * extent_);
  return model;
}

TypeModel TypeModel::hindexed_block(int block_length, const std::vector<MPI_Aint>& displacements) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed_block(static_cast<int>(displacements.size()), block_length, displacements.data(), type(),
                                 &made);
  TypeModel model(made,
                  "hindexed_block(" + std::to_string(block_length) + "," + list(displacements) + ", " + text_ + ")");
  for (const MPI_Aint displacement : displacements) model.place(*this, block_length, displacement);
  return model;
}

TypeModel TypeModel::resized(MPI_Aint lower_bound, MPI_Aint extent) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type(), lower_bound, extent, &made);
  TypeModel model(made, call("resized", *this, lower_bound, extent));
  model.pieces_ = pieces_;
  return model;
}

TypeModel TypeModel::duplicate() const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_dup(type(), &made);
  TypeModel model(made, "dup(" + text_ + ")");
  model.pieces_ = pieces_;
  return model;
}

TypeModel TypeModel::subarray(const std::vector<int>& sizes, const std::vector<int>& subsizes,
                              const std::vector<int>& starts, int order) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(), starts.data(), order, type(),
                           &made);
  TypeModel model(made, std::string("subarray(") + (order == MPI_ORDER_C ? "C," : "Fortran,") + list(sizes) +
                            list(subsizes) + list(starts) + ", " + text_ + ")");
  std::vector<std::vector<int>> chosen;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    chosen.emplace_back(static_cast<std::size_t>(subsizes[d]));
    std::iota(chosen.back().begin(), chosen.back().end(), starts[d]);
  }
  for (const MPI_Aint position : positions(in_order(sizes, order), in_order(chosen, order))) {
    model.place(*this, 1, position * extent_);
  }
  return model;
}

TypeModel TypeModel::darray(int processes, int process, const std::vector<Distribution>& dimensions, int order) const {
  std::vector<int> sizes, kinds, arguments, grid;
  for (const Distribution& dimension : dimensions) {
    sizes.push_back(dimension.global_size);
    kinds.push_back(dimension.kind);
    arguments.push_back(dimension.argument);
    grid.push_back(dimension.processes);
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(processes, process, static_cast<int>(sizes.size()), sizes.data(), kinds.data(),
                         arguments.data(), grid.data(), order, type(), &made);
  TypeModel model(made, std::string("darray(") + (order == MPI_ORDER_C ? "C," : "Fortran,") + std::to_string(process) +
                            " of " + std::to_string(processes) + "," + list(sizes) + list(kinds) + list(arguments) +
                            list(grid) + ", " + text_ + ")");
  std::vector<std::vector<int>> chosen(dimensions.size());
  int rest = process;  // the grid of processes is row-major in either order
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    chosen[d] = owned(dimensions[d], rest % dimensions[d].processes);
    rest /= dimensions[d].processes;
  }
  for (const MPI_Aint position : positions(in_order(sizes, order), in_order(chosen, order))) {
    model.place(*this, 1, position * extent_);
  }
  return model;
}

TypeModel TypeModel::structure(const std::vector<Field>& fields) {
  std::vector<int> block_lengths;
  std::vector<MPI_Aint> displacements;
  std::vector<MPI_Datatype> types;
  std::string text = "struct(";
  for (const Field& field : fields) {
    block_lengths.push_back(field.block_length);
    displacements.push_back(field.displacement);
    types.push_back(field.element->type());
    text += std::to_string(field.block_length) + "@" + std::to_string(field.displacement) + " " +
            field.element->text() + "; ";
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(static_cast<int>(fields.size()), block_lengths.data(), displacements.data(), types.data(),
                         &made);
  TypeModel model(made, text + ")");
  for (const Field& field : fields) model.place(*field.element, field.block_length, field.displacement);
  return model;
}

std::vector<MPI_Offset> view_offsets(const TypeModel& file_type, MPI_Offset displacement, MPI_Offset first,
                                     MPI_Offset count) {
  std::vector<MPI_Offset> tile;
  for (const Piece& piece : file_type.pieces()) {
    for (MPI_Aint i = 0; i < piece.bytes; ++i) tile.push_back(piece.offset + i);
  }
  std::vector<MPI_Offset> offsets;
  const auto tile_bytes = static_cast<MPI_Offset>(tile.size());
  for (MPI_Offset i = first; i < first + count; ++i) {
    offsets.push_back(displacement + i / tile_bytes * file_type.extent() +
                      tile[static_cast<std::size_t>(i % tile_bytes)]);
  }
  return offsets;
}

std::vector<MPI_Aint> memory_offsets(const TypeModel& type, int count) {
  std::vector<MPI_Aint> offsets;
  for (int item = 0; item < count; ++item) {
    for (const Piece& piece : type.pieces()) {
      for (MPI_Aint i = 0; i < piece.bytes; ++i) offsets.push_back(item * type.extent() + piece.offset + i);
    }
  }
  return offsets;
}

bool is_file_type(const TypeModel& type) {
  if (type.bytes() == 0 || type.extent() <= 0) return false;
  MPI_Aint end = 0;
  MPI_Aint begin = -1;
  for (const Piece& piece : type.pieces()) {
    if (piece.bytes == 0) continue;
    if (piece.offset < end) return false;
    if (begin < 0) begin = piece.offset;
    end = piece.offset + piece.bytes;
  }
  return end - begin <= type.extent();
}

}  // namespace mpi_test

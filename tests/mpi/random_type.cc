// Random nested datatypes: made at will, kept when they may be used.
#include <algorithm>
#include <set>
#include <utility>

#include "type_model.h"

namespace mpi_test {

namespace {

constexpr MPI_Aint kMostSpan = 3000;
constexpr std::size_t kMostPieces = 400;

MPI_Aint span(const TypeModel& type) {
  MPI_Aint least = 0;
  MPI_Aint most = std::max<MPI_Aint>(type.extent(), 0);
  for (const Piece& piece : type.pieces()) {
    least = std::min(least, piece.offset);
    most = std::max(most, piece.offset + piece.bytes);
  }
  return most - least;
}

bool is_small(const TypeModel& type) {
  return type.bytes() > 0 && span(type) <= kMostSpan && type.pieces().size() <= kMostPieces;
}

// Whether two items next to each other have no byte twice.
bool has_no_overlap(const TypeModel& type) {
  const std::vector<MPI_Aint> offsets = memory_offsets(type, 3);
  return std::set<MPI_Aint>(offsets.begin(), offsets.end()).size() == offsets.size();
}

// Displacements in units; ascending for file types, else shuffled and shifted.
std::vector<int> displacements(Random& random, const std::vector<int>& block_lengths, bool for_file) {
  std::vector<int> result;
  int at = for_file ? pick(random, 0, 2) : pick(random, -3, 3);
  for (const int length : block_lengths) {
    result.push_back(at);
    at += length + pick(random, 0, 3);
  }
  if (!for_file && pick(random, 0, 1) == 1) std::reverse(result.begin(), result.end());
  return result;
}

std::vector<int> block_lengths(Random& random) {
  std::vector<int> result(static_cast<std::size_t>(pick(random, 1, 4)));
  for (int& length : result) length = pick(random, 0, 3);
  return result;
}

std::vector<MPI_Aint> in_bytes(const std::vector<int>& units, MPI_Aint unit) {
  std::vector<MPI_Aint> result;
  for (const int value : units) result.push_back(value * unit);
  return result;
}

TypeModel random_subarray(const TypeModel& element, Random& random) {
  std::vector<int> sizes, subsizes, starts;
  const int dimensions = pick(random, 1, 3);
  for (int d = 0; d < dimensions; ++d) {
    sizes.push_back(pick(random, 1, 5));
    subsizes.push_back(pick(random, 1, sizes.back()));
    starts.push_back(pick(random, 0, sizes.back() - subsizes.back()));
  }
  return element.subarray(sizes, subsizes, starts, pick(random, 0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
}

TypeModel random_darray(const TypeModel& element, Random& random) {
  std::vector<TypeModel::Distribution> dimensions(static_cast<std::size_t>(pick(random, 1, 3)));
  int processes = 1;
  for (TypeModel::Distribution& dimension : dimensions) {
    dimension.global_size = pick(random, 1, 7);
    dimension.kind = std::vector<int>{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                      MPI_DISTRIBUTE_NONE}[static_cast<std::size_t>(pick(random, 0, 2))];
    dimension.processes = dimension.kind == MPI_DISTRIBUTE_NONE ? 1 : pick(random, 1, 3);
    dimension.argument = MPI_DISTRIBUTE_DFLT_DARG;
    if (dimension.kind == MPI_DISTRIBUTE_CYCLIC && pick(random, 0, 1) == 0) dimension.argument = pick(random, 1, 3);
    processes *= dimension.processes;
  }
  return element.darray(processes, pick(random, 0, processes - 1), dimensions,
                        pick(random, 0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
}

TypeModel random_structure(const TypeModel& element, Random& random, MPI_Aint unit, bool for_file) {
  const TypeModel other = element.contiguous(pick(random, 1, 2));
  std::vector<TypeModel::Field> fields;
  MPI_Aint at = for_file ? 0 : pick(random, -4, 4) * unit;
  for (int i = pick(random, 1, 3); i > 0; --i) {
    const TypeModel* type = pick(random, 0, 1) == 0 ? &element : &other;
    const int length = pick(random, 0, 2);
    fields.push_back({length, at, type});
    at += length * type->extent() + pick(random, 0, 2) * unit;
  }
  if (!for_file) std::reverse(fields.begin(), fields.end());
  return TypeModel::structure(fields);
}

// One constructor around `element`; `unit` is the granularity of displacements in bytes.
TypeModel random_layer(const TypeModel& element, Random& random, MPI_Aint unit, bool for_file) {
  const std::vector<int> lengths = block_lengths(random);
  const std::vector<int> places = displacements(random, lengths, for_file);
  const std::vector<int> places_of_one = displacements(random, std::vector<int>(lengths.size(), 2), for_file);
  const int stride = for_file ? pick(random, 1, 5) : pick(random, -3, 5);
  switch (pick(random, 0, 10)) {
    case 0: return element.contiguous(pick(random, 1, 4));
    case 1: return element.vector(pick(random, 1, 4), pick(random, 1, 3), stride);
    case 2: return element.hvector(pick(random, 1, 4), pick(random, 1, 3), stride * unit);
    case 3: return element.indexed(lengths, places);
    case 4: return element.hindexed(lengths, in_bytes(places, std::max<MPI_Aint>(unit, element.extent())));
    case 5: return element.indexed_block(pick(random, 1, 2), places_of_one);
    case 6: return element.hindexed_block(1, in_bytes(places_of_one, unit));
    case 7:
      return element.resized(for_file ? 0 : pick(random, -2, 2) * unit, element.extent() + pick(random, 0, 4) * unit);
    case 8: return random_subarray(element, random);
    case 9: return random_darray(element, random);
    default: return random_structure(element, random, unit, for_file);
  }
}

TypeModel random_type(const TypeModel& element, Random& random, int depth, bool for_file) {
  TypeModel type = element;
  for (int level = 0, tries = 0; level < depth && tries < 100; ++tries) {
    TypeModel next = random_layer(type, random, element.extent(), for_file);
    if (!is_small(next) || !(for_file ? is_file_type(next) : has_no_overlap(next))) continue;
    type = std::move(next);
    ++level;
  }
  return pick(random, 0, 7) == 0 ? type.duplicate() : type;
}

}  // namespace

int pick(Random& random, int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); }

TypeModel random_file_type(const TypeModel& element, Random& random, int depth) {
  return random_type(element, random, depth, true);
}

TypeModel random_memory_type(const TypeModel& element, Random& random, int depth) {
  return random_type(element, random, depth, false);
}

}  // namespace mpi_test

// Datatypes with their meaning: next to each MPI_Datatype the list of bytes it stands for, computed here from the
// standard's definitions. Slow and obvious; what the tests of views and memory types compare against.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace mpi_test {

struct Piece {
  MPI_Aint offset;
  MPI_Aint bytes;
};

class TypeModel {
 public:
  static TypeModel basic(MPI_Datatype type, const char* name);

  MPI_Datatype type() const { return *type_; }                  // committed
  const std::vector<Piece>& pieces() const { return pieces_; }  // in the order of the type map
  MPI_Aint lower_bound() const { return lower_bound_; }
  MPI_Aint extent() const { return extent_; }
  MPI_Aint bytes() const;
  const std::string& text() const { return text_; }  // e.g. "vector(3,1,2, int)"

  TypeModel contiguous(int count) const;
  TypeModel vector(int count, int block_length, int stride) const;
  TypeModel hvector(int count, int block_length, MPI_Aint stride_bytes) const;
  TypeModel indexed(const std::vector<int>& block_lengths, const std::vector<int>& displacements) const;
  TypeModel hindexed(const std::vector<int>& block_lengths, const std::vector<MPI_Aint>& displacements) const;
  TypeModel indexed_block(int block_length, const std::vector<int>& displacements) const;
  TypeModel hindexed_block(int block_length, const std::vector<MPI_Aint>& displacements) const;
  TypeModel resized(MPI_Aint lower_bound, MPI_Aint extent) const;
  TypeModel duplicate() const;
  TypeModel subarray(const std::vector<int>& sizes, const std::vector<int>& subsizes, const std::vector<int>& starts,
                     int order) const;

  struct Distribution {
    int global_size;
    int kind;      // MPI_DISTRIBUTE_BLOCK, _CYCLIC or _NONE
    int argument;  // or MPI_DISTRIBUTE_DFLT_DARG
    int processes;
  };
  TypeModel darray(int processes, int process, const std::vector<Distribution>& dimensions, int order) const;

  struct Field {
    int block_length;
    MPI_Aint displacement;
    const TypeModel* element;
  };
  static TypeModel structure(const std::vector<Field>& fields);

 private:
  TypeModel(MPI_Datatype made, std::string text);
  // Adds `count` elements in a row, the first at byte `displacement`.
  void place(const TypeModel& element, int count, MPI_Aint displacement);

  std::shared_ptr<MPI_Datatype> type_;
  std::vector<Piece> pieces_;
  MPI_Aint lower_bound_ = 0;
  MPI_Aint extent_ = 0;
  std::string text_;
};

// The file offsets of view bytes [first, first + count), one by one.
std::vector<MPI_Offset> view_offsets(const TypeModel& file_type, MPI_Offset displacement, MPI_Offset first,
                                     MPI_Offset count);
// The memory offsets, relative to the buffer address, of the bytes of `count` items, in the order of the type map.
std::vector<MPI_Aint> memory_offsets(const TypeModel& type, int count);

// Whether it may be a file type for writing: pieces ascend and do not overlap, in one instance and the next.
bool is_file_type(const TypeModel& type);

using Random = std::mt19937;
int pick(Random& random, int least, int most);

// A random type made of `element`, nested up to `depth` deep. File types obey is_file_type, and their holes are
// multiples of the element's extent; memory types may have any order and negative displacements, no overlap.
TypeModel random_file_type(const TypeModel& element, Random& random, int depth);
TypeModel random_memory_type(const TypeModel& element, Random& random, int depth);

}  // namespace mpi_test

// Datatypes as an application says them, as values: no MPI is needed to describe an access or to know its bytes.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace bench {

enum class Basic { kByte, kInt, kFloat, kDouble };

std::int64_t basic_bytes(Basic basic);

// `count` basic values side by side; the next element begins `extent_bytes` after this one.
struct Element {
  Basic basic = Basic::kByte;
  int count = 1;
  std::int64_t extent_bytes = 1;

  std::int64_t bytes() const { return count * basic_bytes(basic); }
  bool dense() const { return extent_bytes == bytes(); }
};

// An element without gaps.
Element element_of(Basic basic, int count = 1);

// `count` elements one after another: what a program says with a count and a basic type.
struct Plain {
  Element element;
  std::int64_t count = 0;
};

enum class Order { kC, kFortran };

// MPI_Type_create_subarray. All lists have one entry per dimension, in the order of the array's dimensions.
struct Subarray {
  std::vector<int> sizes;
  std::vector<int> subsizes;
  std::vector<int> starts;
  Order order = Order::kC;
  Element element;
};

// MPI_Type_vector; block and stride are counted in elements.
struct Vector {
  int count = 0;
  int block = 0;
  int stride = 0;
  Element element;
};

// MPI_Type_create_hindexed; lengths are counted in elements, displacements ascend.
struct Hindexed {
  std::vector<int> lengths;
  std::vector<std::int64_t> displacements;
  Element element;
};

// MPI_Type_create_hindexed_block; the length is counted in elements, displacements ascend.
struct HindexedBlock {
  int length = 0;
  std::vector<std::int64_t> displacements;
  Element element;
};

// MPI_Type_create_struct of subarrays, all at displacement 0. Never empty.
struct Joined {
  std::vector<Subarray> parts;
};

using TypeSpec = std::variant<Plain, Subarray, Vector, Hindexed, HindexedBlock, Joined>;

const Element& element_of(const TypeSpec& type);

// How many bytes of data one instance holds.
std::int64_t data_bytes(const TypeSpec& type);

// How many bytes one instance stretches over, counted from its origin.
std::int64_t span_bytes(const TypeSpec& type);

}  // namespace bench

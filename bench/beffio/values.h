// The b_eff_io values: from bytes and seconds of a type up to one number for the system. All in MB/s, 10^6 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "result.h"

namespace beffio {

struct TypeValue {
  Type type;
  double value;
};

double bandwidth(std::int64_t bytes, double seconds);

// The value of a type: all bytes by all time from open to close.
double value_of(const TypeResult& type);

// The value of a method: the mean of its types, type 0 counted twice. Types left out are left out of the mean.
// REQUIRES at least one.
double mean_of_types(std::span<const TypeValue> values);

// The value of a method as measured; nothing if it has no types.
std::optional<double> value_of(const MethodResult& method);

// Writing and reading apart, and both in one.
struct PartitionValue {
  std::optional<double> write;
  std::optional<double> read;
  std::optional<double> both;  // only where write and read are known
};

// Release 1.x: writing is the mean of initial write and rewrite, both is the mean of writing and reading: 25 %, 25 %,
// 50 %.
PartitionValue value_1x(std::optional<double> write, std::optional<double> rewrite, std::optional<double> read);

// Release 2.0: writing is the mean of the initial write types and the rewrite of type 0, one weight each; reading is
// the mean of types, type 0 twice; both is the geometric mean.
PartitionValue value_20(std::span<const TypeValue> write, std::optional<double> rewrite_scatter,
                        std::span<const TypeValue> read);

PartitionValue value_of(const PartitionResult& partition, Release release);

// The partition with the largest value, which is that of the system. Null where none has one.
const PartitionResult* best_partition(const Report& report);

// The value of the system; nothing where no partition has one.
std::optional<double> value_of(const Report& report);

}  // namespace beffio

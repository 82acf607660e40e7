#include "values.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beffio {
namespace {

std::vector<TypeValue> values_of_types(const PartitionResult& partition, Method method) {
  std::vector<TypeValue> values;
  for (const MethodResult& result : partition.methods) {
    if (result.method != method) continue;
    for (const TypeResult& type : result.types) values.push_back({type.type, value_of(type)});
  }
  return values;
}

std::optional<double> mean_if_any(std::span<const TypeValue> values) {
  if (values.empty()) return std::nullopt;
  return mean_of_types(values);
}

std::optional<double> scatter_of(std::span<const TypeValue> values) {
  for (const TypeValue& value : values) {
    if (value.type == Type::kScatter) return value.value;
  }
  return std::nullopt;
}

}  // namespace

double bandwidth(std::int64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(bytes) / seconds / 1e6 : 0;
}

double value_of(const TypeResult& type) { return bandwidth(type.bytes, type.seconds); }

double mean_of_types(std::span<const TypeValue> values) {
  double sum = 0;
  double weights = 0;
  for (const TypeValue& value : values) {
    const double weight = value.type == Type::kScatter ? 2 : 1;
    sum += weight * value.value;
    weights += weight;
  }
  return sum / weights;
}

std::optional<double> value_of(const MethodResult& method) {
  std::vector<TypeValue> values;
  for (const TypeResult& type : method.types) values.push_back({type.type, value_of(type)});
  return mean_if_any(values);
}

PartitionValue value_1x(std::optional<double> write, std::optional<double> rewrite, std::optional<double> read) {
  PartitionValue value;
  if (write && rewrite) value.write = (*write + *rewrite) / 2;
  value.read = read;
  if (value.write && value.read) value.both = (*value.write + *value.read) / 2;
  return value;
}

PartitionValue value_20(std::span<const TypeValue> write, std::optional<double> rewrite_scatter,
                        std::span<const TypeValue> read) {
  PartitionValue value;
  double sum = rewrite_scatter.value_or(0);
  for (const TypeValue& type : write) sum += type.value;
  if (!write.empty()) value.write = sum / static_cast<double>(write.size() + (rewrite_scatter ? 1 : 0));
  value.read = mean_if_any(read);
  if (value.write && value.read) value.both = std::sqrt(*value.write * *value.read);
  return value;
}

PartitionValue value_of(const PartitionResult& partition, Release release) {
  const std::vector<TypeValue> write = values_of_types(partition, Method::kWrite);
  const std::vector<TypeValue> rewrite = values_of_types(partition, Method::kRewrite);
  const std::vector<TypeValue> read = values_of_types(partition, Method::kRead);
  if (release == Release::kOne) return value_1x(mean_if_any(write), mean_if_any(rewrite), mean_if_any(read));
  return value_20(write, scatter_of(rewrite), read);
}

const PartitionResult* best_partition(const Report& report) {
  const PartitionResult* best = nullptr;
  double largest = 0;
  for (const PartitionResult& partition : report.partitions) {
    const std::optional<double> value = value_of(partition, report.settings.release).both;
    if (!value || (best != nullptr && *value <= largest)) continue;
    best = &partition;
    largest = *value;
  }
  return best;
}

std::optional<double> value_of(const Report& report) {
  const PartitionResult* best = best_partition(report);
  if (best == nullptr) return std::nullopt;
  return value_of(*best, report.settings.release).both;
}

}  // namespace beffio

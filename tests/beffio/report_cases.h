// A report as a run of an hour would make it: complete, comparable, and larger than any cache.
#pragma once

#include "result.h"

namespace beffio {

inline TypeResult measured_type(Type type, std::int64_t mpart_bytes) {
  TypeResult result;
  result.type = type;
  for (const Pattern& pattern : patterns_of(type, mpart_bytes)) {
    PatternResult& added = result.patterns.emplace_back();
    added.pattern = pattern;
    added.calls = 1000;
    added.bytes = 100'000'000'000;
    added.seconds = 100;
    added.ending = is_size_driven(type) ? Ending::kAmount : Ending::kTime;
    result.bytes += added.bytes;
    result.seconds += added.seconds;
  }
  return result;
}

inline Report comparable_report() {
  Report report;
  Settings& settings = report.settings;
  settings.release = Release::kTwo;
  settings.seconds = 3600;
  settings.ranks = 4;
  settings.nodes = 2;
  settings.ranks_per_node = 2;
  settings.memory_of_node_bytes = 1'000'000'000;
  settings.mpart_bytes = 8 * kMegabyte;
  settings.sync = true;
  settings.space_bytes = 1'000'000'000'000;
  settings.directory = "/scratch";
  settings.file_system = "lustre";
  settings.mpi = "An MPI 1.0";
  settings.types.assign(kAllTypes.begin(), kAllTypes.end());
  settings.methods.assign(kAllMethods.begin(), kAllMethods.end());
  for (const Partition& partition : three_partitions(4)) {
    PartitionResult& added = report.partitions.emplace_back();
    added.partition = partition;
    for (const Method method : kAllMethods) {
      MethodResult& result = added.methods.emplace_back();
      result.method = method;
      for (const Type type : types_of(method, kAllTypes, {Release::kTwo, 3600, 3, false})) {
        result.types.push_back(measured_type(type, settings.mpart_bytes));
      }
    }
  }
  return report;
}

}  // namespace beffio

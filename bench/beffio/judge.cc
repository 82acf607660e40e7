#include "judge.h"

#include <fmt/format.h>

#include <algorithm>

namespace beffio {
namespace {

constexpr double kCacheMultiple = 20;  // data of a method by the size of the cache: 95 % then reached the disk

int patterns_ended(const Report& report, Ending ending) {
  int patterns = 0;
  for (const PartitionResult& partition : report.partitions) {
    for (const MethodResult& method : partition.methods) {
      for (const TypeResult& type : method.types) {
        patterns += static_cast<int>(std::count_if(type.patterns.begin(), type.patterns.end(),
                                                   [&](const PatternResult& p) { return p.ending == ending; }));
      }
    }
  }
  return patterns;
}

std::int64_t bytes_of(const MethodResult& method) {
  std::int64_t bytes = 0;
  for (const TypeResult& type : method.types) bytes += type.bytes;
  return bytes;
}

double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e9; }

// The method that moved least data. Rewriting moves less by definition and is not looked at.
struct Least {
  std::int64_t bytes = -1;  // -1: none
  std::string where;
};

Least least_moved(const Report& report) {
  Least least;
  for (const PartitionResult& partition : report.partitions) {
    for (const MethodResult& method : partition.methods) {
      const std::int64_t bytes = bytes_of(method);
      if (method.method == Method::kRewrite || (least.bytes >= 0 && least.bytes <= bytes)) continue;
      least = {bytes, fmt::format("{} of partition {}", name(method.method), partition.partition.name)};
    }
  }
  return least;
}

void add_cache_warning(const Report& report, std::vector<std::string>& texts) {
  const std::int64_t memory = report.settings.memory_of_node_bytes * report.settings.nodes;
  const Least least = least_moved(report);
  const double times = memory > 0 ? static_cast<double>(least.bytes) / static_cast<double>(memory) : kCacheMultiple;
  if (least.bytes < 0 || times >= kCacheMultiple) return;
  texts.push_back(fmt::format(
      "{} moved only {:.1f} GB, {:.2f} times the memory of the nodes: a file cache may have served it (the rule "
      "is {:.0f} times the size of the cache)",
      least.where, gigabytes(least.bytes), times, kCacheMultiple));
}

}  // namespace

std::vector<std::string> not_comparable_because(const Report& report) {
  const Settings& settings = report.settings;
  std::vector<std::string> reasons;
  const double least = least_seconds(settings.release, settings.rewrite_all);
  if (settings.seconds < least) {
    reasons.push_back(fmt::format("T is {:g} s; release {} asks for at least {:g} minutes", settings.seconds,
                                  name(settings.release), least / 60));
  }
  if (settings.types.size() < kAllTypes.size()) reasons.push_back("pattern types were left out");
  if (settings.methods.size() < kAllMethods.size()) reasons.push_back("access methods were left out");
  if (settings.release == Release::kTwo && settings.partitions_chosen) {
    reasons.push_back("the partitions are not the three of release 2.0");
  }
  if (settings.mpart_chosen) reasons.push_back("MPART was chosen by hand");
  if (const int patterns = patterns_ended(report, Ending::kSpace); patterns > 0) {
    reasons.push_back(fmt::format("{} patterns ended early because the files may take only {:.1f} GB (--space)",
                                  patterns, gigabytes(settings.space_bytes)));
  }
  return reasons;
}

std::vector<std::string> warnings(const Report& report) {
  std::vector<std::string> texts;
  add_cache_warning(report, texts);
  if (const int patterns = patterns_ended(report, Ending::kLateTime); patterns > 0) {
    texts.push_back(
        fmt::format("{} patterns got less than their time because earlier ones took longer than theirs: T is "
                    "short for this system",
                    patterns));
  }
  if (!report.settings.sync) {
    texts.push_back("written data were not synchronised to storage in the timed part (--sync yes does)");
  }
  return texts;
}

}  // namespace beffio

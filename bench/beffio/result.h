// What a run of b_eff_io found: plain data, from the patterns up to the system.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "partition.h"
#include "pattern.h"
#include "schedule.h"

namespace beffio {

// Why a pattern was not repeated any more.
enum class Ending {
  kTime,      // its time was over
  kAmount,    // all data that it was to move had been moved
  kLateTime,  // its time was over, and it had been given less than planned because the run was late
  kSpace,     // writing: the files' part of the file system was used up
};

struct PatternResult {
  Pattern pattern;
  std::int64_t bytes = 0;  // of all ranks
  double seconds = 0;      // of the slowest rank
  std::int64_t calls = 0;  // of one rank
  std::string hints;       // those given for this pattern
  Ending ending = Ending::kTime;
};

struct TypeResult {
  Type type = Type::kScatter;
  std::int64_t bytes = 0;  // of all its patterns
  double seconds = 0;      // from open to close
  std::string hints;       // those given at open
  std::vector<PatternResult> patterns;
};

struct MethodResult {
  Method method = Method::kWrite;
  std::vector<TypeResult> types;
};

struct PartitionResult {
  Partition partition;
  std::vector<MethodResult> methods;
};

// What has to be known to judge a value.
struct Settings {
  Release release = Release::kTwo;
  double seconds = 0;  // T
  int ranks = 0;
  int nodes = 0;
  int ranks_per_node = 0;                 // of the node with most
  std::int64_t memory_of_node_bytes = 0;  // of the node with least
  std::int64_t mpart_bytes = 0;
  bool mpart_chosen = false;  // by hand
  bool partitions_chosen = false;
  bool rewrite_all = false;
  bool sync = false;
  bool verify = true;
  std::int64_t space_bytes = 0;    // what all files together may take
  std::int64_t striping_unit = 0;  // 0: not known
  std::string directory;
  std::string file_system;
  std::string mpi;
  std::string system;  // of the node of rank 0: name, release, machine
  std::string date;
  std::vector<Type> types;
  std::vector<Method> methods;
};

struct Report {
  Settings settings;
  std::vector<PartitionResult> partitions;
};

// The release as the paper calls it, "1.x" or "2.0".
constexpr const char* name(Release release) { return release == Release::kOne ? "1.x" : "2.0"; }

}  // namespace beffio

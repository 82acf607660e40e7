#include "run.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "agree.h"
#include "memory.h"
#include "partition.h"
#include "space.h"
#include "type_run.h"

namespace beffio {
namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Of all types that are executed.
std::vector<Pattern> executed_patterns(const Options& options, std::int64_t mpart_bytes) {
  std::vector<Pattern> patterns = all_patterns(mpart_bytes);
  std::erase_if(patterns, [&](const Pattern& pattern) {
    return std::ranges::find(options.types, pattern.type) == options.types.end();
  });
  return patterns;
}

// Ranks of the partitions whose files exist together with those of `partition`: release 2.0 keeps all until the end.
std::vector<int> ranks_together(const Options& options, const std::vector<Partition>& partitions,
                                const Partition& partition) {
  if (options.release == Release::kOne) return {partition.ranks};
  std::vector<int> ranks;
  for (const Partition& each : partitions) ranks.push_back(each.ranks);
  return ranks;
}

Space space_of(const Options& options, const Settings& settings, const Partition& partition) {
  return {settings.space_bytes, ranks_together(options, partitions_of(options, settings.ranks), partition),
          executed_patterns(options, settings.mpart_bytes)};
}

TimeFrame frame_of(const Options& options, int partitions) {
  return {options.release, options.seconds, partitions, options.rewrite_all};
}

// Tells people what is going on, on rank 0 only.
class Progress {
 public:
  Progress(const Options& options, double begin)
      : shown_(world_rank() == 0 && (options.progress || ::isatty(STDERR_FILENO) != 0)), begin_(begin) {}

  void show(const Partition& partition, Method method, Type type) const {
    if (!shown_) return;
    std::fprintf(stderr, "b_eff_io: %7.1f s  partition %s, %s, type %d\n", MPI_Wtime() - begin_, partition.name.c_str(),
                 std::string(name(method)).c_str(), number_of(type));
  }

 private:
  bool shown_;
  double begin_;
};

class Runner {
 public:
  Runner(const Options& options, const HintsFile& hints, const Scratch& scratch, Settings settings,
         std::vector<Partition> partitions)
      : options_(options),
        scratch_(scratch),
        frame_(frame_of(options, static_cast<int>(partitions.size()))),
        memory_(world_rank(), largest_call(settings.mpart_bytes)),
        schedule_(seconds_of_unit(frame_)),
        begin_(synchronised_time()),
        progress_(options, begin_),
        bench_{options, hints, memory_, schedule_, settings.mpart_bytes, begin_} {
    report_.settings = std::move(settings);
    for (Partition& partition : partitions) add_partition(std::move(partition));
  }

  ~Runner() {
    for (PartitionState& state : states_) {
      if (state.comm != MPI_COMM_NULL) MPI_Comm_free(&state.comm);
    }
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  weir::Result<Report> run() {
    weir::Status status = options_.release == Release::kTwo ? method_by_method() : partition_by_partition();
    if (!status.ok()) return status;
    for (const PartitionState& state : states_) {
      report_.settings.striping_unit = std::max(report_.settings.striping_unit, state.striping_unit);
    }
    return report_;
  }

 private:
  static double synchronised_time() {
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
  }

  static std::string prefix_of(const Partition& partition) { return fmt::format("n{}.", partition.ranks); }

  void add_partition(Partition partition) {
    PartitionState& state = states_.emplace_back();
    const int rank = world_rank();
    MPI_Comm_split(MPI_COMM_WORLD, rank < partition.ranks ? 0 : MPI_UNDEFINED, rank, &state.comm);
    state.ranks = partition.ranks;
    state.bytes_of_unit = space_of(options_, report_.settings, partition).bytes_of_unit(partition.ranks);
    state.path = scratch_.path_of(prefix_of(partition) + "type");
    report_.partitions.push_back({std::move(partition), {}});
  }

  // Release 2.0: the time between writing and reading a file is as long as possible.
  weir::Status method_by_method() {
    for (const Method method : options_.methods) {
      for (std::size_t index = 0; index < states_.size(); ++index) {
        weir::Status status = run_method(index, method);
        if (!status.ok()) return status;
      }
    }
    return {};
  }

  weir::Status partition_by_partition() {
    for (std::size_t index = 0; index < states_.size(); ++index) {
      for (const Method method : options_.methods) {
        weir::Status status = run_method(index, method);
        if (!status.ok()) return status;
      }
      if (world_rank() == 0) scratch_.remove_files(prefix_of(report_.partitions[index].partition));
    }
    return {};
  }

  // COLLECTIVE. Ranks outside of the partition wait, and keep the same schedule as those inside.
  weir::Status run_method(std::size_t index, Method method) {
    weir::Status status;
    if (states_[index].comm != MPI_COMM_NULL) {
      status = run_types(index, method);
    } else {
      schedule_.advance(units_of(types_of(method, options_.types, frame_)));
    }
    wait_idly(MPI_COMM_WORLD);
    return agree(status, MPI_COMM_WORLD);
  }

  weir::Status run_types(std::size_t index, Method method) {
    PartitionResult& partition = report_.partitions[index];
    MethodResult result{method, {}};
    for (const Type type : types_of(method, options_.types, frame_)) {
      progress_.show(partition.partition, method, type);
      auto type_result = TypeRun(bench_, states_[index], type, method).run();
      if (!type_result.ok()) return type_result.status();
      result.types.push_back(std::move(type_result).value());
    }
    partition.methods.push_back(std::move(result));
    return {};
  }

  const Options& options_;
  const Scratch& scratch_;
  TimeFrame frame_;
  Memory memory_;
  Schedule schedule_;
  double begin_;
  Progress progress_;
  Bench bench_;
  std::vector<PartitionState> states_;
  Report report_;
};

}  // namespace

std::vector<Partition> partitions_of(const Options& options, int ranks) {
  if (!options.partitions.empty()) return chosen_partitions(options.partitions, ranks);
  if (options.release == Release::kOne) return {whole(ranks)};
  return three_partitions(ranks);
}

std::int64_t least_bytes(const Options& options, const Settings& settings) {
  std::int64_t bytes = 0;
  for (const Partition& partition : partitions_of(options, settings.ranks)) {
    bytes = std::max(bytes, space_of(options, settings, partition).least_bytes());
  }
  return bytes;
}

weir::Result<Report> run(const Options& options, const Settings& settings, const HintsFile& hints,
                         const Scratch& scratch) {
  Runner runner(options, hints, scratch, settings, partitions_of(options, settings.ranks));
  return runner.run();
}

}  // namespace beffio

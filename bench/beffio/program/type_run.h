// One pattern type under one access method in one partition: from opening its file to closing it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agree.h"
#include "base/status.h"
#include "hints_file.h"
#include "memory.h"
#include "options.h"
#include "partition.h"
#include "repeats.h"
#include "result.h"
#include "schedule.h"
#include "type_file.h"

namespace beffio {

// What all of a run has in common; equal on all ranks but for `memory`.
struct Bench {
  const Options& options;
  const HintsFile& hints;
  Memory& memory;
  Schedule& schedule;
  std::int64_t mpart_bytes;
  double begin;  // MPI_Wtime when the run began
};

// What the methods after the first have to know of a type: repeats of each of its patterns.
struct TypeHistory {
  std::vector<std::int64_t> written;
  std::vector<std::int64_t> rewritten;
  std::int64_t segment_bytes = 0;
};

// What is kept of a partition between methods.
struct PartitionState {
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks = 0;
  std::int64_t bytes_of_unit = 0;  // see Space
  std::string path;                // how the paths of its files begin
  Amounts amounts;
  std::map<Type, TypeHistory> types;
  std::int64_t striping_unit = 0;
};

class TypeRun {
 public:
  TypeRun(Bench& bench, PartitionState& state, Type type, Method method);

  // COLLECTIVE over the partition. The same on all its ranks.
  weir::Result<TypeResult> run();

 private:
  // How often a pattern is repeated at most, and why not more often.
  struct Limit {
    std::int64_t repeats;
    Ending ending;
    bool time_driven;  // its time may end it before
  };

  // Repeats of each pattern if this is size-driven writing, otherwise empty.
  std::vector<std::int64_t> planned_repeats() const;
  Limit limit_of(std::size_t index) const;
  std::int64_t begin_of(std::size_t index) const;
  weir::Status run_patterns(TypeResult& result);
  weir::Status run_pattern(std::size_t index, PatternResult& result);
  weir::Status repeat(std::size_t index, const Limit& limit, PatternResult& result);
  weir::Status run_batch(const Pattern& pattern, std::int64_t first, std::int64_t repeats);
  weir::Status finish_pattern(std::size_t index, double begin, PatternResult& result);
  weir::Status verify(std::size_t index, std::int64_t last) const;
  void learn_striping_unit();
  // COLLECTIVE. As agree(); a rank that failed does not wait for ever.
  Agreement agreed(const weir::Status& own, double value = 0) const;

  // Seconds of the timed part so far.
  double now() const { return MPI_Wtime() - begin_ - paused_; }

  Bench& bench_;
  PartitionState& state_;
  TypeHistory& history_;
  Type type_;
  Method method_;
  std::vector<Pattern> patterns_;
  std::vector<std::int64_t> planned_;
  TypeFile file_;
  double begin_ = 0;
  double paused_ = 0;
};

}  // namespace beffio

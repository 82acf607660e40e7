// Alone: ranks that access the file each for itself, a request for every piece; reading, with advice ahead of them
// where a hint asks for it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/extent.h"
#include "plan/prefetch.h"
#include "sim/agents.h"
#include "sim/gate.h"
#include "sim/program.h"
#include "sim/rounds.h"

namespace weir::sim {

class Alone {
 public:
  // Keeps the references. `prefetch` is for reads; through `agents` where there are some.
  Alone(const Stage& stage, Program& program, Direction direction, const plan::Prefetch& prefetch,
        Agents* agents = nullptr)
      : stage_(stage), program_(program), direction_(direction), prefetch_(prefetch), agents_(agents) {}

  // Every rank makes the calls [first, last) one after the other, from now on. Of each rank's pieces only the first
  // ones are played where there would be more than `most_pieces` in all.
  void start(std::int64_t first, std::int64_t last, std::int64_t most_pieces);

  // Of all bytes; and how many times what was played they are.
  std::int64_t bytes() const { return bytes_; }
  double share() const { return played_ > 0 ? static_cast<double>(bytes_) / static_cast<double>(played_) : 1; }

 private:
  // What a rank touches of one block.
  struct Range {
    Extent span;
    std::int64_t pieces = 0;
    std::int64_t bytes = 0;
    Gate there;
  };
  struct Rank {
    std::vector<Extent> pieces;
    std::size_t next = 0;
    // Where reads have advice:
    std::vector<Range> ranges;
    std::size_t asked = 0;
    std::size_t read = 0;
    std::int64_t to_read = 0;  // before it asks again
    plan::PrefetchPolicy policy{1};
  };

  void collect(int rank, std::int64_t first, std::int64_t last, std::int64_t most_pieces);
  void go_on(int rank);
  void find_ranges(Rank& rank) const;
  void advise(int rank);
  void read_range(int rank);

  Stage stage_;
  Program& program_;
  Direction direction_;
  plan::Prefetch prefetch_;
  Agents* agents_;
  std::vector<Rank> ranks_;
  std::int64_t bytes_ = 0;
  std::int64_t played_ = 0;
};

}  // namespace weir::sim

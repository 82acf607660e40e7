// Alone: ranks that access the file each for itself, a request for every piece.
#pragma once

#include <cstdint>
#include <vector>

#include "base/extent.h"
#include "sim/program.h"
#include "sim/rounds.h"

namespace weir::sim {

class Alone {
 public:
  // Keeps the references.
  Alone(const Stage& stage, Program& program, Direction direction)
      : stage_(stage), program_(program), direction_(direction) {}

  // Every rank makes the calls [first, last) one after the other, from now on. Of each rank's pieces only the first
  // ones are played where there would be more than `most_pieces` in all.
  void start(std::int64_t first, std::int64_t last, std::int64_t most_pieces);

  // Of all bytes; and how many times what was played they are.
  std::int64_t bytes() const { return bytes_; }
  double share() const { return played_ > 0 ? static_cast<double>(bytes_) / static_cast<double>(played_) : 1; }

 private:
  struct Rank {
    std::vector<Extent> pieces;
    std::size_t next = 0;
  };

  void collect(int rank, std::int64_t first, std::int64_t last, std::int64_t most_pieces);
  void go_on(int rank);

  Stage stage_;
  Program& program_;
  Direction direction_;
  std::vector<Rank> ranks_;
  std::int64_t bytes_ = 0;
  std::int64_t played_ = 0;
};

}  // namespace weir::sim

// Random collective calls, as programs make them: dealt out tiles, nested types, time steps.
#pragma once

#include <cstdint>
#include <random>

#include "exec/collective_call.h"

namespace weir::exec {

// Draws the calls of one program, one after the other.
class RandomCalls {
 public:
  // Ranks ask for at most about `most_bytes` each.
  RandomCalls(std::mt19937_64& random, int ranks, std::int64_t most_bytes)
      : random_(random), ranks_(ranks), most_bytes_(most_bytes) {}

  // New views, or the ones before at the same or at a later place; some ranks may have nothing.
  Call next();

  // What a file system may say of itself.
  driver::StorageLayout storage();

 private:
  std::int64_t pick(std::int64_t least, std::int64_t most);
  bool one_in(std::int64_t n) { return pick(1, n) == 1; }

  layout::Layout memory(std::int64_t bytes);
  layout::Layout nested_memory(std::int64_t bytes);
  std::int64_t request_bytes(std::int64_t etype_bytes);
  Shape with_memory(const layout::FileView& view, std::int64_t first_etype);

  // A tile of the file cut into pieces; each is some rank's or nobody's.
  std::vector<Shape> dealt();
  // Random types, each rank in a region of its own or all in one.
  std::vector<Shape> nested(bool may_write);
  layout::FileView nested_view(bool may_write);
  // A contiguous block of the file for each rank.
  std::vector<Shape> blocks();
  // The same view for all.
  std::vector<Shape> ordered();
  // Time steps: the views of the last call, further on in the file.
  std::vector<Shape> later(bool move_on);
  void leave_one_rank(std::vector<Shape>& shapes);

  std::mt19937_64& random_;
  int ranks_;
  std::int64_t most_bytes_;
  Call last_;
};

}  // namespace weir::exec

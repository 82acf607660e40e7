// The parts of random programs that need no knowledge of the program so far.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "programs/program.h"

namespace weir::programs {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t pick(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  int pick_int(int least, int most) { return static_cast<int>(pick(least, most)); }
  bool one_in(std::int64_t n) { return pick(1, n) == 1; }
  template <typename List>
  auto one_of(const List& list) {
    return *(list.begin() + pick(0, static_cast<std::int64_t>(list.size()) - 1));
  }
  template <typename T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + pick(0, static_cast<std::int64_t>(list.size()) - 1));
  }
  // Some of the set, at least one.
  RankSet some_of(RankSet set);

 private:
  std::mt19937_64 engine_;
};

using Hints = std::vector<std::pair<std::string, std::string>>;

// Hints of all kinds; small collective buffers, so that calls take several rounds.
Hints draw_hints(Random& random);
// Adds hints about I/O agents, on or off.
void draw_agent_hints(Random& random, Hints& hints);

// Memory for `count` etypes.
Memory draw_memory(Random& random, std::int64_t count);

struct ViewLimits {
  std::int64_t file_bytes = 1 << 14;  // one tile of all ranks is at most about so long
  bool empty = true;                  // ranks may see no byte
};

// A view for each rank of the communicator: either equal on all ranks of a colour, or such that no byte is seen by two.
std::vector<View> draw_views(Random& random, const Communicator& communicator, const ViewLimits& limits);

Communicator draw_communicator(Random& random, int ranks, bool is_first);

}  // namespace weir::programs

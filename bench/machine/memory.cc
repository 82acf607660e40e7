// Copies, pieces, sleep and wake.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "machine/findings.h"

namespace machine {

namespace {

constexpr std::size_t kBytes = 16 << 20;  // more than stays in caches near a core
constexpr std::size_t kTimes = 4;
constexpr std::size_t kPiece = 8;
constexpr int kTurns = 2000;

// What the compiler may not leave out.
void use(const std::vector<char>& bytes) {
  static std::atomic<char> last;
  last = bytes.back();
}

struct Buffers {
  std::vector<char> from = std::vector<char>(kBytes, 'a');
  std::vector<char> to = std::vector<char>(kBytes, 'b');
};

void copy(Buffers& buffers) {
  for (std::size_t i = 0; i < kTimes; ++i) {
    std::memcpy(buffers.to.data(), buffers.from.data(), kBytes);
    use(buffers.to);
  }
}

double copy_rate(Buffers& buffers) {
  return static_cast<double>(kBytes * kTimes) / least_time([&] { copy(buffers); });
}

// COLLECTIVE. Of the ranks of a node together, from when they begin until the last has finished.
double node_copy_rate(const Place& place, Buffers& buffers) {
  meet();
  const double begin = MPI_Wtime();
  copy(buffers);
  meet();
  const double took = (MPI_Wtime() - begin) * 1e6;
  return static_cast<double>(kBytes * kTimes) * place.ranks_of_node / took;
}

// Gathers small pieces that lie at twice their size, in memory that stays in caches: their bytes cost next to nothing.
double piece_cost() {
  constexpr std::size_t kNear = 64 << 10;
  const std::vector<char> from(kNear, 'a');
  std::vector<char> to(kNear / 2, 'b');
  const std::size_t pieces = kNear / (2 * kPiece);
  const double took = least_time([&] {
    for (std::size_t i = 0; i < pieces; ++i) std::memcpy(&to[i * kPiece], &from[2 * i * kPiece], kPiece);
    use(to);
  });
  return took / static_cast<double>(pieces);
}

// Two threads that wake each other: a turn is a sleep and a wake.
double sleep_cost() {
  std::atomic<int> turn = 0;
  const auto take_turns = [&turn](int parity) {
    for (int i = parity; i < kTurns; i += 2) {
      for (int seen = turn.load(); seen != i; seen = turn.load()) turn.wait(seen);
      turn.store(i + 1);
      turn.notify_all();
    }
  };
  const double took = least_time([&] {
    turn = 0;
    std::thread other(take_turns, 1);
    take_turns(0);
    other.join();
  });
  return took / kTurns;
}

}  // namespace

void measure_memory(const Place& place) {
  Buffers buffers;
  const double node = node_copy_rate(place, buffers);
  if (place.rank == 0) {
    const double alone = copy_rate(buffers);
    found("memory.copy_mb_s", alone, "measured: memcpy of 16 MiB by one rank");
    found("memory.node_copy_mb_s", std::max(node, alone), "measured: memcpy of 16 MiB by all ranks of a node at once");
    found("memory.piece_us", piece_cost(), "measured: pieces of 8 bytes");
    found("memory.sleep_us", sleep_cost(), "measured: two threads that wake each other");
  }
  meet();
}

}  // namespace machine

// Copies, pieces, sleep and wake.
#include <linux/futex.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "machine/findings.h"

namespace machine {

namespace {

// A program's data come from further away than caches near a core; windows stay in these. Of a window, a rank has a
// block here and there.
constexpr std::size_t kData = 64 << 20;
constexpr std::size_t kWindow = 1 << 20;
constexpr std::size_t kBlock = 1 << 10;
constexpr std::size_t kRanks = 4;  // that share a window
constexpr std::size_t kPiece = 8;
constexpr std::uint32_t kTurns = 2000;

// What the compiler may not leave out.
void use(const std::vector<char>& bytes) {
  static std::atomic<char> last;
  last = bytes.back();
}

struct Buffers {
  std::vector<char> data = std::vector<char>(kData, 'a');
  std::vector<char> window = std::vector<char>(kWindow, 'b');
};

// Into windows, as for writing, and out of them, in turn.
void copy(Buffers& buffers) {
  bool out = false;
  std::size_t own = 0;  // block of the window
  for (std::size_t at = 0; at < kData; at += kBlock, own += kRanks) {
    if (own * kBlock >= kWindow) {
      own = (own + 1) % kRanks;
      out = !out;
    }
    char* data = &buffers.data[at];
    char* window = &buffers.window[own * kBlock];
    std::memcpy(out ? data : window, out ? window : data, kBlock);
  }
  use(buffers.window);
  use(buffers.data);
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

// Sleeps until `turn` is not `seen`; without looking a few times first, as the standard library does.
void sleep_while(std::atomic<std::uint32_t>& turn, std::uint32_t seen) {
  while (turn.load() == seen) syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}
void wake(std::atomic<std::uint32_t>& turn) { syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

// Two threads that wake each other: a turn is a sleep and a wake.
double sleep_cost() {
  std::atomic<std::uint32_t> turn = 0;
  const auto take_turns = [&turn](std::uint32_t parity) {
    for (std::uint32_t i = parity; i < kTurns; i += 2) {
      for (std::uint32_t seen = turn.load(); seen != i; seen = turn.load()) sleep_while(turn, seen);
      turn.store(i + 1);
      wake(turn);
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
  const double all = static_cast<double>(kData) * place.ranks_of_node;
  const double node = all / usual_time_together([&] { copy(buffers); });
  if (place.rank == 0) {
    const double alone = static_cast<double>(kData) / least_time([&] { copy(buffers); });
    found("memory.copy_mb_s", alone,
          "measured: memcpy of 64 MiB, 1 KiB each, into and out of windows of 1 MiB by one rank");
    found("memory.node_copy_mb_s", std::max(node, alone), "measured: the same by all ranks of a node at once");
    found("memory.piece_us", piece_cost(), "measured: pieces of 8 bytes");
    found("memory.sleep_us", sleep_cost(), "measured: two threads that wake each other");
  }
  meet();
}

}  // namespace machine

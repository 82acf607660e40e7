// Tiling: the sum of lists, per piece.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "layout/tiling.h"

namespace weir::layout {
namespace {

constexpr std::int64_t kPieces = 100000;

Layout list(bool equal_lengths) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> displacements;
  std::vector<std::int64_t> lengths;
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < kPieces; ++i) {
    displacements.push_back(next);
    lengths.push_back(equal_lengths ? 8 : std::uniform_int_distribution<std::int64_t>(4, 64)(random));
    next += lengths.back() + std::uniform_int_distribution<std::int64_t>(1, 200)(random);
  }
  return Layout::blocks(displacements, lengths);
}

void run_tiling(benchmark::State& state, bool equal_lengths) {
  const Layout layout = list(equal_lengths);
  const Tiling tiling(1);
  for (auto _ : state) benchmark::DoNotOptimize(tiling.of(layout, {0, layout.data_bytes()}, 0));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kPieces);
}
BENCHMARK_CAPTURE(run_tiling, blocks, false)->Name("tiling/blocks");
BENCHMARK_CAPTURE(run_tiling, equal_blocks, true)->Name("tiling/equal_blocks");

void run_regular(benchmark::State& state) {
  const Layout layout = Layout::repeat(1000, 1 << 24, Layout::repeat(1000000, 16, Layout::contiguous(8)));
  const Tiling tiling(1);
  for (auto _ : state) benchmark::DoNotOptimize(tiling.of(layout, {5, layout.data_bytes() - 5}, 0));
}
BENCHMARK(run_regular)->Name("tiling/billion_pieces");

void run_construction(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Tiling(7));
}
BENCHMARK(run_construction)->Name("tiling/construction");

}  // namespace
}  // namespace weir::layout

// copy_slices and mark_pieces in a window of 1 MiB, beside memcpy of as many bytes.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "layout/copy_slices.h"
#include "layout/coverage_map.h"
#include "layout/request_list.h"

namespace weir::layout {
namespace {

constexpr std::int64_t kWindowBytes = 1 << 20;

// A file type that is tiled over the window, and the memory type whose instances fill it.
struct Pattern {
  Layout filetype;
  std::int64_t filetype_extent;
  Layout memory = Layout::contiguous(1);
  std::int64_t memory_extent = 1;
};

Pattern cyclic(std::int64_t piece_bytes, std::int64_t ranks) {
  return {Layout::contiguous(piece_bytes), piece_bytes * ranks};
}

// A quarter of the file, in pieces of 4, 8, ... 64 bytes anywhere.
Pattern irregular_runs() {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> displacements;
  std::vector<std::int64_t> lengths;
  std::int64_t next = 0;
  while (next < kWindowBytes) {
    displacements.push_back(next);
    lengths.push_back(4 * std::uniform_int_distribution<std::int64_t>(1, 16)(random));
    next += lengths.back() + 4 * std::uniform_int_distribution<std::int64_t>(1, 50)(random);
  }
  return {Layout::blocks(displacements, lengths), next};
}

// A quarter of the file, in equal blocks anywhere.
Pattern random_blocks(std::int64_t block_bytes) {
  std::mt19937_64 random(2);
  std::vector<std::int64_t> displacements;
  for (std::int64_t block = 0; block < 4 * kWindowBytes / block_bytes; ++block) {
    if (random() % 4 == 0) displacements.push_back(block * block_bytes);
  }
  return {Layout::copies(displacements, Layout::contiguous(block_bytes)), 4 * kWindowBytes};
}

// Rows of `row_bytes` of a 3-D array that has 2 x 2 x 2 such parts.
Pattern rows_in_file(std::int64_t row_bytes) {
  const std::int64_t rows = 32;
  const Layout plane = Layout::repeat(rows, 2 * row_bytes, Layout::contiguous(row_bytes));
  return {Layout::repeat(4, 4 * rows * row_bytes, plane), 16 * rows * row_bytes};
}

// The same rows, from an array with a halo of 8 bytes on each side of a row and one row on each side of a plane.
Pattern rows_on_both_sides(std::int64_t file_row_bytes, std::int64_t memory_row_bytes) {
  Pattern pattern = rows_in_file(file_row_bytes);
  const std::int64_t stride = memory_row_bytes + 16;
  pattern.memory = Layout::repeat(32, stride, Layout::contiguous(memory_row_bytes));
  pattern.memory_extent = 34 * stride;
  return pattern;
}

Pattern large_pieces() { return {Layout::contiguous(128 << 10), 512 << 10}; }

struct Workload {
  const char* name;
  Pattern pattern;
};

std::vector<Workload> workloads() {
  return {
      {"cyclic_4B_of_4", cyclic(4, 4)},
      {"cyclic_4B_of_16", cyclic(4, 16)},
      {"cyclic_64B_of_4", cyclic(64, 4)},
      {"cyclic_64B_of_16", cyclic(64, 16)},
      {"cyclic_100B_of_4", cyclic(100, 4)},
      {"irregular_4B_to_64B", irregular_runs()},
      {"random_blocks_8B", random_blocks(8)},
      {"random_blocks_1KiB", random_blocks(1024)},
      {"rows_512B", rows_in_file(512)},
      {"rows_512B_with_halo", rows_on_both_sides(512, 512)},
      {"rows_40B_to_24B", rows_on_both_sides(40, 24)},
      {"pieces_128KiB", large_pieces()},
  };
}

// The request for what the pattern has in the window, with its buffers.
struct Buffers {
  explicit Buffers(const Pattern& pattern) : window(kWindowBytes, std::byte{1}) {
    const FileView view(0, 1, pattern.filetype, pattern.filetype_extent);
    bytes = view.data_bytes_below(kWindowBytes) / pattern.memory.data_bytes() * pattern.memory.data_bytes();
    const std::int64_t instances = bytes / pattern.memory.data_bytes();
    memory.assign(static_cast<std::size_t>(instances * pattern.memory_extent), std::byte{2});
    requests =
        RequestList::make(view, 0, Memory::of(memory.data(), pattern.memory, pattern.memory_extent, instances)).value();
  }
  std::vector<std::byte> window;
  std::vector<std::byte> memory;
  std::int64_t bytes;
  RequestList requests;
};

void count_bytes(benchmark::State& state, std::int64_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
}

void run_copy(benchmark::State& state, const Pattern& pattern, Direction direction) {
  Buffers buffers(pattern);
  SliceCursor slices = buffers.requests.slices();
  for (auto _ : state) {
    slices.seek(0);
    copy_slices(direction, slices, {buffers.window.data(), 0}, buffers.bytes);
    benchmark::ClobberMemory();
  }
  count_bytes(state, buffers.bytes);
}

void run_mark(benchmark::State& state, const Pattern& pattern) {
  Buffers buffers(pattern);
  std::vector<std::uint64_t> words(CoverageMap::words_for(kWindowBytes));
  CoverageMap map(words);
  Cursor file = buffers.requests.file_cursor();
  for (auto _ : state) {
    map.clear(kWindowBytes);
    file.seek(0);
    mark_pieces(file, map, 0, buffers.bytes);
    benchmark::ClobberMemory();
  }
  count_bytes(state, buffers.bytes);
}

void run_memcpy(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes, std::byte{2});
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  count_bytes(state, state.range(0));
}
BENCHMARK(run_memcpy)->Name("memcpy")->Arg(kWindowBytes / 16)->Arg(kWindowBytes / 4);

const bool kRegistered = [] {
  for (const Workload& workload : workloads()) {
    const std::string name = workload.name;
    benchmark::RegisterBenchmark(("write/" + name).c_str(), run_copy, workload.pattern, Direction::kWrite);
    benchmark::RegisterBenchmark(("read/" + name).c_str(), run_copy, workload.pattern, Direction::kRead);
    benchmark::RegisterBenchmark(("mark/" + name).c_str(), run_mark, workload.pattern);
  }
  return true;
}();

}  // namespace
}  // namespace weir::layout

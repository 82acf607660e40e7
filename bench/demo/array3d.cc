// Writes and reads a 3-D array of 64-bit integers collectively: each rank holds a block of it, the file holds all of
// it in row-major order. Every element is its own position in the file, so that memory and file can be checked element
// by element. Prints one line:
//   bytes=N write_mb_per_s=X read_mb_per_s=X verified=yes|no
//
// usage: array3d FILE [SIDE [REPEATS]]

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using Triple = std::array<int, 3>;

struct Options {
  std::string path;
  int side = 256;
  int repeats = 5;
};

// The block of the global array that one rank holds.
struct Block {
  Triple global;
  Triple extent;
  Triple start;

  std::size_t elements() const {
    return static_cast<std::size_t>(extent[0]) * static_cast<std::size_t>(extent[1]) *
           static_cast<std::size_t>(extent[2]);
  }
};

// A collective call that fails on one rank would leave the others waiting: end them all.
void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::fprintf(stderr, "array3d: %s: %s\n", what, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Cuts the array into as many blocks as there are ranks; sides need not be divisible.
Block block_of(int rank, int ranks, int side) {
  Triple grid{};
  MPI_Dims_create(ranks, 3, grid.data());
  const Triple place = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
  Block block{.global = {side, side, side}, .extent = {}, .start = {}};
  for (std::size_t d = 0; d < 3; ++d) {
    block.start[d] = side * place[d] / grid[d];
    block.extent[d] = side * (place[d] + 1) / grid[d] - block.start[d];
  }
  return block;
}

// What a rank's block holds: each element's position in the file.
std::vector<std::int64_t> positions(const Block& block) {
  std::vector<std::int64_t> values;
  values.reserve(block.elements());
  for (int x = block.start[0]; x < block.start[0] + block.extent[0]; ++x) {
    for (int y = block.start[1]; y < block.start[1] + block.extent[1]; ++y) {
      const std::int64_t row = std::int64_t{x} * block.global[1] + y;
      for (int z = block.start[2]; z < block.start[2] + block.extent[2]; ++z) {
        values.push_back(row * block.global[2] + z);
      }
    }
  }
  return values;
}

MPI_File open_with_view(const std::string& path, const Block& block) {
  MPI_File file = MPI_FILE_NULL;
  check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
        "MPI_File_open");
  MPI_Datatype view = MPI_DATATYPE_NULL;
  check(MPI_Type_create_subarray(3, block.global.data(), block.extent.data(), block.start.data(), MPI_ORDER_C,
                                 MPI_INT64_T, &view),
        "MPI_Type_create_subarray");
  check(MPI_Type_commit(&view), "MPI_Type_commit");
  check(MPI_File_set_view(file, 0, MPI_INT64_T, view, "native", MPI_INFO_NULL), "MPI_File_set_view");
  MPI_Type_free(&view);
  return file;
}

// COLLECTIVE. Seconds that the slowest rank took.
double timed(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  call();
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// LOCAL. The whole file, read without MPI: each element has to be its own position.
bool file_is_right(const std::string& path, int side) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::int64_t> plane(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  std::int64_t expected = 0;
  for (int x = 0; x < side; ++x) {
    if (!file.read(reinterpret_cast<char*>(plane.data()),
                   static_cast<std::streamsize>(plane.size() * sizeof(plane[0])))) {
      return false;
    }
    for (const std::int64_t value : plane) {
      if (value != expected++) return false;
    }
  }
  return file.peek() == std::ifstream::traits_type::eof();
}

struct Result {
  double write_seconds;
  double read_seconds;
  bool verified;
};

// COLLECTIVE. The first repeat warms up and is not timed.
Result run(const Options& options, const Block& block, int rank) {
  const std::vector<std::int64_t> written = positions(block);
  std::vector<std::int64_t> read(written.size(), -1);
  const int count = static_cast<int>(written.size());
  std::vector<double> write_seconds;
  std::vector<double> read_seconds;
  int right = 1;

  MPI_File file = open_with_view(options.path, block);
  for (int repeat = 0; repeat <= options.repeats; ++repeat) {
    check(MPI_File_seek(file, 0, MPI_SEEK_SET), "MPI_File_seek");
    const double writing = timed([&] {
      check(MPI_File_write_all(file, written.data(), count, MPI_INT64_T, MPI_STATUS_IGNORE), "MPI_File_write_all");
    });
    std::fill(read.begin(), read.end(), -1);
    check(MPI_File_seek(file, 0, MPI_SEEK_SET), "MPI_File_seek");
    const double reading = timed([&] {
      check(MPI_File_read_all(file, read.data(), count, MPI_INT64_T, MPI_STATUS_IGNORE), "MPI_File_read_all");
    });
    right = right && read == written;
    if (repeat > 0) {
      write_seconds.push_back(writing);
      read_seconds.push_back(reading);
    }
  }
  check(MPI_File_close(&file), "MPI_File_close");

  if (rank == 0) right = right && file_is_right(options.path, options.side);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return {median(write_seconds), median(read_seconds), right != 0};
}

Options parse(int argc, char** argv) {
  Options options;
  if (argc > 1) options.path = argv[1];
  if (argc > 2) options.side = std::atoi(argv[2]);
  if (argc > 3) options.repeats = std::atoi(argv[3]);
  if (options.path.empty() || options.side < 1 || options.repeats < 1) {
    std::fprintf(stderr, "usage: array3d FILE [SIDE [REPEATS]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Options options = parse(argc, argv);
  const Result result = run(options, block_of(rank, ranks, options.side), rank);
  if (rank == 0) {
    const double bytes = 8.0 * options.side * options.side * options.side;
    std::printf("bytes=%.0f write_mb_per_s=%.0f read_mb_per_s=%.0f verified=%s\n", bytes,
                bytes / 1e6 / result.write_seconds, bytes / 1e6 / result.read_seconds, result.verified ? "yes" : "no");
  }
  MPI_Finalize();
  return result.verified ? 0 : 1;
}

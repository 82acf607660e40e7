// Who owns which words of a file: in pieces of 64 bytes in turn, or as blocks of a 3-D array. The word at an offset
// follows from the offset and a seed, so that any part of a file can be checked by itself.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace matrix {

using Words = std::vector<std::uint64_t>;
constexpr std::uint64_t kWordBytes = 8;
constexpr std::uint64_t kPieceWords = 8;

inline std::uint64_t word_at(std::uint64_t place, std::uint64_t seed) {
  return (place + 1) * 0x9E3779B97F4A7C15U + seed * 0xD1B54A32D192ED03U;
}

// This rank's part of a file of `bytes` (a power of two). REQUIRES a power of two of ranks.
class Shape {
 public:
  Shape(bool blocks, std::uint64_t bytes) : blocks_(blocks), total_(bytes / kWordBytes) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    blocks ? make_blocks() : make_pieces();
    MPI_Type_commit(&type_);
  }
  ~Shape() { MPI_Type_free(&type_); }
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  MPI_Datatype file_type() const { return type_; }
  MPI_Offset displacement() const { return blocks_ ? 0 : static_cast<MPI_Offset>(kPieceWords * kWordBytes) * rank_; }

  // What this rank writes, in the order of its view.
  Words words(std::uint64_t seed) const {
    Words result(total_ / static_cast<std::uint64_t>(ranks_));
    for (std::uint64_t i = 0; i < result.size(); ++i)
      result[i] = word_at(blocks_ ? block_place(i) : piece_place(i), seed);
    return result;
  }

  // Reads this rank's share of the whole file by POSIX means; returns what is wrong with it, or nothing.
  std::string check_file(const std::string& path, std::uint64_t seed) const {
    const std::uint64_t share = total_ / static_cast<std::uint64_t>(ranks_);
    const std::uint64_t first = share * static_cast<std::uint64_t>(rank_);
    Words found(share);
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto bytes = static_cast<ssize_t>(share * kWordBytes);
    const bool whole =
        pread(descriptor, found.data(), share * kWordBytes, static_cast<off_t>(first * kWordBytes)) == bytes;
    close(descriptor);
    if (!whole) return "the file is too short";
    for (std::uint64_t i = 0; i < share; ++i) {
      if (found[i] != word_at(first + i, seed)) return "wrong bytes at " + std::to_string((first + i) * kWordBytes);
    }
    return {};
  }

 private:
  void make_pieces() {
    MPI_Datatype piece = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(kPieceWords), MPI_UINT64_T, &piece);
    MPI_Type_create_resized(piece, 0, static_cast<MPI_Aint>(kPieceWords * kWordBytes) * ranks_, &type_);
    MPI_Type_free(&piece);
  }
  void make_blocks() {
    std::array<int, 3> grid = {0, 0, 0};
    MPI_Dims_create(ranks_, 3, grid.data());
    for (std::uint64_t words = total_, axis = 0; words > 1; words /= 2, axis = (axis + 1) % 3) sizes_[axis] *= 2;
    const std::array<int, 3> coordinates = {rank_ / (grid[1] * grid[2]), rank_ / grid[2] % grid[1], rank_ % grid[2]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      parts_[axis] = sizes_[axis] / grid[axis];
      starts_[axis] = parts_[axis] * coordinates[axis];
    }
    MPI_Type_create_subarray(3, sizes_.data(), parts_.data(), starts_.data(), MPI_ORDER_C, MPI_UINT64_T, &type_);
  }
  std::uint64_t piece_place(std::uint64_t i) const {
    return (i / kPieceWords * static_cast<std::uint64_t>(ranks_) + static_cast<std::uint64_t>(rank_)) * kPieceWords +
           i % kPieceWords;
  }
  std::uint64_t block_place(std::uint64_t i) const {
    const auto at = [this](std::size_t axis, std::uint64_t index) {
      return static_cast<std::uint64_t>(starts_[axis]) + index % static_cast<std::uint64_t>(parts_[axis]);
    };
    const auto row = static_cast<std::uint64_t>(parts_[2]);
    const auto plane = row * static_cast<std::uint64_t>(parts_[1]);
    return (at(0, i / plane) * static_cast<std::uint64_t>(sizes_[1]) + at(1, i / row)) *
               static_cast<std::uint64_t>(sizes_[2]) +
           at(2, i);
  }

  bool blocks_;
  std::uint64_t total_;  // words
  int rank_ = 0;
  int ranks_ = 1;
  std::array<int, 3> sizes_ = {1, 1, 1};
  std::array<int, 3> parts_ = {1, 1, 1};
  std::array<int, 3> starts_ = {0, 0, 0};
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace matrix

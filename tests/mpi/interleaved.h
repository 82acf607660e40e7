// A file whose pieces belong to the ranks in turn: no rank can write or read its part without the others' ones between.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "mpi_test.h"

namespace mpi_test {

constexpr int kPieceBytes = 512;

// An MPI_Info with the hints in `pairs` ("name=value name=value"), then those in the variable TEST_HINTS. LOCAL.
class Hints {
 public:
  explicit Hints(const std::string& pairs = "") {
    MPI_Info_create(&info_);
    std::istringstream words(pairs + " " + environment("TEST_HINTS"));
    for (std::string pair; words >> pair;) {
      const std::string name = pair.substr(0, pair.find('='));
      MPI_Info_set(info_, name.c_str(), pair.c_str() + name.size() + 1);
    }
  }
  ~Hints() { MPI_Info_free(&info_); }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  operator MPI_Info() const { return info_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// COLLECTIVE. Every size()-th piece of the file is this rank's.
inline void set_interleaved_view(MPI_File file) {
  const Type piece = Type::contiguous(kPieceBytes, MPI_BYTE);
  const Type mine = Type::resized(piece, 0, static_cast<MPI_Aint>(kPieceBytes) * size());
  EXPECT_OK(
      MPI_File_set_view(file, static_cast<MPI_Offset>(kPieceBytes) * rank(), MPI_BYTE, mine, "native", MPI_INFO_NULL));
}

// What a rank writes: `pieces` pieces, others for another `step`.
inline Bytes part_of(int of_rank, int pieces, int step = 0) {
  return pattern(static_cast<std::size_t>(kPieceBytes) * static_cast<std::size_t>(pieces),
                 static_cast<unsigned>(1000 * step + of_rank));
}

// The file that all ranks' parts make.
inline Bytes interleaved(int pieces, int step = 0) {
  const int ranks = size();
  Bytes all(static_cast<std::size_t>(kPieceBytes) * static_cast<std::size_t>(pieces * ranks));
  for (int r = 0; r < ranks; ++r) {
    const Bytes part = part_of(r, pieces, step);
    for (int piece = 0; piece < pieces; ++piece) {
      std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(piece) * kPieceBytes, kPieceBytes,
                  all.begin() + (static_cast<std::ptrdiff_t>(piece) * ranks + r) * kPieceBytes);
    }
  }
  return all;
}

}  // namespace mpi_test

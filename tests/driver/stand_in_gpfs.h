// A stand-in for libgpfs: what its gpfs_fcntl() was told, and what it is to answer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weir::driver {

struct GpfsRange {
  std::int64_t block;
  int begin;
  int bytes;
  bool operator==(const GpfsRange&) const = default;
};

struct StandInGpfs {
  int calls = 0;
  int failing_call = 0;   // fails with EIO, from 1; 0: none
  int most_accepted = 8;  // ranges of one call
  int malformed = 0;      // calls with any byte out of its place
  int cancels = 0;
  std::vector<GpfsRange> accessed;  // those accepted
  std::vector<GpfsRange> released;
};

// The library exports it under this name.
using StandInGpfsGetter = StandInGpfs& (*)();
inline constexpr const char* kStandInGpfsGetter = "stand_in_gpfs";

}  // namespace weir::driver

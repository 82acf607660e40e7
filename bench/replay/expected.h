// What files have to hold after a captured program has run again with generated data. No MPI is needed here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/extent.h"
#include "capture/capture.h"

namespace bench {

// What is known of one file of a capture without looking at its bytes.
struct ReplayedFile {
  std::string path;              // as it was captured
  std::int64_t begin_bytes = 0;  // its size when it was first opened
  std::int64_t end_bytes = 0;    // and after the last call
  bool shrinks = false;          // some call makes it smaller
};

// The files of a capture. A path that is opened again and empty is another file: the program has removed the first one,
// or somebody else has.
struct ReplayedFiles {
  std::vector<ReplayedFile> all;
  std::vector<std::vector<std::size_t>> of_rank;  // of each rank's opens, in order: which file

  // The file that a call of a rank is on.
  std::size_t of(int rank, const weir::capture::Op& op) const {
    return of_rank[static_cast<std::size_t>(rank)][static_cast<std::size_t>(op.file)];
  }
};
ReplayedFiles files_of(const weir::capture::Capture& capture);

// What one byte of a file is after the program, whatever the order of the ranks between calls that change its size.
enum class Content : std::uint8_t { kWritten, kAsBefore, kZero };

// Of the bytes of `part` of a file; those behind its end are kZero.
std::vector<Content> content_of(const weir::capture::Capture& capture, const ReplayedFiles& files, std::size_t file,
                                weir::Extent part);

}  // namespace bench

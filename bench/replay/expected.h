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

// The files of a capture, in the order in which they were opened, by rank.
std::vector<ReplayedFile> files_of(const weir::capture::Capture& capture);

// Which of files_of() an open is of.
std::size_t file_of(const std::vector<ReplayedFile>& files, const weir::capture::Open& open);

// What one byte of a file is after the program, whatever the order of the ranks between calls that change its size.
enum class Content : std::uint8_t { kWritten, kAsBefore, kZero };

// Of the bytes of `part` of a file; those behind its end are kZero.
std::vector<Content> content_of(const weir::capture::Capture& capture, const std::vector<ReplayedFile>& files,
                                std::size_t file, weir::Extent part);

}  // namespace bench

// From a Status to an error code of the host, whose MPI_Error_class and MPI_Error_string then tell class and text.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"

namespace weir::mpi {

// The host's number for a class.
int host_class(ErrorClass error_class);

// Makes codes that carry a text. Hosts never free codes: of each class the kMostCodes texts that were asked for last
// keep theirs, and a new text takes the code of the one that was asked for longest ago. MPICH does the like by itself,
// with 128 texts of all classes.
class ErrorCodes {
 public:
  int code_of(const Status& status);

 private:
  static constexpr std::size_t kMostCodes = 100;
  struct Code {
    int number = 0;
    std::string text;
  };
  std::mutex mutex_;
  std::unordered_map<int, std::vector<Code>> codes_;  // of each class; the text that was asked for last is the last
};

}  // namespace weir::mpi

// From a Status to an error code of the host, whose MPI_Error_class and MPI_Error_string then tell class and text.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>

#include "base/status.h"

namespace weir::mpi {

// The host's number for a class.
int host_class(ErrorClass error_class);

// Makes codes that carry a text. The same class and text give the same code; hosts never free codes, so after
// kMostCodes different texts the bare class is returned.
class ErrorCodes {
 public:
  int code_of(const Status& status);

 private:
  static constexpr std::size_t kMostCodes = 1000;
  std::mutex mutex_;
  std::unordered_map<std::string, int> codes_;
};

}  // namespace weir::mpi

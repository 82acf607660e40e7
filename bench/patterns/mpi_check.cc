#include "mpi_check.h"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace bench {

void end_job(std::string_view message) {
  std::fprintf(stderr, "patterns: %.*s\n", static_cast<int>(message.size()), message.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void check(int code, std::string_view what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  end_job(std::string(what) + ": " + text.data());
}

int to_int(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<int>::max())
    end_job("a count is too large for MPI; use a smaller --size");
  return static_cast<int>(value);
}

}  // namespace bench

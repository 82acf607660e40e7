#include "agree.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>

namespace beffio {
namespace {

std::string text_of_rank(int rank, std::string text, MPI_Comm comm) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, rank, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, rank, comm);
  return text;
}

}  // namespace

weir::Status status_of(int code, std::string_view what, const std::string& path) {
  if (code == MPI_SUCCESS) return {};
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  for (char& letter : text) {
    if (letter == '\n') letter = ' ';
  }
  return {weir::ErrorClass::kIo, fmt::format("{} {}: {}", what, path, text.data())};
}

Agreement agree(const weir::Status& own, double value, MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  // The lowest failed rank has the largest number here; 0: none failed.
  std::array<double, 2> both = {value, own.ok() ? 0.0 : static_cast<double>(ranks - rank)};
  MPI_Allreduce(MPI_IN_PLACE, both.data(), 2, MPI_DOUBLE, MPI_MAX, comm);
  if (both[1] == 0.0) return {{}, both[0]};
  const int failed = ranks - static_cast<int>(both[1]);
  return {{weir::ErrorClass::kIo, text_of_rank(failed, own.text(), comm)}, both[0]};
}

weir::Status agree(const weir::Status& own, MPI_Comm comm) { return agree(own, 0, comm).status; }

void wait_idly(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  for (int arrived = 0; arrived == 0;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

std::string text_of_rank_0(std::string text, MPI_Comm comm) { return text_of_rank(0, std::move(text), comm); }

}  // namespace beffio

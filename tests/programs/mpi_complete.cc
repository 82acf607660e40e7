// The ways to complete requests.
#include <time.h>

#include <algorithm>

#include "programs/mpi_backend.h"

namespace weir::programs {

namespace {

void nap() {
  constexpr timespec kNap = {0, 20 * 1000};
  nanosleep(&kNap, nullptr);
}

// Requests in a row, and how each ended.
struct Row {
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;
  std::vector<int> codes;
  int length() const { return static_cast<int>(requests.size()); }
  void done(int index, const MPI_Status& status, int code) {
    statuses[static_cast<std::size_t>(index)] = status;
    codes[static_cast<std::size_t>(index)] = code;
  }
};

void each(Row& row, bool backwards, bool test) {
  for (int i = 0; i < row.length(); ++i) {
    const auto at = static_cast<std::size_t>(backwards ? row.length() - 1 - i : i);
    int flag = test ? 0 : 1;
    if (!test) row.codes[at] = MPI_Wait(&row.requests[at], &row.statuses[at]);
    while (flag == 0) {
      row.codes[at] = MPI_Test(&row.requests[at], &flag, &row.statuses[at]);
      if (flag == 0) nap();
    }
  }
}

// Errors of single requests are in the statuses.
void take_codes(Row& row, int code) {
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    row.codes[i] = code == MPI_ERR_IN_STATUS ? row.statuses[i].MPI_ERROR : code;
  }
}

void all(Row& row, bool test) {
  int code = MPI_SUCCESS;
  int flag = test ? 0 : 1;
  if (!test) code = MPI_Waitall(row.length(), row.requests.data(), row.statuses.data());
  while (flag == 0 && code == MPI_SUCCESS) {
    code = MPI_Testall(row.length(), row.requests.data(), &flag, row.statuses.data());
    if (flag == 0) nap();
  }
  take_codes(row, code);
}

void any(Row& row) {
  for (;;) {
    int index = MPI_UNDEFINED;
    MPI_Status status = {};
    const int code = MPI_Waitany(row.length(), row.requests.data(), &index, &status);
    if (index == MPI_UNDEFINED) return;
    row.done(index, status, code);
  }
}

void some(Row& row) {
  std::vector<int> indices(row.requests.size());
  std::vector<MPI_Status> statuses(row.requests.size());
  for (;;) {
    int count = 0;
    const int code = MPI_Waitsome(row.length(), row.requests.data(), &count, indices.data(), statuses.data());
    if (count == MPI_UNDEFINED) return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      row.done(indices[i], statuses[i], code == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : code);
    }
  }
}

void complete_row(Row& row, Way way) {
  if (row.requests.empty()) return;
  switch (way) {
    case Way::kWaitEach: return each(row, false, false);
    case Way::kWaitBackwards: return each(row, true, false);
    case Way::kWaitall: return all(row, false);
    case Way::kWaitany: return any(row);
    case Way::kWaitsome: return some(row);
    case Way::kTest: return each(row, false, true);
    case Way::kTestall: return all(row, true);
  }
}

}  // namespace

std::map<int, Outcome> MpiBackend::complete(const Step& step) {
  Row row;
  std::vector<int> ids;
  const auto take = [&](std::map<int, MPI_Request>& requests, int id) {
    const auto found = requests.find(id);
    if (found == requests.end()) return false;
    row.requests.push_back(found->second);
    requests.erase(found);
    return true;
  };
  for (const int id : step.accesses) {
    if (take(accesses_, id)) ids.push_back(id);
  }
  for (const int id : step.messages) take(messages_, id);
  row.statuses.resize(row.requests.size());
  row.codes.resize(row.requests.size(), MPI_SUCCESS);
  complete_row(row, step.way);
  std::map<int, Outcome> outcomes;
  for (std::size_t i = 0; i < ids.size(); ++i) outcomes[ids[i]] = mpi_outcome(row.codes[i], row.statuses[i]);
  return outcomes;
}

}  // namespace weir::programs

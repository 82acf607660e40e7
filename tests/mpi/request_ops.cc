#include "request_ops.h"

#include <time.h>

#include <cstddef>
#include <string_view>

namespace mpi_test {

namespace {

constexpr double kPatienceSeconds = 15;

void nap() {
  constexpr timespec kNap = {0, 100 * 1000};
  nanosleep(&kNap, nullptr);
}

bool is_late(double start) { return MPI_Wtime() > start + kPatienceSeconds; }

int first_error(int before, int code) { return before == MPI_SUCCESS ? code : before; }

int length(const std::vector<MPI_Request>& requests) { return static_cast<int>(requests.size()); }

int by_wait(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  for (std::size_t i = 0; i < requests.size(); ++i) result = first_error(result, MPI_Wait(&requests[i], &statuses[i]));
  return result;
}

int by_waitany(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  for (;;) {
    int index = MPI_UNDEFINED;
    MPI_Status status;
    result = first_error(result, MPI_Waitany(length(requests), requests.data(), &index, &status));
    if (index == MPI_UNDEFINED) return result;
    statuses[static_cast<std::size_t>(index)] = status;
  }
}

int by_waitsome(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  std::vector<int> indices(requests.size());
  std::vector<MPI_Status> some(requests.size());
  for (;;) {
    int completed = 0;
    result =
        first_error(result, MPI_Waitsome(length(requests), requests.data(), &completed, indices.data(), some.data()));
    if (completed == MPI_UNDEFINED) return result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(completed); ++i) {
      statuses[static_cast<std::size_t>(indices[i])] = some[i];
    }
  }
}

int by_waitall(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  return MPI_Waitall(length(requests), requests.data(), statuses.data());
}

int by_test(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  const double start = MPI_Wtime();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (int done = 0; done == 0;) {
      result = first_error(result, MPI_Test(&requests[i], &done, &statuses[i]));
      if (done == 0 && (result != MPI_SUCCESS || is_late(start))) return first_error(result, MPI_ERR_PENDING);
      if (done == 0) nap();
    }
  }
  return result;
}

int by_testany(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  const double start = MPI_Wtime();
  while (!is_late(start)) {
    int index = MPI_UNDEFINED;
    int done = 0;
    MPI_Status status;
    result = first_error(result, MPI_Testany(length(requests), requests.data(), &index, &done, &status));
    if (done != 0 && index == MPI_UNDEFINED) return result;
    if (done != 0) statuses[static_cast<std::size_t>(index)] = status;
    if (done == 0) nap();
  }
  return first_error(result, MPI_ERR_PENDING);
}

int by_testsome(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  std::vector<int> indices(requests.size());
  std::vector<MPI_Status> some(requests.size());
  const double start = MPI_Wtime();
  while (!is_late(start)) {
    int completed = 0;
    result =
        first_error(result, MPI_Testsome(length(requests), requests.data(), &completed, indices.data(), some.data()));
    if (completed == MPI_UNDEFINED) return result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(completed); ++i) {
      statuses[static_cast<std::size_t>(indices[i])] = some[i];
    }
    if (completed == 0) nap();
  }
  return first_error(result, MPI_ERR_PENDING);
}

int by_testall(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  const double start = MPI_Wtime();
  for (;;) {
    int done = 0;
    const int code = MPI_Testall(length(requests), requests.data(), &done, statuses.data());
    if (done != 0 || code != MPI_SUCCESS) return code;
    if (is_late(start)) return MPI_ERR_PENDING;
    nap();
  }
}

int by_get_status(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  const double start = MPI_Wtime();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (int done = 0; done == 0;) {
      const int code = MPI_Request_get_status(requests[i], &done, &statuses[i]);
      if (code != MPI_SUCCESS) break;  // the wait below tells it again
      if (done == 0 && is_late(start)) return MPI_ERR_PENDING;
      if (done == 0) nap();
    }
  }
  return by_wait(requests, statuses);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define WITH_STATUS_OF_SEVERAL

int by_get_status_any(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  const double start = MPI_Wtime();
  while (!is_late(start)) {
    int index = MPI_UNDEFINED;
    int done = 0;
    MPI_Status status;
    MPI_Request_get_status_any(length(requests), requests.data(), &index, &done, &status);
    if (done != 0 && index == MPI_UNDEFINED) return result;
    if (done == 0) {
      nap();
      continue;
    }
    const auto place = static_cast<std::size_t>(index);
    result = first_error(result, MPI_Wait(&requests[place], &statuses[place]));
  }
  return first_error(result, MPI_ERR_PENDING);
}

int by_get_status_some(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  int result = MPI_SUCCESS;
  std::vector<int> indices(requests.size());
  std::vector<MPI_Status> some(requests.size());
  const double start = MPI_Wtime();
  while (!is_late(start)) {
    int completed = 0;
    MPI_Request_get_status_some(length(requests), requests.data(), &completed, indices.data(), some.data());
    if (completed == MPI_UNDEFINED) return result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(completed); ++i) {
      const auto place = static_cast<std::size_t>(indices[i]);
      result = first_error(result, MPI_Wait(&requests[place], &statuses[place]));
    }
    if (completed == 0) nap();
  }
  return first_error(result, MPI_ERR_PENDING);
}

int by_get_status_all(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses) {
  const double start = MPI_Wtime();
  for (int done = 0; done == 0;) {
    const int code = MPI_Request_get_status_all(length(requests), requests.data(), &done, statuses.data());
    if (code != MPI_SUCCESS) break;  // the wait below tells it again
    if (done == 0 && is_late(start)) return MPI_ERR_PENDING;
    if (done == 0) nap();
  }
  return by_waitall(requests, statuses);
}

#endif

// clang-format off
#define WITHOUT_OFFSET(name, COUNT)                                                                         \
  [](MPI_File f, MPI_Offset, void* d, MPI_Count n, MPI_Datatype t, MPI_Request* r) {                        \
    return MPI_File_##name(f, d, static_cast<COUNT>(n), t, r);                                              \
  }
#define WITH_OFFSET(name, COUNT)                                                                            \
  [](MPI_File f, MPI_Offset o, void* d, MPI_Count n, MPI_Datatype t, MPI_Request* r) {                      \
    return MPI_File_##name(f, o, d, static_cast<COUNT>(n), t, r);                                           \
  }
#define STARTS(verb, writes, S, COUNT)                                                                      \
  {#verb "_at" #S, writes, false, true, false, WITH_OFFSET(verb##_at##S, COUNT)},                           \
  {#verb "_at_all" #S, writes, true, true, false, WITH_OFFSET(verb##_at_all##S, COUNT)},                    \
  {#verb #S, writes, false, false, false, WITHOUT_OFFSET(verb##S, COUNT)},                                  \
  {#verb "_all" #S, writes, true, false, false, WITHOUT_OFFSET(verb##_all##S, COUNT)},                      \
  {#verb "_shared" #S, writes, false, false, true, WITHOUT_OFFSET(verb##_shared##S, COUNT)}
// clang-format on

}  // namespace

const std::vector<StartOp>& start_ops() {
  static const std::vector<StartOp> kOps = {
    STARTS(iwrite, true, , int),
    STARTS(iread, false, , int),
#if MPI_VERSION >= 4
    STARTS(iwrite, true, _c, MPI_Count),
    STARTS(iread, false, _c, MPI_Count),
#endif
  };
  return kOps;
}

const std::vector<Completion>& completions() {
  static const std::vector<Completion> kWays = {
      {"Wait", by_wait},
      {"Waitany", by_waitany},
      {"Waitsome", by_waitsome},
      {"Waitall", by_waitall},
      {"Test", by_test},
      {"Testany", by_testany},
      {"Testsome", by_testsome},
      {"Testall", by_testall},
      {"Request_get_status", by_get_status},
#ifdef WITH_STATUS_OF_SEVERAL
      {"Request_get_status_any", by_get_status_any},
      {"Request_get_status_some", by_get_status_some},
      {"Request_get_status_all", by_get_status_all},
#endif
  };
  return kWays;
}

std::vector<std::tuple<StartOp, Completion>> ways_to_complete() {
  std::vector<std::tuple<StartOp, Completion>> ways;
  for (const StartOp& op : start_ops()) {
    const bool is_large_count = std::string_view(op.name).ends_with("_c");
    for (const Completion& completion : completions()) {
      if (!is_large_count || completion.complete == by_waitall) ways.emplace_back(op, completion);
    }
  }
  return ways;
}

}  // namespace mpi_test

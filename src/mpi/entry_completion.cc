// The completion calls of the host, so that a failed nonblocking file call reaches the file's own error handler, and so
// that errands are run where the host has no progress hook. While no file request is live they cost one atomic load.
// With one, they test and give the core away instead of spinning.
#include <vector>

#include "comm/mpi/courier.h"
#include "comm/mpi/host.h"
#include "mpi/entry.h"
#include "mpi/library.h"
#include "mpi/raise.h"

namespace {

using weir::host::extras;
using weir::host::next;
using weir::host::RequestList;
using weir::mpi::IoRequestState;
using weir::mpi::Library;
using weir::mpi::RequestTable;

using StatePointer = std::shared_ptr<IoRequestState>;

// False when there is no file request at all; otherwise the host knows afterwards which of them are complete.
bool file_requests_live() {
  if (Library::get().requests.empty()) return false;
  weir::comm::Courier::get().run_errands();
  return true;
}

// Null when `request` is no file request.
StatePointer state_of(const MPI_Request* request) {
  return file_requests_live() && request != nullptr ? Library::get().requests.find(*request) : nullptr;
}

// The file requests among `requests`, by index; empty when there are none.
std::vector<StatePointer> states_of(int count, const MPI_Request* requests) {
  std::vector<StatePointer> states;
  if (!file_requests_live() || requests == nullptr || count <= 0) return states;
  for (int i = 0; i < count; ++i) {
    StatePointer state = Library::get().requests.find(requests[i]);
    if (state == nullptr) continue;
    states.resize(static_cast<std::size_t>(count));
    states[static_cast<std::size_t>(i)] = std::move(state);
  }
  return states;
}

// What a completed request's call returns: success, or what the file's handler made of the failure.
int outcome_of(const StatePointer& state) {
  if (state == nullptr || state->outcome.status.ok()) return MPI_SUCCESS;
  return weir::mpi::raise(state->file.get(), state->outcome.status);
}

// Whom a thread that waits for file requests keeps moving: the look itself, at the host, moves messages; errands are
// those of weir's threads.
class Errands final : public weir::sys::Company {
 public:
  bool busy() const override { return true; }
  bool progress() override {
    weir::comm::Courier::get().run_errands();
    return false;
  }
};

// Calls `test` (which sets the flag it is given) until something is complete. Between two tests it sleeps until a file
// request completes.
template <typename Test>
int test_until_done(Test test) {
  RequestTable& requests = Library::get().requests;
  Errands errands;
  weir::sys::Wait wait({&errands, {"a nonblocking file call"}});
  while (true) {
    const std::uint32_t seen = requests.completions();
    weir::comm::Courier::get().run_errands();
    int flag = 0;
    int error = test(&flag);
    if (error != MPI_SUCCESS || flag != 0) return error;
    requests.pause(wait, seen);
  }
}

// Raises the failures among the completed requests; `index_of(k)` is the k-th completed one's place in `states`.
// As the standard asks, every status then carries its own code.
template <typename IndexOf>
int raise_all(const std::vector<StatePointer>& states, int completed, IndexOf index_of, MPI_Status* statuses,
              int error) {
  bool failed = false;
  std::vector<int> codes(static_cast<std::size_t>(completed), MPI_SUCCESS);
  for (int k = 0; k < completed; ++k) {
    codes[static_cast<std::size_t>(k)] = outcome_of(states[static_cast<std::size_t>(index_of(k))]);
    failed = failed || codes[static_cast<std::size_t>(k)] != MPI_SUCCESS;
  }
  if (!failed) return error;
  for (int k = 0; k < completed && statuses != MPI_STATUSES_IGNORE; ++k) {
    int code = codes[static_cast<std::size_t>(k)];
    if (error != MPI_ERR_IN_STATUS || code != MPI_SUCCESS) statuses[k].MPI_ERROR = code;
  }
  return MPI_ERR_IN_STATUS;
}

int same_index(int k) { return k; }

// For functions of a newer MPI that the program cannot have from its own.
int not_of_this_host() {
  return weir::mpi::raise(nullptr, weir::Status(weir::ErrorClass::kUnsupportedOperation,
                                                "the MPI library behind weir does not have this function"));
}

}  // namespace

WEIR_ENTRY(int, MPI_Wait, MPI_Request* request, MPI_Status* status) {
  StatePointer state = state_of(request);
  if (state == nullptr) return next().Wait(request, status);
  int error = test_until_done([&](int* flag) { return next().Test(request, flag, status); });
  return error == MPI_SUCCESS ? outcome_of(state) : error;
}

WEIR_ENTRY(int, MPI_Test, MPI_Request* request, int* flag, MPI_Status* status) {
  StatePointer state = state_of(request);
  int error = next().Test(request, flag, status);
  if (state == nullptr || error != MPI_SUCCESS || *flag == 0) return error;
  return outcome_of(state);
}

WEIR_ENTRY(int, MPI_Request_get_status, MPI_Request request, int* flag, MPI_Status* status) {
  StatePointer state = state_of(&request);
  int error = next().Request_get_status(request, flag, status);
  if (state == nullptr || error != MPI_SUCCESS || *flag == 0) return error;
  return outcome_of(state);
}

WEIR_ENTRY(int, MPI_Request_get_status_any, int count, RequestList requests, int* index, int* flag,
           MPI_Status* status) {
  std::vector<StatePointer> states = states_of(count, requests);
  const auto any = extras().Request_get_status_any;
  const int error = any != nullptr ? any(count, requests, index, flag, status) : not_of_this_host();
  if (states.empty() || error != MPI_SUCCESS || *flag == 0 || *index == MPI_UNDEFINED) return error;
  return outcome_of(states[static_cast<std::size_t>(*index)]);
}

WEIR_ENTRY(int, MPI_Request_get_status_all, int count, RequestList requests, int* flag, MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  const auto all = extras().Request_get_status_all;
  const int error = all != nullptr ? all(count, requests, flag, statuses) : not_of_this_host();
  if (states.empty() || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) || *flag == 0) return error;
  return raise_all(states, count, same_index, statuses, error);
}

WEIR_ENTRY(int, MPI_Request_get_status_some, int count, RequestList requests, int* completed, int indices[],
           MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  const auto some = extras().Request_get_status_some;
  const int error = some != nullptr ? some(count, requests, completed, indices, statuses) : not_of_this_host();
  if (states.empty() || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS)) return error;
  if (*completed == MPI_UNDEFINED) return error;
  return raise_all(
      states, *completed, [&](int k) { return indices[k]; }, statuses, error);
}

WEIR_ENTRY(int, MPI_Waitall, int count, MPI_Request requests[], MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  if (states.empty()) return next().Waitall(count, requests, statuses);
  int error = test_until_done([&](int* flag) { return next().Testall(count, requests, flag, statuses); });
  if (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) return error;
  return raise_all(states, count, same_index, statuses, error);
}

WEIR_ENTRY(int, MPI_Testall, int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  int error = next().Testall(count, requests, flag, statuses);
  if (states.empty() || *flag == 0 || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS)) return error;
  return raise_all(states, count, same_index, statuses, error);
}

WEIR_ENTRY(int, MPI_Waitany, int count, MPI_Request requests[], int* index, MPI_Status* status) {
  std::vector<StatePointer> states = states_of(count, requests);
  if (states.empty()) return next().Waitany(count, requests, index, status);
  int error = test_until_done([&](int* flag) { return next().Testany(count, requests, index, flag, status); });
  if (error != MPI_SUCCESS || *index == MPI_UNDEFINED) return error;
  return outcome_of(states[static_cast<std::size_t>(*index)]);
}

WEIR_ENTRY(int, MPI_Testany, int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  std::vector<StatePointer> states = states_of(count, requests);
  int error = next().Testany(count, requests, index, flag, status);
  if (states.empty() || error != MPI_SUCCESS || *flag == 0 || *index == MPI_UNDEFINED) return error;
  return outcome_of(states[static_cast<std::size_t>(*index)]);
}

WEIR_ENTRY(int, MPI_Testsome, int count, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  int error = next().Testsome(count, requests, completed, indices, statuses);
  if (states.empty() || *completed == MPI_UNDEFINED) return error;
  if (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) return error;
  return raise_all(
      states, *completed, [&](int k) { return indices[k]; }, statuses, error);
}

WEIR_ENTRY(int, MPI_Waitsome, int count, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[]) {
  std::vector<StatePointer> states = states_of(count, requests);
  if (states.empty()) return next().Waitsome(count, requests, completed, indices, statuses);
  int error = test_until_done([&](int* flag) {
    int code = next().Testsome(count, requests, completed, indices, statuses);
    *flag = *completed != 0 ? 1 : 0;
    return code;
  });
  if (*completed == MPI_UNDEFINED || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS)) return error;
  return raise_all(
      states, *completed, [&](int k) { return indices[k]; }, statuses, error);
}

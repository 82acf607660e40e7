#include "mpi/request_table.h"

#include "comm/mpi/courier.h"
#include "comm/mpi/host.h"

namespace weir::mpi {

struct RequestTable::Context {
  RequestTable* table;
  std::shared_ptr<IoRequestState> state;
};

void fill_status(MPI_Status* status, std::int64_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  const host::Extras& host = host::extras();
  (host.Status_set_elements_c != nullptr ? host.Status_set_elements_c : host.Status_set_elements_x)(status, MPI_BYTE,
                                                                                                    bytes);
  PMPI_Status_set_cancelled(status, 0);
}

int RequestTable::start(std::shared_ptr<MpiFile> file, MPI_Request* request, std::shared_ptr<IoRequestState>* state) {
  auto made = std::make_shared<IoRequestState>();
  made->file = std::move(file);
  auto context = std::make_unique<Context>(Context{this, made});
  int error = PMPI_Grequest_start(&query, &release, &cancel, context.get(), request);
  if (error != MPI_SUCCESS) return error;
  static_cast<void>(context.release());  // the host gives it back to release()
  made->handle = *request;
  std::scoped_lock lock(mutex_);
  states_[*request] = made;
  live_.fetch_add(1, std::memory_order_release);
  *state = std::move(made);
  return MPI_SUCCESS;
}

// The host may give the request back while it is told: the mutex is free meanwhile.
void RequestTable::tell_host(const std::shared_ptr<IoRequestState>& state) {
  PMPI_Grequest_complete(state->handle);
  std::scoped_lock lock(mutex_);
  state->told = true;
  forget_if_over(*state);
}

void RequestTable::complete(const std::shared_ptr<IoRequestState>& state, driver::IoOutcome outcome) {
  state->outcome = std::move(outcome);
  comm::Courier::get().carry([this, state] { tell_host(state); });
  completions_.fetch_add(1, std::memory_order_release);
  sys::wake_all(completions_);
}

void RequestTable::forget_if_over(const IoRequestState& state) {
  if (state.told && state.released) live_.fetch_sub(1, std::memory_order_release);
}

std::shared_ptr<IoRequestState> RequestTable::find(MPI_Request request) {
  if (empty() || request == MPI_REQUEST_NULL) return nullptr;
  std::scoped_lock lock(mutex_);
  auto found = states_.find(request);
  return found == states_.end() ? nullptr : found->second;
}

int RequestTable::query(void* context, MPI_Status* status) {
  fill_status(status, static_cast<Context*>(context)->state->outcome.bytes_moved);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int RequestTable::release(void* raw) {
  std::unique_ptr<Context> context(static_cast<Context*>(raw));
  RequestTable& table = *context->table;
  std::scoped_lock lock(table.mutex_);
  table.states_.erase(context->state->handle);
  context->state->released = true;
  table.forget_if_over(*context->state);
  return MPI_SUCCESS;
}

int RequestTable::cancel(void*, int) { return MPI_SUCCESS; }  // file accesses are never cancelled

}  // namespace weir::mpi

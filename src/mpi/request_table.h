// Nonblocking file calls as generalized requests of the host, and what happened to each.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "driver/file_driver.h"
#include "sys/waiting.h"

namespace weir::mpi {

class MpiFile;

// One nonblocking file call. The outcome is written before anybody learns that the request is complete.
struct IoRequestState {
  MPI_Request handle = MPI_REQUEST_NULL;
  std::shared_ptr<MpiFile> file;
  driver::IoOutcome outcome;
  // Guarded by the table.
  bool told = false;      // the host knows that it is complete
  bool released = false;  // the program has given the request back
};

// The requests that are not freed yet, or of which the host does not know yet that they are complete. Thread-safe.
//
// A thread of weir's may tell the host only under MPI_THREAD_MULTIPLE. At other levels that is an errand for one of the
// program's (comm::Courier).
//
// The host never sees an error: it would raise it on MPI_COMM_WORLD. The completion calls (entry_completion.cc) look
// the request up here and raise it on the file.
class RequestTable {
 public:
  // Makes the host's request. complete() must follow exactly once, from any thread.
  int start(std::shared_ptr<MpiFile> file, MPI_Request* request, std::shared_ptr<IoRequestState>* state);
  void complete(const std::shared_ptr<IoRequestState>& state, driver::IoOutcome outcome);

  // How many requests have completed so far; it wraps around.
  std::uint32_t completions() const { return completions_.load(std::memory_order_acquire); }
  // Pauses until that is another number than `seen`, or for as long as the wait allows.
  void pause(sys::Wait& wait, std::uint32_t seen) { wait.pause(completions_, seen); }

  bool empty() const { return live_.load(std::memory_order_acquire) == 0; }
  // Null when `request` is not one of weir's.
  std::shared_ptr<IoRequestState> find(MPI_Request request);

 private:
  struct Context;  // what the host's callbacks get
  static int query(void* context, MPI_Status* status);
  static int release(void* context);
  static int cancel(void* context, int complete);
  void tell_host(const std::shared_ptr<IoRequestState>& state);
  void forget_if_over(const IoRequestState& state);  // REQUIRES mutex_ held

  std::atomic<int> live_ = 0;
  std::mutex mutex_;
  std::atomic<std::uint32_t> completions_ = 0;
  std::map<MPI_Request, std::shared_ptr<IoRequestState>> states_;  // not freed yet
};

// Fills a status as a file call does: exact byte count, not cancelled. `status` may be MPI_STATUS_IGNORE.
void fill_status(MPI_Status* status, std::int64_t bytes);

}  // namespace weir::mpi

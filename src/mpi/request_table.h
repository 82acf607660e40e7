// Nonblocking file calls as generalized requests of the host, and what happened to each.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/file_driver.h"

namespace weir::mpi {

class MpiFile;

// One nonblocking file call. The outcome is written before anybody learns that the request is complete.
struct IoRequestState {
  MPI_Request handle = MPI_REQUEST_NULL;
  std::shared_ptr<MpiFile> file;
  bool any_thread_may_tell = false;  // the host may be called by the thread that completes the request
  driver::IoOutcome outcome;
  // Guarded by the table.
  bool complete = false;  // the host knows, or tell_host() tells it
  bool told = false;      // the host knows
  bool released = false;  // the program has given the request back
};

// The requests that are not freed yet, or of which the host does not know yet that they are complete. Thread-safe.
//
// A thread of weir's may tell the host only under MPI_THREAD_MULTIPLE. At other levels complete() writes down what
// happened, and the program's own thread tells the host when it next asks for a request.
//
// The host never sees an error: it would raise it on MPI_COMM_WORLD. The completion calls (entry_completion.cc) look
// the request up here and raise it on the file.
class RequestTable {
 public:
  // Makes the host's request. complete() must follow exactly once, from any thread.
  int start(std::shared_ptr<MpiFile> file, bool any_thread_may_tell, MPI_Request* request,
            std::shared_ptr<IoRequestState>* state);
  void complete(const std::shared_ptr<IoRequestState>& state, driver::IoOutcome outcome);
  // Tells the host of all that is complete. REQUIRES a thread that may call the host.
  void tell_host();

  // Sleeps until this request has completed, or for the time given.
  void wait_for(const IoRequestState& state, std::chrono::microseconds longest);
  // How many requests have completed so far.
  std::uint64_t completions();
  // Sleeps until more than `seen` requests have completed, or for the time given: the host has other work to do too.
  void wait_for_completion(std::uint64_t seen, std::chrono::microseconds longest);

  bool empty() const { return live_.load(std::memory_order_acquire) == 0; }
  // Null when `request` is not one of weir's.
  std::shared_ptr<IoRequestState> find(MPI_Request request);

 private:
  struct Context;  // what the host's callbacks get
  static int query(void* context, MPI_Status* status);
  static int release(void* context);
  static int cancel(void* context, int complete);
  void forget_if_over(const IoRequestState& state);  // REQUIRES mutex_ held

  std::atomic<int> live_ = 0;
  std::mutex mutex_;
  std::condition_variable completed_;
  std::uint64_t completions_ = 0;
  std::map<MPI_Request, std::shared_ptr<IoRequestState>> states_;  // not freed yet
  std::vector<std::shared_ptr<IoRequestState>> untold_;            // complete; the host does not know
};

// Fills a status as a file call does: exact byte count, not cancelled. `status` may be MPI_STATUS_IGNORE.
void fill_status(MPI_Status* status, std::int64_t bytes);

}  // namespace weir::mpi

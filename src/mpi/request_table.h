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

#include "driver/file_driver.h"

namespace weir::mpi {

class MpiFile;

// One nonblocking file call. The outcome is written before the host is told that the request is complete.
struct IoRequestState {
  MPI_Request handle = MPI_REQUEST_NULL;
  std::shared_ptr<MpiFile> file;
  driver::IoOutcome outcome;
  bool complete = false;  // the host knows too; guarded by the table
};

// The requests that are not freed yet. Thread-safe.
//
// The host never sees an error: it would raise it on MPI_COMM_WORLD. The completion calls (completion.cc) look the
// request up here and raise it on the file.
class RequestTable {
 public:
  // Makes the host's request. complete() must follow exactly once.
  int start(std::shared_ptr<MpiFile> file, MPI_Request* request, std::shared_ptr<IoRequestState>* state);
  void complete(IoRequestState& state, driver::IoOutcome outcome);

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

  std::atomic<int> live_ = 0;
  std::mutex mutex_;
  std::condition_variable completed_;
  std::uint64_t completions_ = 0;
  std::map<MPI_Request, std::shared_ptr<IoRequestState>> states_;
};

// Fills a status as a file call does: exact byte count, not cancelled. `status` may be MPI_STATUS_IGNORE.
void fill_status(MPI_Status* status, std::int64_t bytes);

}  // namespace weir::mpi

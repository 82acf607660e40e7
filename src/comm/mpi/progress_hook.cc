#include "comm/mpi/progress_hook.h"

#include <dlfcn.h>
#include <mpi.h>

#include "comm/mpi/courier.h"

namespace weir::comm {

namespace {

using Progress = int (*)();
using Register = int (*)(Progress);
using SetYield = bool (*)(bool);

template <typename Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

// Called by the host, on the program's threads.
int run_errands_now() {
  Courier& courier = Courier::get();
  if (courier.pending() && courier.may_call()) courier.run_errands();
  return 0;
}

}  // namespace

#ifdef OPEN_MPI

ProgressHook find_progress_hook() {
  static const bool found = find<Register>("opal_progress_register") != nullptr;
  return found ? ProgressHook::kRegistered : ProgressHook::kNone;
}

void use_progress_hook() {
  static const int registered = [] {
    const auto add = find<Register>("opal_progress_register");
    return add != nullptr ? add(&run_errands_now) : -1;
  }();
  static_cast<void>(registered);
}

namespace {

SetYield set_yield() {
  static const auto function = find<SetYield>("opal_progress_set_yield_when_idle");
  return function;
}

}  // namespace

NoYield::NoYield() {
  if (set_yield() != nullptr) before_ = set_yield()(false);
}
NoYield::~NoYield() {
  if (set_yield() != nullptr) set_yield()(before_);
}

#else

namespace {

using WorkerProgress = unsigned (*)(void*);

WorkerProgress worker_progress() {
  static const auto function = reinterpret_cast<WorkerProgress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  return function;
}

}  // namespace

ProgressHook find_progress_hook() {
  return worker_progress() != nullptr ? ProgressHook::kInterposed : ProgressHook::kNone;
}

void use_progress_hook() {}

NoYield::NoYield() = default;
NoYield::~NoYield() = default;

#endif

}  // namespace weir::comm

#ifndef OPEN_MPI
// In front of UCX's own, for MPICH.
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  weir::comm::run_errands_now();
  return weir::comm::worker_progress()(worker);
}
#endif

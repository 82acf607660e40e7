#include "comm/mpi/progress_hook.h"

#include <dlfcn.h>
#include <mpi.h>

#include <optional>

#include "comm/mpi/courier.h"
#include "comm/mpi/symbol_slot.h"

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
  if (!Courier::pending()) return 0;
  Courier& courier = Courier::get();
  if (courier.may_call()) courier.run_errands();
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

constexpr const char* kWorkerProgress = "ucp_worker_progress";

// UCX's own, or what another library has put in front of it.
WorkerProgress worker_progress() {
  static const auto function = find<WorkerProgress>(kWorkerProgress);
  return function;
}

// Called by MPICH in its place.
unsigned progress_with_errands(void* worker) {
  static const WorkerProgress next = worker_progress();
  run_errands_now();
  return next(worker);
}

std::optional<SymbolSlot> worker_progress_of_mpich() {
  return SymbolSlot::find(dlsym(RTLD_DEFAULT, "PMPI_Comm_rank"), kWorkerProgress);
}

}  // namespace

ProgressHook find_progress_hook() {
  static const bool found = worker_progress() != nullptr && worker_progress_of_mpich().has_value();
  return found ? ProgressHook::kReplaced : ProgressHook::kNone;
}

void use_progress_hook() {
  static const bool used = [] {
    if (find_progress_hook() == ProgressHook::kNone) return false;
    return worker_progress_of_mpich()->set(reinterpret_cast<void*>(&progress_with_errands));
  }();
  static_cast<void>(used);
}

NoYield::NoYield() = default;
NoYield::~NoYield() = default;

#endif

}  // namespace weir::comm

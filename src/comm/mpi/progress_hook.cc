#include "comm/mpi/progress_hook.h"

#include <dlfcn.h>

#include <mutex>
#include <optional>

#include "comm/mpi/courier.h"
#include "comm/mpi/host_life.h"
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

// Open MPI's.
Register open_mpi_register() {
  static const auto function = find<Register>("opal_progress_register");
  return function;
}

SetYield open_mpi_set_yield() {
  static const auto function = find<SetYield>("opal_progress_set_yield_when_idle");
  return function;
}

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

ProgressHook look_for_hook() {
  if (open_mpi_register() != nullptr) return ProgressHook::kRegistered;
  const bool replaceable = worker_progress() != nullptr && worker_progress_of_mpich().has_value();
  return replaceable ? ProgressHook::kReplaced : ProgressHook::kNone;
}

void take_hook(ProgressHook hook) {
  if (hook == ProgressHook::kRegistered) open_mpi_register()(&run_errands_now);
  if (hook == ProgressHook::kReplaced) worker_progress_of_mpich()->set(reinterpret_cast<void*>(&progress_with_errands));
}

}  // namespace

ProgressHook find_progress_hook() {
  static const ProgressHook hook = look_for_hook();
  return hook;
}

void use_progress_hook() {
  static std::mutex mutex;
  static std::optional<unsigned> used_in;  // this epoch of the host
  const std::scoped_lock lock(mutex);
  const unsigned epoch = HostLife::get().epoch();
  if (used_in == epoch) return;
  take_hook(find_progress_hook());
  used_in = epoch;
}

NoYield::NoYield() {
  if (open_mpi_set_yield() != nullptr) before_ = open_mpi_set_yield()(false);
}
NoYield::~NoYield() {
  if (open_mpi_set_yield() != nullptr) open_mpi_set_yield()(before_);
}

}  // namespace weir::comm

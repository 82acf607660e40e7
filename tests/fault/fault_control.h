// Tells the fault shim what to do on which rank, and takes it back at the end of the scope.
#pragma once

#include <dlfcn.h>

#include "fault.h"
#include "mpi_test.h"

namespace mpi_test {

class Fault {
 public:
  // The plan for rank `culprit`; all other ranks work as ever. No plan may be in force yet.
  Fault(int culprit, const fault_plan& plan) {
    if (arm_ != nullptr && rank() == culprit) arm_(&plan);
  }
  ~Fault() { disarm(); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  static bool is_possible() { return dlsym(RTLD_DEFAULT, "fault_arm") != nullptr; }
  void disarm() {
    constexpr fault_plan kNone = {FAULT_NONE, 1, 0, 0};
    if (arm_ != nullptr && hits_ != nullptr) {
      hits_before_ = hits_();
      arm_(&kNone);
    }
  }
  // COLLECTIVE. How many calls were hit on all ranks, also after disarm().
  int hits_everywhere() const {
    int hits = hits_ != nullptr ? hits_() + hits_before_ : 0;
    MPI_Allreduce(MPI_IN_PLACE, &hits, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return hits;
  }

 private:
  fault_arm_function* arm_ = reinterpret_cast<fault_arm_function*>(dlsym(RTLD_DEFAULT, "fault_arm"));
  fault_hits_function* hits_ = reinterpret_cast<fault_hits_function*>(dlsym(RTLD_DEFAULT, "fault_hits"));
  int hits_before_ = 0;
};

}  // namespace mpi_test

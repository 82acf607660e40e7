#include "mpi/thread_level.h"

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace weir::mpi {

namespace {

// How launchers tell the ranks of the job, and those on this node.
struct Sizes {
  const char* job;
  const char* node;
};
constexpr std::array kSizes = {Sizes{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                               Sizes{"PMI_SIZE", "MPI_LOCALNRANKS"}};

long number_in(const char* text) { return text != nullptr ? std::strtol(text, nullptr, 10) : 0; }

}  // namespace

bool job_on_one_node(const Environment& environment) {
  for (const Sizes& sizes : kSizes) {
    const long job = number_in(environment(sizes.job));
    if (job > 0) return job == number_in(environment(sizes.node));
  }
  return number_in(environment("SLURM_STEP_NUM_NODES")) == 1;
}

int level_to_ask_for(int asked, comm::ProgressHook hook, const Environment& environment) {
  const char* wish = environment("WEIR_THREADS");
  if (wish != nullptr && std::string_view(wish) == "keep") return asked;
  if (wish != nullptr && std::string_view(wish) == "multiple") return MPI_THREAD_MULTIPLE;
  const bool moves = hook != comm::ProgressHook::kNone || job_on_one_node(environment);
  return moves ? asked : MPI_THREAD_MULTIPLE;
}

}  // namespace weir::mpi

#include "mpi/thread_level.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "exec/file/wishes.h"
#include "hints/apply.h"
#include "hints/sources.h"

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

const char* name_of(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  return level == MPI_THREAD_SERIALIZED ? "serialized" : "multiple";
}

std::string reason_text(const LevelChoice& choice, int provided) {
  if (choice.reason == LevelReason::kUnknown) return "MPI was not started through weir";
  if (provided < choice.level) return fmt::format("{} asked for, the host has no more", name_of(choice.level));
  if (provided > choice.level) return fmt::format("{} asked for, the host gives more", name_of(choice.level));
  switch (choice.level > choice.asked ? choice.reason : LevelReason::kAsked) {
    case LevelReason::kMultiple: return fmt::format("{} asked for, WEIR_THREADS=multiple", name_of(choice.asked));
    case LevelReason::kAgents:
      return fmt::format("{} asked for, raised for I/O agents on several nodes", name_of(choice.asked));
    case LevelReason::kNoHook:
      return fmt::format("{} asked for, raised for several nodes: the host has no progress hook",
                         name_of(choice.asked));
    default: return choice.reason == LevelReason::kKeep ? "as asked, WEIR_THREADS=keep" : "as asked";
  }
}

const char* messages_text(int provided, comm::ProgressHook hook) {
  if (provided == MPI_THREAD_MULTIPLE) return "move whatever the program does";
  if (hook != comm::ProgressHook::kNone) return "move inside the host's progress";
  return "move while the program waits in weir or asks for a request";
}

// Whether the user asks for I/O agents outside of the program, whose own hints are not known yet.
bool asks_for_agents(const Environment& environment) {
  const char* list = environment("WEIR_HINTS");
  if (list == nullptr) return false;
  hints::HintSet set;
  static_cast<void>(hints::apply(set, hints::parse_hint_list(list).pairs, hints::When::kOpen));
  return exec::may_use_agents(set);
}

}  // namespace

bool job_on_one_node(const Environment& environment) {
  for (const Sizes& sizes : kSizes) {
    const long job = number_in(environment(sizes.job));
    if (job > 0) return job == number_in(environment(sizes.node));
  }
  return number_in(environment("SLURM_STEP_NUM_NODES")) == 1;
}

LevelChoice choose_level(int asked, comm::ProgressHook hook, const Environment& environment) {
  const char* wish = environment("WEIR_THREADS");
  if (wish != nullptr && std::string_view(wish) == "keep") return {asked, asked, LevelReason::kKeep};
  if (wish != nullptr && std::string_view(wish) == "multiple") {
    return {asked, MPI_THREAD_MULTIPLE, LevelReason::kMultiple};
  }
  if (job_on_one_node(environment)) return {asked, asked, LevelReason::kAsked};
  if (hook == comm::ProgressHook::kNone) return {asked, MPI_THREAD_MULTIPLE, LevelReason::kNoHook};
  if (asks_for_agents(environment)) return {asked, MPI_THREAD_MULTIPLE, LevelReason::kAgents};
  return {asked, asked, LevelReason::kAsked};
}

trace::ThreadLevel describe(const LevelChoice& choice, int provided, comm::ProgressHook hook) {
  return {name_of(provided), reason_text(choice, provided), messages_text(provided, hook)};
}

}  // namespace weir::mpi

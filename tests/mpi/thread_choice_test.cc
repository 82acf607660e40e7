// Which thread level the host is asked for, and how the report words it; no MPI is started.
#include <gtest/gtest.h>
#include <mpi.h>

#include <map>

#include "mpi/thread_level.h"

namespace weir::mpi {
namespace {

using comm::ProgressHook;

Environment of(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

const std::map<std::string, std::string> kTwoNodes = {{"OMPI_COMM_WORLD_SIZE", "4"},
                                                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
const std::map<std::string, std::string> kOneNode = {{"PMI_SIZE", "4"}, {"MPI_LOCALNRANKS", "4"}};

// The line of the report for a program that asks for MPI_THREAD_SINGLE and a host that gives what it is asked for.
std::string line_of(ProgressHook hook, std::map<std::string, std::string> variables, const char* wish = nullptr) {
  if (wish != nullptr) variables["WEIR_THREADS"] = wish;
  const LevelChoice choice = choose_level(MPI_THREAD_SINGLE, hook, of(variables));
  const trace::ThreadLevel words = describe(choice, choice.level, hook);
  return words.level + " (" + words.reason + "), " + words.messages;
}

TEST(JobOnOneNode, IsWhatTheLauncherSays) {
  EXPECT_TRUE(job_on_one_node(of(kOneNode)));
  EXPECT_FALSE(job_on_one_node(of(kTwoNodes)));
  EXPECT_TRUE(job_on_one_node(of({{"SLURM_STEP_NUM_NODES", "1"}})));
  EXPECT_FALSE(job_on_one_node(of({})));
}

TEST(ThreadLevel, IsTheProgramsWhereTheHostHasAHook) {
  for (const ProgressHook hook : {ProgressHook::kRegistered, ProgressHook::kReplaced}) {
    EXPECT_EQ(line_of(hook, kTwoNodes), "single (as asked), move inside the host's progress");
    EXPECT_EQ(line_of(hook, kOneNode), "single (as asked), move inside the host's progress");
  }
}

TEST(ThreadLevel, IsRaisedOnSeveralNodesOfAHostWithoutHook) {
  EXPECT_EQ(line_of(ProgressHook::kNone, kTwoNodes),
            "multiple (single asked for, raised for several nodes: the host has no progress hook), "
            "move whatever the program does");
  EXPECT_EQ(line_of(ProgressHook::kNone, kOneNode),
            "single (as asked), move while the program waits in weir or asks for a request");
}

TEST(ThreadLevel, IsRaisedForAgentsOnSeveralNodes) {
  const auto with_hints = [](std::map<std::string, std::string> variables, const char* hints) {
    variables["WEIR_HINTS"] = hints;
    return line_of(ProgressHook::kRegistered, variables);
  };
  const char* raised =
      "multiple (single asked for, raised for I/O agents on several nodes), move whatever the program does";
  EXPECT_EQ(with_hints(kTwoNodes, "IBM_largeblock_io=false"), raised);
  EXPECT_EQ(with_hints(kTwoNodes, "cb_nodes=2;IBM_largeblock_io=switchable"), raised);
  EXPECT_EQ(with_hints(kTwoNodes, "weir_agents=3"), raised);
  EXPECT_EQ(with_hints(kTwoNodes, "cb_nodes=2"), "single (as asked), move inside the host's progress");
  EXPECT_EQ(with_hints(kOneNode, "weir_agents=3"), "single (as asked), move inside the host's progress");
}

TEST(ThreadLevel, IsWhatTheUserWants) {
  EXPECT_EQ(line_of(ProgressHook::kNone, kTwoNodes, "keep"),
            "single (as asked, WEIR_THREADS=keep), move while the program waits in weir or asks for a request");
  EXPECT_EQ(line_of(ProgressHook::kRegistered, kOneNode, "multiple"),
            "multiple (single asked for, WEIR_THREADS=multiple), move whatever the program does");
  EXPECT_EQ(line_of(ProgressHook::kRegistered, kOneNode, "other"),
            "single (as asked), move inside the host's progress");
}

TEST(ThreadLevel, AsAskedIsSaidOfTheHighestTooWhereTheProgramAsksForIt) {
  const LevelChoice choice = choose_level(MPI_THREAD_MULTIPLE, ProgressHook::kNone, of(kTwoNodes));
  EXPECT_EQ(describe(choice, MPI_THREAD_MULTIPLE, ProgressHook::kNone).reason, "as asked");
}

TEST(ThreadLevel, OfAHostThatGivesAnotherIsSaid) {
  const LevelChoice choice = choose_level(MPI_THREAD_SERIALIZED, ProgressHook::kRegistered, of(kOneNode));
  const trace::ThreadLevel less = describe(choice, MPI_THREAD_FUNNELED, ProgressHook::kRegistered);
  EXPECT_EQ(less.level, "funneled");
  EXPECT_EQ(less.reason, "serialized asked for, the host has no more");
  const trace::ThreadLevel more = describe(choice, MPI_THREAD_MULTIPLE, ProgressHook::kRegistered);
  EXPECT_EQ(more.reason, "serialized asked for, the host gives more");
  EXPECT_EQ(describe({}, MPI_THREAD_SINGLE, ProgressHook::kNone).reason, "MPI was not started through weir");
}

}  // namespace
}  // namespace weir::mpi

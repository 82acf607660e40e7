#include "compare/start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_host.h"

namespace weir::tool::compare {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Peer peer(const Host& host, const std::string& name) {
  Words left_out;
  return peers_of(host, {name}, left_out).at(0);
}

Words names_of(const std::vector<Peer>& peers) {
  Words names;
  for (const Peer& one : peers) names.push_back(one.name);
  return names;
}

TEST(Peers, OpenMpiHasThemAllAndMpichHasOneOfItsOwn) {
  Words left_out;
  EXPECT_THAT(names_of(peers_of(open_mpi(), {"host", "ompio", "romio", "weir", "blockio"}, left_out)),
              ElementsAre("host", "ompio", "romio", "weir"));
  EXPECT_THAT(left_out, IsEmpty());
  EXPECT_THAT(names_of(peers_of(mpich(), {"host", "ompio", "romio", "weir"}, left_out)), ElementsAre("host", "weir"));
  EXPECT_THAT(left_out, ElementsAre("MPICH 4.0.2 has no ompio"));
  EXPECT_THAT(names_of(peers_of(mpich(), {"romio", "weir"}, left_out)), ElementsAre("romio", "weir"));
}

TEST(Peers, AnOpenMpiWithoutRomioSaysSo) {
  Host host = open_mpi();
  host.components = {"ompio"};
  Words left_out;
  EXPECT_THAT(peers_of(host, {"romio"}, left_out), IsEmpty());
  EXPECT_THAT(left_out, ElementsAre("Open MPI 4.1.4 has no romio"));
}

TEST(Start, WordsForOpenMpi) {
  const Host host = open_mpi();
  const Cell cell = cell_of(host, peer(host, "romio"));
  const auto command =
      own_command(cell, "workloads", {"--direction", "write"}, {.launcher_words = {"--hostfile", "h"}, .cores = 8});
  ASSERT_TRUE(command.ok()) << command.status().text();
  EXPECT_THAT(command.value().words,
              ElementsAre("mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-np", "4", "--hostfile", "h",
                          "/opt/weir/openmpi/workloads", "--direction", "write"));
  EXPECT_THAT(under_peer(command.value(), cell, {}, {}).words, Contains("OMPI_MCA_io=romio321"));
}

TEST(Start, WordsForMpichWithTasksPerNode) {
  const Host host = mpich();
  Cell cell = cell_of(host, peer(host, "host"));
  cell.variant.ranks_per_node = 2;
  const auto command = own_command(cell, "workloads", {}, {});
  ASSERT_TRUE(command.ok());
  EXPECT_THAT(command.value().words, ElementsAre("mpirun.mpich", "-ppn", "2", "-n", "4", "/opt/weir/mpich/workloads"));
  EXPECT_THAT(under_peer(command.value(), cell, {}, {.launcher_words = {}, .cores = 8}).words, Not(Contains("-genv")));
}

TEST(Start, WeirIsPreloadedAndVariablesAreSet) {
  const Host host = mpich();
  const Cell cell = cell_of(host, peer(host, "weir"));
  const auto command = own_command(cell, "workloads", {}, {});
  ASSERT_TRUE(command.ok());
  const Words words =
      under_peer(command.value(), cell, {{"WEIR_REPORT", "/r", '\0', ""}}, {.launcher_words = {}, .cores = 8}).words;
  EXPECT_THAT(words, Contains("/opt/weir/mpich/libweir.so"));
  EXPECT_THAT(words, Contains("WEIR_REPORT"));
}

TEST(Start, ALauncherOptionThatIsNotUnderstoodIsRefused) {
  const Host host = open_mpi();
  EXPECT_FALSE(
      own_command(cell_of(host, peer(host, "host")), "workloads", {}, {.launcher_words = {"--bnd"}, .cores = 8}).ok());
}

TEST(Start, WhereMemoryOfOthersCannotBeReadOpenMpiIsToldSo) {
  Host host = open_mpi();
  const auto before = launcher_environment(host);
  host.single_copy = false;
  EXPECT_THAT(launcher_environment(host), SizeIs(before.size() + 1));
  EXPECT_THAT(launcher_environment(mpich()), IsEmpty());
}

}  // namespace
}  // namespace weir::tool::compare

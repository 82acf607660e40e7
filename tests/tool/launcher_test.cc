#include "launcher.h"

#include <gtest/gtest.h>

namespace weir::tool {
namespace {

// The programs found, one per context.
Words programs(LauncherKind kind, const std::string& line) {
  const Words words = split(line, ' ');
  const auto parsed = parse_launch_line(kind, words, 0);
  if (!parsed.ok()) return {"failure"};
  Words found;
  for (const AppContext& context : parsed.value().contexts) found.push_back(words[context.program]);
  return found;
}

const Words kProg = {"prog"};

TEST(LaunchLine, OpenMpi) {
  const auto kind = LauncherKind::kOpenMpi;
  EXPECT_EQ(programs(kind, "mpirun prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun -np 4 prog -np 5 other"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --allow-run-as-root --oversubscribe --bind-to none -n 4 prog a b"), kProg);
  EXPECT_EQ(programs(kind, "mpirun -mca btl self,tcp --mca pml ob1 -x A -x B=c -H h:4 prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --hostfile h --map-by ppr:2:node:PE=2 -wdir /x --report-bindings prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --tag-output -- prog -x"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --display=map -np 2 prog"), kProg);
}

TEST(LaunchLine, Hydra) {
  const auto kind = LauncherKind::kHydra;
  EXPECT_EQ(programs(kind, "mpiexec -n 4 prog -genv A b"), kProg);
  EXPECT_EQ(programs(kind, "mpiexec -genv A b -genv C=d -hosts a,b -ppn 2 -n 4 prog"), kProg);
  EXPECT_EQ(programs(kind, "mpiexec -np=4 -launcher ssh -launcher-exec /x/rsh -prepend-rank -l prog"), kProg);
  EXPECT_EQ(programs(kind, "mpiexec -envall -bind-to core:1 -map-by hwthread --wdir /tmp prog"), kProg);
}

TEST(LaunchLine, NewerOpenMpi) {
  const auto kind = LauncherKind::kOpenMpi;
  EXPECT_EQ(programs(kind, "mpirun --add-host h:2 --tmpdir /x --memory-alloc-kinds system,mpi -n 4 prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --mapby core --bindto core --gpu-support true --set-env A=b prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --append-env PATH /x --prepend-env PATH /y --unset-env B prog"), kProg);
  EXPECT_EQ(programs(kind, "mpirun --singleton 3 --display-comm --forward-signals SIGUSR1 --with-ft ulfm prog"), kProg);
}

TEST(LaunchLine, NewerHydra) {
  const auto kind = LauncherKind::kHydra;
  EXPECT_EQ(programs(kind, "mpiexec -rankmap (block,2x2) -memory-alloc-kinds system -n 4 prog"), kProg);
  EXPECT_EQ(programs(kind, "mpiexec -hostlist a,b -hybrid-hosts -outfile x -errfile y -output-from 0 prog"), kProg);
}

// Open MPI 4 refuses -x, which weir needs, beside that list.
TEST(LaunchLine, AListOfVariablesWhereTheVersionAllowsIt) {
  const Words words = split("mpirun --mca mca_base_env_list A=b prog", ' ');
  const auto parse = [&](const char* version) {
    return parse_launch_line(LauncherKind::kOpenMpi, words, 0, rules_of_version_text(version)).ok();
  };
  EXPECT_TRUE(parse("mpirun (Open MPI) 5.0.7"));
  EXPECT_TRUE(parse("mpirun.openmpi (Open MPI) 6.0.0rc2\n\nReport bugs to ..."));
  EXPECT_FALSE(parse("mpirun.openmpi (Open MPI) 4.1.4"));
  EXPECT_FALSE(parse("nothing that weir knows"));
}

TEST(LaunchLine, AnOptionThatGotAValue) {
  const Words words = split("mpirun --display-topo prog x", ' ');
  const auto program = [&](const char* version) {
    const auto line = parse_launch_line(LauncherKind::kOpenMpi, words, 0, rules_of_version_text(version));
    return line.ok() ? words[line.value().contexts.front().program] : line.status().text();
  };
  EXPECT_TRUE(rules_matter(LauncherKind::kOpenMpi, words));
  EXPECT_FALSE(rules_matter(LauncherKind::kOpenMpi, split("mpirun -n 2 prog", ' ')));
  EXPECT_EQ(program("mpirun (Open MPI) 4.1.4"), "prog");
  EXPECT_EQ(program("mpirun (Open MPI) 5.0.7"), "x");
}

TEST(LaunchLine, Srun) {
  const auto kind = LauncherKind::kSrun;
  EXPECT_EQ(programs(kind, "srun prog"), kProg);
  EXPECT_EQ(programs(kind, "srun -n4 -N 2 --mpi=pmix --cpu-bind cores -lu prog -n 3"), kProg);
  EXPECT_EQ(programs(kind, "srun -lun 4 -- prog"), kProg);
  EXPECT_EQ(programs(kind, "srun --ntasks 4 --exclusive --export=ALL,A=b prog"), kProg);
}

TEST(LaunchLine, SeveralPrograms) {
  EXPECT_EQ(programs(LauncherKind::kOpenMpi, "mpirun -np 1 a x : -np 2 b y : c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(programs(LauncherKind::kHydra, "mpiexec -n 1 a x : -n 2 -env A b b"), (Words{"a", "b"}));
}

TEST(LaunchLine, WhatCannotBeServed) {
  for (const char* line : {"mpirun", "mpirun -np 4", "mpirun --frobnicate 3 prog", "mpirun -np 1 a :",
                           "mpirun --app file", "mpirun --mca mca_base_env_list A=b prog", "mpirun --version"})
    EXPECT_EQ(programs(LauncherKind::kOpenMpi, line), Words{"failure"}) << line;
  for (const char* line : {"mpiexec -configfile x", "mpiexec -n 1 -- prog", "mpiexec -n"})
    EXPECT_EQ(programs(LauncherKind::kHydra, line), Words{"failure"}) << line;
  EXPECT_EQ(programs(LauncherKind::kSrun, "srun --multi-prog conf"), Words{"failure"});
}

TEST(LaunchLine, AnUnknownOptionIsNamedWithAWayOut) {
  const auto parsed = parse_launch_line(LauncherKind::kOpenMpi, {"mpirun", "--frobnicate", "prog"}, 0);
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.status().text().find("--frobnicate"), std::string::npos);
  EXPECT_NE(parsed.status().text().find("--mpi"), std::string::npos);
}

TEST(LaunchLine, SettingsAndDirectory) {
  const Words words = split("mpiexec -genv A=1 -n 2 -env B 2 -wdir /x prog", ' ');
  const auto parsed = parse_launch_line(LauncherKind::kHydra, words, 0);
  ASSERT_TRUE(parsed.ok());
  const AppContext& context = parsed.value().contexts.at(0);
  EXPECT_EQ(context.directory, "/x");
  ASSERT_EQ(context.settings.size(), 2U);
  EXPECT_EQ(context.settings[0].name, "A");
  EXPECT_EQ(context.settings[0].value, "1");
  EXPECT_TRUE(context.settings[0].global);
  EXPECT_EQ(context.settings[1].name, "B");
  EXPECT_EQ(context.settings[1].word_count, 3U);
  EXPECT_FALSE(context.settings[1].global);
}

TEST(Launcher, Names) {
  for (const char* name : {"mpirun", "/opt/x/bin/mpiexec", "mpirun.mpich", "mpiexec.hydra", "orterun", "srun"})
    EXPECT_TRUE(is_launcher_name(name)) << name;
  for (const char* name : {"python3", "./mpirunner", "mpi", "a.out"}) EXPECT_FALSE(is_launcher_name(name)) << name;
  EXPECT_EQ(kind_of_launcher_name("/usr/bin/orterun"), LauncherKind::kOpenMpi);
  EXPECT_EQ(kind_of_launcher_name("/usr/bin/mpiexec.hydra"), LauncherKind::kHydra);
  EXPECT_EQ(kind_of_launcher_name("/usr/bin/mpirun"), std::nullopt);
  EXPECT_EQ(kind_of_version_text("mpirun (Open MPI) 5.0.3"), LauncherKind::kOpenMpi);
  EXPECT_EQ(kind_of_version_text("HYDRA build details:\n    Version: 4.0.2"), LauncherKind::kHydra);
  EXPECT_EQ(kind_of_version_text("something else"), std::nullopt);
}

}  // namespace
}  // namespace weir::tool

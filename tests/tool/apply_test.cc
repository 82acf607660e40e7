#include "apply.h"

#include <gtest/gtest.h>

namespace weir::tool {
namespace {

const std::vector<Variable> kBoth = {{"LD_PRELOAD", "/w.so", ':', ""}, {"WEIR_HINTS", "a=1;b=2", ';', ""}};
const std::vector<Variable> kPreload = {{"LD_PRELOAD", "/w.so", ':', ""}};

Invocation applied(const std::vector<Variable>& variables, LauncherKind kind, const std::string& line,
                   const std::string& slurm_export = "") {
  const Words words = split(line, ' ');
  const auto parsed = parse_launch_line(kind, words, 0);
  if (!parsed.ok()) return {{parsed.status().text()}, {}};
  return apply(variables, parsed.value(), words, slurm_export);
}

std::string line_of(const std::vector<Variable>& variables, LauncherKind kind, const std::string& line) {
  return join(applied(variables, kind, line).words, " ");
}

TEST(Combined, TheUsersOwnComesFirst) {
  const Variable preload{"LD_PRELOAD", "/w.so", ':', ""};
  EXPECT_EQ(combined(preload, ""), "/w.so");
  EXPECT_EQ(combined(preload, "/darshan.so"), "/darshan.so:/w.so");
  EXPECT_EQ(combined(preload, "/w.so:/darshan.so"), "/darshan.so:/w.so");
  EXPECT_EQ(combined({"WEIR_REPORT", "1", '\0', ""}, "0"), "1");
}

TEST(Apply, OpenMpiInEveryContext) {
  const auto kind = LauncherKind::kOpenMpi;
  EXPECT_EQ(line_of(kBoth, kind, "mpirun -np 4 prog x"),
            "mpirun -x LD_PRELOAD=/w.so -x WEIR_HINTS=a=1;b=2 -np 4 prog x");
  EXPECT_EQ(line_of(kPreload, kind, "mpirun -np 1 a : -np 1 b"),
            "mpirun -x LD_PRELOAD=/w.so -np 1 a : -x LD_PRELOAD=/w.so -np 1 b");
}

TEST(Apply, OpenMpiKeepsTheUsersSetting) {
  const auto kind = LauncherKind::kOpenMpi;
  EXPECT_EQ(line_of(kPreload, kind, "mpirun -np 1 -x LD_PRELOAD=/d.so prog"),
            "mpirun -np 1 -x LD_PRELOAD=/d.so:/w.so prog");
  const std::vector<Variable> inherited = {{"LD_PRELOAD", "/w.so", ':', "/d.so"}};
  EXPECT_EQ(line_of(inherited, kind, "mpirun -x LD_PRELOAD prog"), "mpirun -x LD_PRELOAD=/d.so:/w.so prog");
  EXPECT_EQ(line_of(inherited, kind, "mpirun prog"), "mpirun -x LD_PRELOAD=/d.so:/w.so prog");
}

TEST(Apply, HydraOnce) {
  const auto kind = LauncherKind::kHydra;
  EXPECT_EQ(line_of(kBoth, kind, "mpiexec -n 4 prog"),
            "mpiexec -genv LD_PRELOAD /w.so -genv WEIR_HINTS a=1;b=2 -n 4 prog");
  EXPECT_EQ(line_of(kPreload, kind, "mpiexec -n 1 a : -n 1 b"), "mpiexec -genv LD_PRELOAD /w.so -n 1 a : -n 1 b");
  EXPECT_EQ(line_of(kPreload, kind, "mpiexec -genv LD_PRELOAD=/d.so -n 4 prog"),
            "mpiexec -genv LD_PRELOAD /d.so:/w.so -n 4 prog");
  EXPECT_EQ(line_of(kPreload, kind, "mpiexec -n 1 -env LD_PRELOAD /d.so a : -n 1 b"),
            "mpiexec -genv LD_PRELOAD /w.so -n 1 -env LD_PRELOAD /d.so:/w.so a : -n 1 b");
}

TEST(Apply, SrunRespectsExport) {
  const auto kind = LauncherKind::kSrun;
  const auto plain = applied(kBoth, kind, "srun -n 4 prog");
  EXPECT_EQ(join(plain.words, " "), "srun --export=ALL,LD_PRELOAD=/w.so -n 4 prog");
  ASSERT_EQ(plain.environment.size(), 1U) << "srun itself is not preloaded";
  EXPECT_EQ(plain.environment[0], (std::pair<std::string, std::string>{"WEIR_HINTS", "a=1;b=2"}));
  EXPECT_EQ(line_of(kBoth, kind, "srun --export=NONE prog"), "srun --export=LD_PRELOAD=/w.so,WEIR_HINTS prog");
  EXPECT_EQ(line_of(kBoth, kind, "srun --export A,LD_PRELOAD=/d.so prog"),
            "srun --export=A,LD_PRELOAD=/d.so:/w.so,WEIR_HINTS prog");
  EXPECT_EQ(join(applied(kBoth, kind, "srun prog", "NONE").words, " "),
            "srun --export=LD_PRELOAD=/w.so,WEIR_HINTS prog");
}

TEST(Apply, WithoutALauncherByTheEnvironment) {
  const LaunchLine line{LauncherKind::kNone, 0, {{0, 0, 1, "", {}}}};
  const auto result = apply({{"LD_PRELOAD", "/w.so", ':', "/d.so"}}, line, {"prog"});
  EXPECT_EQ(result, (Invocation{{"prog"}, {{"LD_PRELOAD", "/d.so:/w.so"}}}));
}

}  // namespace
}  // namespace weir::tool

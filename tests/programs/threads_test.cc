// Random programs with ranks as threads, and what becomes of one that fails.
#include <gtest/gtest.h>

#include "exec/effort.h"
#include "programs/child.h"
#include "programs/generate.h"
#include "programs/model.h"
#include "programs/print_c.h"
#include "programs/shrink.h"
#include "programs/text.h"
#include "programs/thread_runner.h"

namespace weir::programs {
namespace {

constexpr std::uint64_t kPrograms = 60 / exec::kEveryNth;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void run_programs(std::uint64_t first, const Knobs& knobs) {
  const auto job = [&](std::uint64_t seed, Progress& progress) {
    return joined(run_as_threads(generate(seed, knobs), {.steps = progress.steps}));
  };
  const ChildResult result = run_in_child(first, kPrograms, {.seconds = 60}, job);
  EXPECT_FALSE(result.failed) << "seed " << result.job << ": " << result.text << print(generate(result.job, knobs));
}

TEST(ProgramThreads, Programs) { run_programs(1, {}); }
TEST(ProgramThreads, ProgramsWithFaults) { run_programs(10001, {.faults = true}); }
TEST(ProgramThreads, ProgramsBelowThreadMultiple) { run_programs(20001, {.level = Level::kSingle}); }

// Writes of many bytes lose one: what is left is one such write.
TEST(ProgramShrink, FindsTheOneAccessThatGoesWrong) {
  constexpr std::int64_t kMost = 50;
  const auto fails = [](const Program& program) {
    return !run_as_threads(program, {.lose_byte_above = kMost}).empty();
  };
  std::uint64_t seed = 1;
  while (!fails(generate(seed, {.ranks = 4}))) ++seed;
  const Program smallest = shrink(generate(seed, {.ranks = 4}), fails, {.most_runs = 600});
  EXPECT_EQ(why_illegal(smallest), "");
  EXPECT_TRUE(fails(smallest));
  EXPECT_EQ(smallest.ranks, 1) << print(smallest);
  EXPECT_LE(smallest.steps.size(), 4U) << print(smallest);
  const std::string as_c = print_c(smallest);
  EXPECT_NE(as_c.find("MPI_File_write"), std::string::npos);
  EXPECT_NE(as_c.find("int main("), std::string::npos);
}

TEST(ProgramChild, HangsAndCrashesAreTold) {
  const auto hang = [](std::uint64_t job, Progress&) -> std::string {
    for (volatile bool forever = true; job == 3 && forever;) {
    }
    return "";
  };
  const ChildResult hung = run_in_child(1, 5, {.seconds = 1}, hang);
  EXPECT_TRUE(hung.failed && hung.hung);
  EXPECT_EQ(hung.job, 3U);
  EXPECT_EQ(hung.jobs_done, 2U);
  const ChildResult wrong = run_in_child(1, 5, {}, [](std::uint64_t job, Progress&) { return job == 2 ? "bad" : ""; });
  EXPECT_TRUE(wrong.failed && !wrong.hung);
  EXPECT_EQ(wrong.text, "bad");
}

}  // namespace
}  // namespace weir::programs

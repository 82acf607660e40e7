// The command of the random programs; see usage().
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "programs/child.h"
#include "programs/generate.h"
#include "programs/model.h"
#include "programs/options.h"
#include "programs/print_c.h"
#include "programs/shrink.h"
#include "programs/text.h"
#include "programs/thread_runner.h"

namespace weir::programs {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBatch = 500;  // programs per child

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string run_seed(std::uint64_t seed, const Options& options, Progress& progress) {
  return joined(run_as_threads(options.program_of(seed), {.steps = progress.steps}));
}

void report_failure(const ChildResult& result, const Options& options) {
  std::printf("FAILED seed %llu: %s\n", static_cast<unsigned long long>(result.job), result.text.c_str());
  std::printf("%s", print(options.program_of(result.job)).c_str());
}

// Runs programs until enough were run or enough failed.
int run_threads(const Options& options) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  const Clock::time_point start = Clock::now();
  std::uint64_t seed = options.seed;
  std::uint64_t passed = 0;
  int failed = 0;
  while (passed + static_cast<std::uint64_t>(failed) < options.programs && seconds_since(start) < options.seconds &&
         failed < options.most_failures) {
    const std::uint64_t rest = options.programs - passed - static_cast<std::uint64_t>(failed);
    const ChildResult result = run_in_child(
        seed, std::min(kBatch, rest), {static_cast<unsigned>(options.limit), options.seconds - seconds_since(start)},
        [&](std::uint64_t job, Progress& progress) { return run_seed(job, options, progress); });
    passed += result.jobs_done;
    seed += result.jobs_done;
    if (!result.failed) continue;
    ++failed;
    seed = result.job + 1;
    report_failure(result, options);
  }
  const double seconds = seconds_since(start);
  std::printf("threads: %llu programs passed, %d failed, %.1f s, %.0f programs/s\n",
              static_cast<unsigned long long>(passed), failed, seconds, static_cast<double>(passed) / seconds);
  return failed == 0 ? 0 : 1;
}

int run_text(const Options& options) {
  const Program program = options.program();
  const ChildResult result = run_in_child(
      0, static_cast<std::uint64_t>(options.repeat), {static_cast<unsigned>(options.limit)},
      [&](std::uint64_t, Progress& progress) { return joined(run_as_threads(program, {.steps = progress.steps})); });
  std::printf("%s\n", result.failed ? result.text.c_str() : "passed");
  if (result.failed && options.repeat > 1)
    std::printf("in run %llu\n", static_cast<unsigned long long>(result.job + 1));
  return result.failed ? 1 : 0;
}

// Whether the program fails: as threads in a child, or by a command that is given the program's text.
class Failing {
 public:
  Failing(const Options& options, std::string scratch) : options_(options), scratch_(std::move(scratch)) {}
  bool operator()(const Program& program) const {
    if (options_.check_command.empty()) return fails_as_threads(program);
    for (int i = 0; i < options_.repeat; ++i) {
      if (fails_by_command(program)) return true;
    }
    return false;
  }

 private:
  bool fails_as_threads(const Program& program) const {
    const auto job = [&](std::uint64_t, Progress& progress) {
      return joined(run_as_threads(program, {progress.steps, options_.lose_byte_above}));
    };
    return run_in_child(0, static_cast<std::uint64_t>(options_.repeat), {static_cast<unsigned>(options_.limit)}, job)
        .failed;
  }
  bool fails_by_command(const Program& program) const {
    std::ofstream(scratch_) << print(program);
    const std::string ranks = std::to_string(program.ranks);
    return std::system((options_.check_command + " " + ranks + " " + scratch_).c_str()) != 0;
  }

  const Options& options_;
  std::string scratch_;
};

// The smallest program that still fails, as text and as C.
int shrink_program(const Options& options) {
  const std::string base = options.output.empty() ? "failing" : options.output;
  const Failing failing(options, base + ".candidate");
  const Program program = options.program();
  if (!failing(program)) {
    std::printf("the program does not fail\n");
    return 1;
  }
  const Clock::time_point start = Clock::now();
  ShrinkOptions how;
  how.enough = [&] { return seconds_since(start) > options.shrink_seconds; };
  how.tell = [&](const Program& smaller) {
    std::ofstream(base + ".txt") << print(smaller);
    std::fprintf(stderr, "\r%zu steps, %d ranks   ", smaller.steps.size(), smaller.ranks);
  };
  const Program smallest = shrink(program, failing, how);
  std::remove((base + ".candidate").c_str());
  std::ofstream(base + ".txt") << print(smallest);
  std::ofstream(base + ".c") << print_c(smallest);
  std::printf("\n%s(in %s.txt, and as C in %s.c)\n", print(smallest).c_str(), base.c_str(), base.c_str());
  return 0;
}

// How much of what programs are made of; and that all are legal.
int count(const Options& options) {
  std::map<std::string, int> kinds;
  for (std::uint64_t i = 0; i < options.programs; ++i) {
    const Program program = options.program_of(options.seed + i);
    const std::string reason = why_illegal(program);
    if (!reason.empty()) {
      std::printf("seed %llu is illegal: %s\n", static_cast<unsigned long long>(options.seed + i), reason.c_str());
      return 1;
    }
    if (parse(print(program)).program != program) {
      std::printf("seed %llu is read back as another program\n", static_cast<unsigned long long>(options.seed + i));
      return 1;
    }
    for (const Step& step : program.steps) {
      std::istringstream line(print(step));
      std::string word;
      line >> word;
      if (step.kind == StepKind::kAccess) {
        std::string rest;
        std::getline(line, rest);
        std::istringstream words(rest);
        std::string id, f, n, d, p, c, m, o;
        words >> id >> f >> n >> d >> p >> c >> m >> o;
        word += " " + d + " " + p + " " + c + " " + m + " " + o;
      }
      ++kinds[word];
    }
  }
  for (const auto& [kind, number] : kinds) std::printf("%8d %s\n", number, kind.c_str());
  return 0;
}

}  // namespace

int run_tool(const Options& options) {
  if (options.command == "threads") return run_threads(options);
  if (options.command == "run") return run_text(options);
  if (options.command == "count") return count(options);
  if (options.command == "shrink") return shrink_program(options);
  if (options.command == "c") {
    std::printf("%s", print_c(options.program()).c_str());
    return 0;
  }
  if (options.command == "text") {
    std::printf("%s", print(options.program()).c_str());
    return 0;
  }
  std::fprintf(stderr, "%s", Options::usage());
  return 2;
}

}  // namespace weir::programs

int main(int argc, char** argv) {
  weir::programs::Options options;
  if (!options.parse(argc, argv)) {
    std::fprintf(stderr, "%s", weir::programs::Options::usage());
    return 2;
  }
  return weir::programs::run_tool(options);
}

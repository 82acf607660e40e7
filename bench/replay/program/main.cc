// replay: runs a captured program again. A plain MPI program, which knows nothing of what stands behind MPI_File_*. See
// replay_usage().

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "capture/capture_file.h"
#include "replay/program/options.h"
#include "replay/program/subject.h"
#include "workloads/program/ending.h"
#include "workloads/program/job.h"
#include "workloads/program/meeting.h"
#include "workloads/program/result.h"

namespace bench {
namespace {

using weir::capture::Capture;

struct Measured {
  std::int64_t bytes = 0;  // moved by all ranks in one repeat
  std::int64_t file_bytes = 0;
  std::int64_t calls = 0;  // that move data, of all ranks
  std::vector<double> seconds;
  bool right = true;
};

// What is to be run.
struct Task {
  ReplayOptions options;
  Capture capture;
};

weir::Status refused(std::string text) { return {weir::ErrorClass::kArgument, std::move(text)}; }

// LOCAL.
weir::Result<Task> task_of(const std::vector<std::string>& words) {
  const weir::Result<ReplayOptions> options = parse_replay_options(words);
  if (!options.ok()) return options.status();
  const std::string& path = options.value().capture;
  std::ifstream file(path, std::ios::binary);
  if (!file) return refused("cannot read " + path);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  weir::Result<Capture> capture = weir::capture::decode(std::as_bytes(std::span(bytes)));
  if (!capture.ok()) return refused(path + " " + capture.status().text());
  if (capture.value().ranks != all_ranks()) {
    return refused(path + " was captured with " + std::to_string(capture.value().ranks) +
                   " ranks, and needs as many; these are " + std::to_string(all_ranks()));
  }
  return Task{options.value(), std::move(capture).value()};
}

// COLLECTIVE. Equal on all ranks.
Measured measure(const Task& task, const Meeting& meeting) {
  const ReplayOptions& options = task.options;
  ReplaySubject subject(task.capture, {options.directory, options.hints}, meeting);
  Measured measured{.bytes = sum_of(subject.moved_bytes()),
                    .file_bytes = subject.file_bytes(),
                    .calls = sum_of(subject.accesses()),
                    .seconds = {}};
  const double begin = MPI_Wtime();
  for (int repeat = 0; repeat < options.warmups + options.repeats; ++repeat) {
    if (agreed(repeat > options.warmups && MPI_Wtime() - begin > options.seconds)) break;
    const auto salt = static_cast<std::uint32_t>(repeat + 1);
    subject.prepare(salt);
    const double seconds = subject.run();
    if (repeat >= options.warmups) measured.seconds.push_back(seconds);
    if (options.verify) measured.right = subject.is_right(salt) && measured.right;
  }
  subject.remove_files();
  return measured;
}

std::string json_line(const Task& task, const Measured& measured, const Surroundings& surroundings) {
  using Json = nlohmann::ordered_json;
  const Json none = Json::array();
  const Json result = {{"workload", "replay"},
                       {"parameters", {{"file", task.options.capture}}},
                       {"direction", "run"},
                       {"ranks", all_ranks()},
                       {"nodes", surroundings.nodes},
                       {"bytes", measured.bytes},
                       {"file_bytes", measured.file_bytes},
                       {"calls", measured.calls},
                       {"seed", 0},
                       {"seconds", measured.seconds},
                       {"whole_seconds", measured.seconds},
                       {"block_seconds", none},
                       {"block_whole_seconds", none},
                       {"verified", task.options.verify ? Json(measured.right) : Json(nullptr)},
                       {"note", ""},
                       {"file_system", surroundings.file_system},
                       {"hints", Json::object()},
                       {"mpi", surroundings.mpi}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// COLLECTIVE. The exit code.
int run(const Task& task) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < files_of(task.capture).all.size(); ++i) {
    files.push_back(task.options.directory + "/replayed-" + std::to_string(i));
  }
  Ending ending(files);
  const Meeting meeting;  // outlives what fails: its end is COLLECTIVE
  try {
    const Surroundings surroundings = look_around(task.options.directory);
    const Measured measured = measure(task, meeting);
    if (own_rank() == 0) show(json_line(task, measured, surroundings), task.options.json);
    return task.options.verify && !measured.right ? kExitWrongData : 0;
  } catch (const std::exception& failure) {
    ending.end_job(failure.what());
  }
}

// COLLECTIVE. The exit code.
int run_words(const std::vector<std::string>& words) {
  if (std::ranges::find(words, "--help") != words.end()) {
    if (own_rank() == 0) std::fputs(replay_usage().c_str(), stdout);
    return 0;
  }
  const weir::Result<Task> task = task_of(words);
  const int refused_by = first_refused(!task.ok());
  if (refused_by == all_ranks()) return run(task.value());
  if (refused_by == own_rank()) std::fprintf(stderr, "replay: %s\n", task.status().text().c_str());
  return kExitBadInput;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = bench::run_words({argv + 1, argv + argc});
  MPI_Finalize();
  return code;
}

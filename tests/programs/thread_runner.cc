#include "programs/thread_runner.h"

#include <memory>
#include <thread>

#include "programs/thread_backend.h"

namespace weir::programs {

namespace {

void put_files(const Program& program, driver::MemoryDriver& driver) {
  for (int file = 0; file < static_cast<int>(program.files.size()); ++file) {
    if (program.files[static_cast<std::size_t>(file)].initial_bytes < 0) continue;
    for (int colour = 0; colour < program.communicator_of(file).colour_count(); ++colour) {
      const Buffer contents = initial_contents(program, file, colour);
      auto opened = driver.open(file_name(file, colour), {.read = true, .write = true, .create = true}, nullptr);
      if (!opened.ok()) std::abort();
      const auto* first = reinterpret_cast<const std::byte*>(contents.data());
      const driver::IoRequest request = {0, const_cast<std::byte*>(first), std::ssize(contents)};
      if (!opened.value()->transfer(Direction::kWrite, {&request, 1}).status.ok()) std::abort();
    }
  }
}

std::vector<std::string> check_files(const Program& program, const Model& model, driver::MemoryDriver& driver) {
  std::vector<std::string> complaints;
  for (int file = 0; file < static_cast<int>(program.files.size()); ++file) {
    for (int colour = 0; colour < program.communicator_of(file).colour_count(); ++colour) {
      const auto found = driver.contents(file_name(file, colour));
      Buffer bytes;
      if (found.ok()) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(found.value().data());
        bytes.assign(first, first + found.value().size());
      }
      for (const std::string& complaint :
           complaints_about_file(program, model, file, colour, found.ok() ? &bytes : nullptr)) {
        complaints.push_back(complaint);
      }
    }
  }
  return complaints;
}

}  // namespace

std::vector<std::string> run_as_threads(const Program& program, const ThreadOptions& options) {
  Stage stage(program);
  put_files(program, stage.memory());
  std::vector<Record> records(static_cast<std::size_t>(program.ranks));
  std::vector<int> unseen_steps(static_cast<std::size_t>(program.ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < program.ranks; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadBackend backend(stage, rank, options);
        volatile int* steps = options.steps != nullptr ? options.steps : unseen_steps.data();
        records[static_cast<std::size_t>(rank)] = interpret(program, rank, backend, steps[rank]);
      });
    }
  }
  std::vector<std::string> complaints;
  const Model model = run_model(program, {.failures = failures_in(program, records, complaints)});
  for (int rank = 0; rank < program.ranks; ++rank) {
    for (const std::string& text : complaints_of(program, model, rank, records[static_cast<std::size_t>(rank)])) {
      complaints.push_back("rank " + std::to_string(rank) + ": " + text);
    }
  }
  for (std::string& text : check_files(program, model, stage.memory())) complaints.push_back(std::move(text));
  return complaints;
}

}  // namespace weir::programs

#include "workloads/decomposition.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "workloads/sizes.h"

namespace bench {
namespace {

// Reads one file; remembers who owns what.
class Reader {
 public:
  explicit Reader(std::istream& text) : text_(text) {}

  weir::Result<Decomposition> read() {
    weir::Status status = read_header();
    for (std::size_t i = 0; status.ok() && i < result_.owned.size(); ++i) status = read_task();
    if (!status.ok()) return status;
    result_.complete = std::ranges::all_of(taken_, [](bool taken) { return taken; });
    return std::move(result_);
  }

 private:
  weir::Status read_header() {
    std::string version;
    std::string npes;
    std::string ndims;
    std::int64_t number = 0;
    std::int64_t tasks = 0;
    std::int64_t dimensions = 0;
    text_ >> version >> number >> npes >> tasks >> ndims >> dimensions;
    if (!text_ || version != "version" || npes != "npes" || ndims != "ndims") {
      return refused("is not a PIO decomposition: it does not begin with \"version 2001 npes N ndims D\"");
    }
    if (number != 2001) return refused("has version " + std::to_string(number) + "; only 2001 is known");
    if (tasks < 1 || dimensions < 1) return refused("has no tasks or no dimensions");
    if (weir::Status status = fits_int(tasks, "its number of tasks"); !status.ok()) return status;
    result_.owned.resize(static_cast<std::size_t>(tasks));
    seen_.resize(static_cast<std::size_t>(tasks));
    return read_lengths(dimensions);
  }

  weir::Status read_lengths(std::int64_t dimensions) {
    result_.elements = 1;
    for (std::int64_t d = 0; d < dimensions; ++d) {
      std::int64_t length = 0;
      if (!(text_ >> length)) return refused("ends within the lengths of its array");
      if (length < 1) return refused("has an array without elements");
      const auto elements = product({result_.elements, length}, "its array");
      if (!elements.ok()) return elements.status();
      if (weir::Status status = fits_int(elements.value(), "its number of elements"); !status.ok()) return status;
      result_.elements = elements.value();
    }
    taken_.resize(static_cast<std::size_t>(result_.elements));
    return {};
  }

  weir::Status read_task() {
    std::int64_t task = 0;
    std::int64_t count = 0;
    if (!(text_ >> task >> count)) return refused("ends too early: not all tasks are there");
    if (task < 0 || task >= static_cast<std::int64_t>(seen_.size()) || count < 0) {
      return refused("has a task " + std::to_string(task) + " with " + std::to_string(count) + " positions");
    }
    const auto index = static_cast<std::size_t>(task);
    if (seen_[index]) return refused("has task " + std::to_string(task) + " twice");
    seen_[index] = true;
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t position = 0;
      if (!(text_ >> position)) {
        return refused("ends within task " + std::to_string(task) + ": " + std::to_string(i) + " of " +
                       std::to_string(count) + " positions are there");
      }
      if (position != 0) positions.push_back(position - 1);
    }
    return take(task, std::move(positions));
  }

  weir::Status take(std::int64_t task, std::vector<std::int64_t> positions) {
    std::ranges::sort(positions);
    std::vector<Run>& runs = result_.owned[static_cast<std::size_t>(task)];
    for (const std::int64_t position : positions) {
      if (position < 0 || position >= result_.elements) {
        return refused("has position " + std::to_string(position + 1) + " outside of an array of " +
                       std::to_string(result_.elements) + " elements");
      }
      const auto index = static_cast<std::size_t>(position);
      if (taken_[index])
        return refused("gives position " + std::to_string(position + 1) + " to two owners, or twice to one");
      taken_[index] = true;
      append_run(runs, {position, 1});
    }
    return {};
  }

  std::istream& text_;
  Decomposition result_;
  std::vector<bool> seen_;
  std::vector<bool> taken_;
};

}  // namespace

weir::Result<Decomposition> parse_decomposition(std::istream& text) { return Reader(text).read(); }

weir::Result<Decomposition> read_decomposition(const std::string& path) {
  std::ifstream file(path);
  if (!file) return refused("cannot read the decomposition " + path);
  weir::Result<Decomposition> result = parse_decomposition(file);
  if (!result.ok()) return refused(path + " " + result.status().text());
  return result;
}

std::vector<Run> runs_of(const Decomposition& decomposition, int ranks, int rank) {
  const auto tasks = static_cast<std::int64_t>(decomposition.owned.size());
  std::vector<Run> all;
  for (std::int64_t task = tasks * rank / ranks; task < tasks * (rank + 1) / ranks; ++task) {
    const std::vector<Run>& runs = decomposition.owned[static_cast<std::size_t>(task)];
    all.insert(all.end(), runs.begin(), runs.end());
  }
  std::ranges::sort(all, {}, &Run::begin);
  std::vector<Run> joined;
  for (const Run& run : all) append_run(joined, run);
  return joined;
}

}  // namespace bench

#include "compare/groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/numbers.h"
#include "workloads/workload.h"

namespace weir::tool::compare {

namespace {

constexpr std::int64_t kQuickBytes = std::int64_t{4} << 20;

// "; did you mean x?" or nothing.
std::string suggestion(const std::string& word, const Words& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <typename Row>
Words names_of(std::span<const Row> rows) {
  Words names;
  for (const Row& row : rows) names.emplace_back(row.name);
  return names;
}

Result<Words> directions_of(const BenchOptions& options) {
  if (options.direction == "both") return Words{"write", "read"};
  if (options.direction == "write" || options.direction == "read") return Words{options.direction};
  return cannot(fmt::format("--direction {}: say write, read or both", options.direction));
}

Result<std::vector<const Comparison*>> comparisons_of(const Words& names) {
  std::vector<const Comparison*> comparisons;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Comparison& one : all_comparisons()) comparisons.push_back(&one);
      continue;
    }
    comparisons.push_back(find_comparison(name));
    if (comparisons.back() == nullptr) {
      return cannot(fmt::format("--methods {}: there is no such comparison{}\n  There are: {}", name,
                                suggestion(name, names_of(all_comparisons())),
                                join(names_of(all_comparisons()), ", ")));
    }
  }
  return comparisons;
}

Words workloads_of(const BenchOptions& options) {
  Words specs;
  for (const std::string& spec : options.workloads) {
    if (spec != "all") specs.push_back(spec);
    if (spec == "all") specs = names_of(bench::all_workloads());
  }
  return specs;
}

// One workload with one number of ranks.
struct Task {
  std::string spec;
  bench::WorkloadSpec parsed;
  int ranks;
  std::int64_t bytes;
};

Result<Task> task_of(const std::string& text, int ranks, const BenchOptions& options) {
  const auto spec = bench::parse_spec(text);
  if (!spec.ok()) return spec.status();
  std::int64_t bytes = options.quick ? bench::nearest_bytes(spec.value(), ranks, kQuickBytes)
                                     : bench::default_bytes(spec.value(), ranks);
  if (!options.size.empty()) {
    const auto wished = parse_bytes(options.size);
    if (!wished.ok()) return wished.status();
    bytes = wished.value();
  }
  if (Status status = bench::check(spec.value(), {.ranks = ranks, .bytes = bytes}); !status.ok()) return status;
  return Task{text, spec.value(), ranks, bytes};
}

// "all" leaves out what cannot be had with so many ranks; what was asked for by name has to work.
Result<std::vector<Task>> tasks_of(const BenchOptions& options, Words& left_out) {
  std::vector<Task> tasks;
  for (const int ranks : options.ranks) {
    for (const std::string& spec : workloads_of(options)) {
      auto task = task_of(spec, ranks, options);
      if (!task.ok() && !contains(options.workloads, "all")) return task.status();
      if (!task.ok()) left_out.push_back(fmt::format("{} with {} ranks: {}", spec, ranks, task.status().text()));
      if (task.ok()) tasks.push_back(std::move(task).value());
    }
  }
  return tasks;
}

Cell cell_of(const Task& task, const std::string& direction, const Host& host, const Peer& peer) {
  return {.workload = task.spec,
          .direction = direction,
          .host = host,
          .peer = peer,
          .variant = {},
          .ranks = task.ranks,
          .bytes = task.bytes};
}

bool applies(const Comparison& comparison, const Task& task, const std::string& direction) {
  const bool fits = comparison.only_workload.empty() || comparison.only_workload == task.parsed.workload->name;
  return fits && (!comparison.only_reads || direction == "read");
}

// `plain` once for every way of the comparisons that apply.
void add_variants(Group& group, const std::vector<const Comparison*>& comparisons, const Task& task, const Cell& plain,
                  int ranks_per_node) {
  for (const Comparison* comparison : comparisons) {
    if (!applies(*comparison, task, plain.direction)) continue;
    for (const Variant& variant : comparison->variants(ranks_per_node > 0 ? ranks_per_node : task.ranks)) {
      group.cells.push_back(plain);
      group.cells.back().variant = variant;
    }
  }
}

}  // namespace

Result<Words> peers_wanted(const BenchOptions& options) {
  if (options.against.empty()) return options.methods.empty() ? Words{"host", "weir", "blockio"} : Words{"blockio"};
  for (const std::string& name : options.against) {
    if (!contains(peer_names(), name)) {
      return cannot(fmt::format("--against {}: there is no such MPI-IO{}\n  There are: {}", name,
                                suggestion(name, peer_names()), join(peer_names(), ", ")));
    }
  }
  return options.against;
}

Result<std::vector<Group>> plan_groups(const BenchOptions& options, const std::vector<Host>& hosts, Words& left_out) {
  const auto directions = directions_of(options);
  if (!directions.ok()) return directions.status();
  const auto comparisons = comparisons_of(options.methods);
  if (!comparisons.ok()) return comparisons.status();
  const auto peers = peers_wanted(options);
  if (!peers.ok()) return peers.status();
  const auto tasks = tasks_of(options, left_out);
  if (!tasks.ok()) return tasks.status();

  std::vector<Group> groups;
  for (const Host& host : hosts) {
    const auto own_peers = peers_of(host, peers.value(), left_out);
    Words ignored;
    const Peer weir = peers_of(host, {"weir"}, ignored).front();
    for (const Task& task : tasks.value()) {
      for (const std::string& direction : directions.value()) {
        Group group;
        for (const Peer& peer : own_peers) group.cells.push_back(cell_of(task, direction, host, peer));
        add_variants(group, comparisons.value(), task, cell_of(task, direction, host, weir), options.ranks_per_node);
        if (!group.cells.empty()) groups.push_back(std::move(group));
      }
    }
  }
  return groups;
}

}  // namespace weir::tool::compare

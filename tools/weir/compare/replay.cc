#include "compare/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "capture/capture_file.h"
#include "compare/groups.h"
#include "whole_file.h"

namespace weir::tool::compare {

namespace {

constexpr std::string_view kReplay = "replay:";

// How many ranks the program had.
Result<int> ranks_of(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes.ok()) return bytes.status();
  const auto capture = capture::decode(std::as_bytes(std::span(bytes.value())));
  if (!capture.ok()) return cannot(fmt::format("{} {}", path, capture.status().text()));
  return capture.value().ranks;
}

Status check_ranks(const std::string& path, int ranks, const BenchOptions& options) {
  if (!options.ranks_given || (options.ranks.size() == 1 && options.ranks.front() == ranks)) return {};
  return cannot(
      fmt::format("{} was captured with {} ranks: it is replayed with as many, so leave --ranks out", path, ranks));
}

}  // namespace

Words take_replays(BenchOptions& options) {
  Words& words = options.workloads;
  const auto others = std::stable_partition(words.begin(), words.end(),
                                            [](const std::string& word) { return !word.starts_with(kReplay); });
  Words replays(std::make_move_iterator(others), std::make_move_iterator(words.end()));
  words.erase(others, words.end());
  return replays;
}

std::string captured_file(const std::string& spec) { return spec.substr(kReplay.size()); }

Result<std::vector<Group>> replay_groups(const Words& replays, const BenchOptions& options,
                                         const std::vector<Host>& hosts, Words& left_out) {
  if (!replays.empty() && !options.methods.empty())
    return cannot("--methods: a capture is replayed as it is; give weir hints with --hint");
  std::vector<Group> groups;
  for (const std::string& spec : replays) {
    const std::string path = captured_file(spec);
    const auto ranks = ranks_of(path);
    if (!ranks.ok()) return ranks.status();
    if (Status status = check_ranks(path, ranks.value(), options); !status.ok()) return status;
    Words names = peers_wanted(options).value();
    std::erase(names, "blockio");
    for (const Host& host : hosts) {
      Group group;
      for (const Peer& peer : peers_of(host, names, left_out)) {
        group.cells.push_back({.workload = spec,
                               .direction = "replay",
                               .host = host,
                               .peer = peer,
                               .variant = {},
                               .ranks = ranks.value()});
      }
      if (!group.cells.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace weir::tool::compare

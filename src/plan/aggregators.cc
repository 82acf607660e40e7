#include "plan/aggregators.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace weir::plan {

namespace {

struct ConfigEntry {
  std::string_view host;
  int most = 1;
};

Result<ConfigEntry> read_entry(std::string_view text) {
  const std::size_t colon = text.find(':');
  ConfigEntry entry{text.substr(0, colon), 1};
  const Status unreadable(ErrorClass::kInfo, fmt::format("cb_config_list: '{}' is not host:number", text));
  if (entry.host.empty()) return unreadable;
  if (colon == std::string_view::npos) return entry;
  const std::string_view number = text.substr(colon + 1);
  if (number == "*") {
    entry.most = kAnyNumber;
    return entry;
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), entry.most);
  if (error != std::errc() || end != number.data() + number.size() || entry.most < 0) return unreadable;
  return entry;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

// What stands between commas.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.push_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

Result<std::vector<ConfigEntry>> read_entries(std::string_view list) {
  std::vector<ConfigEntry> entries;
  for (const std::string_view part : parts_of(list)) {
    Result<ConfigEntry> entry = read_entry(part);
    if (!entry.ok()) return entry.status();
    entries.push_back(entry.value());
  }
  return entries;
}

// What the entries leave each node: the first that names it counts.
std::vector<int> most_of(std::span<const ConfigEntry> entries, std::span<const std::string> host_of_node) {
  std::vector<int> most;
  for (const std::string& host : host_of_node) {
    const auto names_host = [&](const ConfigEntry& entry) { return entry.host == "*" || entry.host == host; };
    const auto found = std::ranges::find_if(entries, names_host);
    most.push_back(found == entries.end() ? 0 : found->most);
  }
  return most;
}

bool names_none(std::span<const int> most) {
  return std::ranges::all_of(most, [](int number) { return number == 0; });
}

// How many ranks there are of each number.
std::vector<int> group_sizes(std::span<const int> group_of_rank) {
  const int groups = group_of_rank.empty() ? 0 : std::ranges::max(group_of_rank) + 1;
  std::vector<int> sizes(static_cast<std::size_t>(groups), 0);
  for (const int group : group_of_rank) ++sizes[static_cast<std::size_t>(group)];
  return sizes;
}

std::vector<std::vector<int>> ranks_by_group(std::span<const int> group_of_rank) {
  const std::vector<int> sizes = group_sizes(group_of_rank);
  std::vector<std::vector<int>> members(sizes.size());
  for (std::size_t group = 0; group < sizes.size(); ++group)
    members[group].reserve(static_cast<std::size_t>(sizes[group]));
  for (std::size_t rank = 0; rank < group_of_rank.size(); ++rank) {
    members[static_cast<std::size_t>(group_of_rank[rank])].push_back(static_cast<int>(rank));
  }
  return members;
}

}  // namespace

Result<std::vector<int>> read_config_list(std::string_view list, std::span<const std::string> host_of_node) {
  Result<std::vector<ConfigEntry>> entries = read_entries(list);
  if (!entries.ok()) return entries.status();
  std::vector<int> most = most_of(entries.value(), host_of_node);
  if (names_none(most)) {
    return Status(ErrorClass::kInfo, fmt::format("cb_config_list '{}' names no node of this job", list));
  }
  return most;
}

Result<std::vector<int>> read_node_list(std::string_view list, std::span<const std::string> host_of_node) {
  std::vector<ConfigEntry> entries;
  for (const std::string_view host : parts_of(list)) entries.push_back({host, kAnyNumber});
  std::vector<int> most = most_of(entries, host_of_node);
  if (names_none(most)) {
    return Status(ErrorClass::kInfo, fmt::format("io_node_list '{}' names no node of this job", list));
  }
  return most;
}

std::vector<int> place_aggregators(int wanted, std::span<const int> node_of_rank, std::span<const int> most_per_node) {
  const std::vector<std::vector<int>> ranks_of = ranks_by_group(node_of_rank);
  const auto room = [&](std::size_t node) {
    const int most = most_per_node[node];
    const int ranks = static_cast<int>(ranks_of[node].size());
    return most == kAnyNumber ? ranks : std::min(most, ranks);
  };
  std::vector<int> taken(ranks_of.size(), 0);
  for (bool placed = true; placed && wanted > 0;) {
    placed = false;
    for (std::size_t node = 0; node < ranks_of.size() && wanted > 0; ++node) {
      if (taken[node] >= room(node)) continue;
      ++taken[node];
      --wanted;
      placed = true;
    }
  }
  std::vector<int> chosen;
  for (std::size_t node = 0; node < ranks_of.size(); ++node) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(taken[node]); ++i) {
      chosen.push_back(ranks_of[node][i * ranks_of[node].size() / static_cast<std::size_t>(taken[node])]);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

int fit_to_servers(int most, int servers) {
  if (most >= servers) return most / servers * servers;
  int fit = most;
  while (servers % fit != 0) --fit;
  return fit;
}

std::vector<int> local_aggregators(int ranks, int wanted) {
  const int count = std::clamp(wanted, 1, ranks);
  const int larger = ranks % count;  // groups that have one rank more than the others
  const int floor_size = ranks / count;
  const int ceil_size = floor_size + (larger > 0 ? 1 : 0);
  std::vector<int> chosen;
  for (int i = 0; i < count; ++i) {
    chosen.push_back(i < larger ? ceil_size * i : ceil_size * larger + floor_size * (i - larger));
  }
  return chosen;
}

int group_count(std::span<const int> group_of_rank) {
  const std::vector<int> ranks = group_sizes(group_of_rank);
  return static_cast<int>(std::ranges::count_if(ranks, [](int number) { return number > 0; }));
}

int largest_group(std::span<const int> group_of_rank) {
  const std::vector<int> ranks = group_sizes(group_of_rank);
  return ranks.empty() ? 0 : std::ranges::max(ranks);
}

std::vector<int> local_aggregator_of(std::span<const int> group_of_rank, int wanted) {
  std::vector<int> leader_of(group_of_rank.size());
  for (const std::vector<int>& ranks : ranks_by_group(group_of_rank)) {
    if (ranks.empty()) continue;
    const std::vector<int> leaders = local_aggregators(static_cast<int>(ranks.size()), wanted);
    std::size_t current = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (current + 1 < leaders.size() && static_cast<std::size_t>(leaders[current + 1]) == i) ++current;
      leader_of[static_cast<std::size_t>(ranks[i])] = ranks[static_cast<std::size_t>(leaders[current])];
    }
  }
  return leader_of;
}

}  // namespace weir::plan

#include "sys/memory_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace weir::sys {

namespace {

// A line of /proc/self/cgroup: hierarchy:controllers:path. The controllers of version 2 are none.
struct Group {
  std::string_view hierarchy;
  std::string_view controllers;
  std::string_view path;
};

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

bool lists(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    if (take_until(controllers, ',') == wanted) return true;
  }
  return false;
}

// The file in the group at `path` below `mount`, and in every group above.
void add_with_parents(std::string_view mount, std::string_view path, std::string_view file,
                      std::vector<std::string>& files) {
  while (path.ends_with('/')) path.remove_suffix(1);
  while (true) {
    files.push_back(fmt::format("{}{}/{}", mount, path, file));
    if (path.empty()) return;
    path = path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/'));
  }
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::vector<std::string> limit_files(std::string_view groups) {
  std::vector<std::string> files;
  while (!groups.empty()) {
    std::string_view line = take_until(groups, '\n');
    Group group;
    group.hierarchy = take_until(line, ':');
    group.controllers = take_until(line, ':');
    group.path = line;  // may hold colons
    if (!group.path.starts_with('/')) continue;
    if (group.hierarchy == "0" && group.controllers.empty()) {
      add_with_parents("/sys/fs/cgroup", group.path, "memory.max", files);
      add_with_parents("/sys/fs/cgroup/unified", group.path, "memory.max", files);
    } else if (lists(group.controllers, "memory")) {
      add_with_parents("/sys/fs/cgroup/memory", group.path, "memory.limit_in_bytes", files);
    }
  }
  return files;
}

std::optional<std::int64_t> parse_limit(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::int64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size() || limit < 0) return std::nullopt;
  return limit;
}

std::optional<std::int64_t> least_limit(std::string_view groups, const ReadFile& read) {
  std::optional<std::int64_t> least;
  for (const std::string& path : limit_files(groups)) {
    const std::optional<std::string> text = read(path);
    const std::optional<std::int64_t> limit = text ? parse_limit(*text) : std::nullopt;
    if (limit && (!least || *limit < *least)) least = limit;
  }
  return least;
}

std::optional<std::int64_t> group_memory_limit() {
  const std::optional<std::string> groups = read_file("/proc/self/cgroup");
  return groups ? least_limit(*groups, &read_file) : std::nullopt;
}

Status check_fits(std::int64_t bytes, std::int64_t node_bytes, std::optional<std::int64_t> group_bytes) {
  if (bytes >= node_bytes) {
    return {ErrorClass::kNoMemory,
            fmt::format("cannot get {} bytes of node memory: the node has {}", bytes, node_bytes)};
  }
  if (group_bytes && bytes >= *group_bytes) {
    return {ErrorClass::kNoMemory,
            fmt::format("cannot get {} bytes of node memory: the control group may have {}", bytes, *group_bytes)};
  }
  return {};
}

}  // namespace weir::sys

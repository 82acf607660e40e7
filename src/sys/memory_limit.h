// How much memory the kernel lets this process's control groups have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace weir::sys {

// Pure: the files that may hold a limit for a process whose /proc/self/cgroup reads `groups`: of its group and of every
// group above it, in both versions of control groups. Not all of them need exist: in a container, the upper ones are
// out of sight.
std::vector<std::string> limit_files(std::string_view groups);

// Pure: what such a file says; nothing for "max" and for what is no number.
std::optional<std::int64_t> parse_limit(std::string_view text);

// The least limit of all these files. `read` returns a file's text, or nothing.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;
std::optional<std::int64_t> least_limit(std::string_view groups, const ReadFile& read);

// The same for this process; nothing when there is none.
std::optional<std::int64_t> group_memory_limit();

// Pure: kNoMemory when a block exceeds what the node or the control group has.
Status check_fits(std::int64_t bytes, std::int64_t node_bytes, std::optional<std::int64_t> group_bytes);

}  // namespace weir::sys

// Amounts on the command line: bytes with a unit, lists of whole numbers. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool::bench {

// "4096", "64K", "16M", "1G", "2T", also with "iB" behind: powers of 1024. Failure: anything else, and zero.
Result<std::int64_t> parse_bytes(const std::string& text);

// "4,16,64": whole numbers of at least 1. Failure: anything else, and an empty list.
Result<std::vector<int>> parse_numbers(const std::string& text);

// "64 MiB", "1.5 GiB", "100 B".
std::string bytes_text(std::int64_t bytes);

// "1:05" for 65 seconds, "2:00:00" for two hours.
std::string clock_text(double seconds);

}  // namespace weir::tool::bench

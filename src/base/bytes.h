// Numbers of bytes: rounded, read and shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

// The least multiple of `unit` that is not below `bytes`. REQUIRES: bytes >= 0, unit > 0, and that it fits.
template <typename Number>
constexpr Number round_up(Number bytes, Number unit) {
  return (bytes + unit - 1) / unit * unit;
}

// A whole number in `base`, with or without a sign; what does not fit becomes the largest, or the negative of the
// largest. Nothing when `text` is none.
std::optional<std::int64_t> read_number(std::string_view text, int base = 10);

// The same in decimal with a unit behind it, of either case: "64k", "64 KB" and "64KiB" are 65536; also m, g and t.
std::optional<std::int64_t> read_bytes(std::string_view text);

// "10239 B", "10.0 KiB", "1.5 MiB", "2.0 GiB". REQUIRES: bytes >= 0.
std::string bytes_text(std::int64_t bytes);

}  // namespace weir

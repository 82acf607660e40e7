#include "trace/words.h"

#include <fmt/format.h>

namespace weir::trace {

std::string bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kKiB = 1024;
  const auto amount = static_cast<double>(bytes);
  if (bytes < 10 * kKiB) return fmt::format("{} B", bytes);
  if (bytes < kKiB * kKiB) return fmt::format("{:.1f} KiB", amount / 1024);
  if (bytes < kKiB * kKiB * kKiB) return fmt::format("{:.1f} MiB", amount / (1024 * 1024));
  return fmt::format("{:.1f} GiB", amount / (1024 * 1024 * 1024));
}

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string time_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kTenMilliseconds = 10'000'000;
  if (nanoseconds < kTenMilliseconds) return fmt::format("{:.3f} ms", static_cast<double>(nanoseconds) / 1e6);
  return fmt::format("{:.3f} s", static_cast<double>(nanoseconds) / 1e9);
}

}  // namespace weir::trace

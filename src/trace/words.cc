#include "trace/words.h"

#include <fmt/format.h>

namespace weir::trace {

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string time_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kTenMilliseconds = 10'000'000;
  if (nanoseconds < kTenMilliseconds) return fmt::format("{:.3f} ms", static_cast<double>(nanoseconds) / 1e6);
  return fmt::format("{:.3f} s", static_cast<double>(nanoseconds) / 1e9);
}

}  // namespace weir::trace

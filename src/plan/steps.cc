#include "plan/steps.h"

#include <fmt/format.h>

namespace weir::plan {

std::string time_text(double us) {
  constexpr double kMillisecond = 1e3;
  constexpr double kSecond = 1e6;
  if (us < kMillisecond) return fmt::format("{:.0f} us", us);
  if (us < kSecond) return fmt::format("{:.3g} ms", us / kMillisecond);
  return us < 1000 * kSecond ? fmt::format("{:.3g} s", us / kSecond) : fmt::format("{:.0f} s", us / kSecond);
}

}  // namespace weir::plan

#include "schedule.h"

#include <algorithm>

namespace beffio {
namespace {

constexpr double kLeastPart = 0.25;  // of a pattern's time, however late the run is

}  // namespace

std::vector<Type> types_of(Method method, std::span<const Type> types, const TimeFrame& frame) {
  std::vector<Type> chosen(types.begin(), types.end());
  if (method == Method::kRewrite && frame.release == Release::kTwo && !frame.rewrite_all) {
    std::erase_if(chosen, [](Type type) { return type != Type::kScatter; });
  }
  return chosen;
}

double least_seconds(Release release, bool rewrite_all) {
  constexpr double kMinute = 60;
  if (release == Release::kOne) return 15 * kMinute;
  return (rewrite_all ? 45 : 30) * kMinute;
}

double seconds_of_unit(const TimeFrame& frame) {
  int units = 0;
  for (const Method method : kAllMethods) units += units_of(types_of(method, kAllTypes, frame));
  const int partitions = frame.release == Release::kTwo ? frame.partitions : 1;
  return frame.seconds / partitions / units;
}

double Schedule::seconds_for(int units, double now) const {
  const double planned = planned_seconds(units);
  return std::clamp(planned - std::max(0.0, seconds_late(now)), planned * kLeastPart, planned);
}

}  // namespace beffio

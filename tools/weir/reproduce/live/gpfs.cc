#include <fmt/format.h>

#include "reproduce/live/live.h"
#include "reproduce/live/trial.h"

namespace weir::tool::reproduce {

// Windows of 1 MiB, so that there are many rounds.
Finding double_buffering(const Setting& setting) {
  double gain[2] = {0, 0};
  std::string words;
  for (const bool reading : {false, true}) {
    Trial trial;
    trial.workload = "discontiguous";
    trial.direction = reading ? "read" : "write";
    trial.size = "64M";
    trial.comparison = "depth";
    trial.hints = {"cb_buffer_size=1m"};
    const auto times = measure(setting, trial);
    if (!times.ok()) return not_run(times.status().text());
    const double one = times.value().at("1").seconds;
    const double two = times.value().at("2").seconds;
    gain[reading ? 1 : 0] = one / two;
    words += fmt::format("{}{} {:.1f} ms with one round in flight, {:.1f} ms with two", words.empty() ? "" : "; ",
                         trial.direction, one * 1000, two * 1000);
  }
  return found(gain[0] > 1.05 && gain[1] > 1.05, words);
}

}  // namespace weir::tool::reproduce

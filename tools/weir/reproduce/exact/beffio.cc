#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paper_tables.h"
#include "pattern.h"
#include "repeats.h"
#include "reproduce/exact/exact.h"
#include "values.h"

namespace weir::tool::reproduce {

namespace {

// How often the clock is looked at in a pattern of `seconds` whose calls take `call_seconds`.
int looks_at_the_clock(double call_seconds, double seconds) {
  beffio::RepeatState state{.done = 0, .last_batch = 0, .elapsed = 0, .seconds = seconds, .limit = 1'000'000'000};
  int looks = 0;
  for (std::int64_t batch = beffio::next_batch(state); batch > 0; batch = beffio::next_batch(state)) {
    ++looks;
    state.done += batch;
    state.last_batch = batch;
    state.elapsed += call_seconds * static_cast<double>(batch);
  }
  return looks;
}

// The bottom rows of Table 2, calculated from the rows above them.
Chart chart_of_types() {
  Chart chart{"b_eff_io, Table 2: bandwidth by pattern type with data shipping everywhere, nowhere, by pattern",
              "pattern type",
              "MB/s",
              {}};
  for (const beffio::PaperSet& set : beffio::paper_sets()) {
    Series& series = chart.series.emplace_back(Series{set.name, {}});
    for (std::size_t i = 0; i < set.write.types.size(); ++i) {
      const auto value = beffio::value_1x(set.write.types[i], set.rewrite.types[i], set.read.types[i]);
      series.points.push_back({static_cast<double>(i), value.both.value_or(0)});
    }
  }
  return chart;
}

}  // namespace

Finding beffio_patterns(const Setting&) {
  const auto patterns = beffio::all_patterns(64 * beffio::kMegabyte);
  int units = 0;
  for (const beffio::Pattern& pattern : patterns) units += pattern.units;
  const auto timed = std::ranges::count_if(patterns, [](const auto& pattern) { return pattern.units > 0; });
  return found(units == 64 && timed == 36, fmt::format("{} patterns with {} time units", timed, units));
}

Finding beffio_values(const Setting&) {
  bool holds = true;
  std::vector<std::string> one;
  std::vector<std::string> two;
  for (const beffio::PaperSet& set : beffio::paper_sets()) {
    const auto release_1 = beffio::value_1x(set.write.mean(), set.rewrite.mean(), set.read.mean()).both.value_or(0);
    const auto release_2 =
        beffio::value_20(set.write.values(), set.rewrite.types[0], set.read.values()).both.value_or(0);
    // The paper prints whole MB/s, and its means are of unrounded ones.
    holds = holds && std::abs(release_1 - set.average.average) <= 1 && std::abs(release_2 - set.release_20) <= 0.5;
    one.push_back(fmt::format("{:.0f}", release_1));
    two.push_back(fmt::format("{:.1f}", release_2));
  }
  return found(holds,
               fmt::format("release 1.x {}; release 2.0 {}, from the printed columns", fmt::join(one, " / "),
                           fmt::join(two, " / ")),
               {chart_of_types()});
}

Finding beffio_stop_test(const Setting&) {
  constexpr double kCall = 250e-6;
  constexpr double kLook = 60e-6;
  const double every_call = kLook / (kCall + kLook);
  const double unit = 15.0 * 60 / 3 / 64;  // T = 15 minutes: one time unit of a method
  const double batches = looks_at_the_clock(kCall, unit) * kLook / unit;
  const double on_disk = 1 - 1.0 / 20;
  return found(
      every_call > 0.1 && batches < 0.1 && on_disk == 0.95,
      fmt::format("a look after every call costs {:.0f} %, in weir's growing batches {:.3f} %; {:.0f} % on disk",
                  100 * every_call, 100 * batches, 100 * on_disk));
}

}  // namespace weir::tool::reproduce

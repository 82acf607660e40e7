#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "reproduce/live/live.h"
#include "reproduce/live/trial.h"

namespace weir::tool::reproduce {

namespace {

const Words kPairwise = {"weir_method=two_phase", "weir_exchange=pairwise"};

Trial pairwise(int elements, int block, int ranks, bool repeated) {
  Trial trial;
  trial.workload = fmt::format("cyclic:nx={}:bx={}", elements, block);
  trial.ranks = ranks;
  trial.hints = kPairwise;
  trial.repeated = repeated;
  return trial;
}

double milliseconds(double seconds) { return seconds * 1000; }

}  // namespace

Finding inspector_time(const Setting& setting) {
  std::vector<double> by_length;
  for (const int elements : {1 << 18, 1 << 20, 1 << 22}) {
    const auto times = measure(setting, pairwise(elements, 16, 4, false));
    if (!times.ok()) return not_run(times.status().text());
    by_length.push_back(milliseconds(times.value().at("").inspect));
  }
  std::vector<double> by_ranks;
  for (const int ranks : {2, 4, 8}) {
    const auto times = measure(setting, pairwise(1 << 19, 16, ranks, false));
    if (!times.ok()) return not_run(times.status().text());
    by_ranks.push_back(milliseconds(times.value().at("").inspect));
  }
  // Sixteen times the length, four times the ranks.
  const bool holds = by_length.back() < 4 * by_length.front() && by_ranks.back() < 4 * by_ranks.front();
  return found(holds, fmt::format("{:.2f} ms at N_x = 2^18, 2^20, 2^22; {:.2f} ms on 2, 4, 8 ranks",
                                  fmt::join(by_length, ", "), fmt::join(by_ranks, ", ")));
}

Finding executor_time(const Setting& setting) {
  std::vector<double> by_block;
  for (const int block : {1, 16, 256}) {
    const auto times = measure(setting, pairwise(1 << 22, block, 4, true));
    if (!times.ok()) return not_run(times.status().text());
    by_block.push_back(milliseconds(times.value().at("").seconds));
  }
  const auto [least, most] = std::ranges::minmax(by_block);
  return found(most < 2 * least,
               fmt::format("16 MB: {:.1f} ms at B_x = 1, 16, 256; alike within 2", fmt::join(by_block, ", ")));
}

Finding methods_by_block_size(const Setting& setting) {
  std::map<int, std::map<std::string, Times>> by_block;
  std::vector<std::string> words;
  for (const int block : {1, 16, 512}) {
    Trial trial;
    trial.workload = fmt::format("cyclic:nx={}:bx={}", 1 << 20, block);
    trial.comparison = "access";
    const auto times = measure(setting, trial);
    if (!times.ok()) return not_run(times.status().text());
    by_block[block] = times.value();
    const auto of = [&](const char* way) { return milliseconds(times.value().at(way).seconds); };
    words.push_back(fmt::format("B_x = {}: List {:.1f}, two-phase {:.1f}, IEC {:.1f}, Block {:.1f} ms", block,
                                of("list_io"), of("two_phase"), of("iec"), of("block")));
  }
  const auto seconds = [&](int block, const char* way) { return by_block[block].at(way).seconds; };
  const bool block_best = std::ranges::all_of(std::vector{1, 16, 512}, [&](int block) {
    return seconds(block, "block") <=
           1.2 * std::min({seconds(block, "list_io"), seconds(block, "two_phase"), seconds(block, "iec")});
  });
  const bool iec_flat = seconds(1, "iec") < 3 * seconds(512, "iec");
  const bool list_falls =
      seconds(1, "list_io") > 2 * seconds(1, "iec") && seconds(512, "list_io") < 2 * seconds(512, "iec");
  return found(block_best && iec_flat && list_falls, fmt::format("{}", fmt::join(words, "; ")));
}

}  // namespace weir::tool::reproduce

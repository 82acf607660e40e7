#include "exec/call/arrival.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "exec/call/watchdog.h"

namespace weir::exec {

Status check_calls(std::span<const Arrival> arrivals, const std::string& path) {
  const auto matches = [&](const Arrival& other) { return match(arrivals[0].call, other.call); };
  if (std::all_of(arrivals.begin(), arrivals.end(), matches)) return {};
  std::map<std::string, std::vector<int>> ranks_in;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    ranks_in[name_of(arrivals[rank].call)].push_back(static_cast<int>(rank));
  }
  std::string text;
  for (const auto& [name, ranks] : ranks_in) {
    text += fmt::format("{}rank{} {} {} in {}", text.empty() ? "" : ", ", ranks.size() == 1 ? "" : "s",
                        text_of_ranks(ranks), ranks.size() == 1 ? "is" : "are", name);
  }
  return {ErrorClass::kNotSame,
          fmt::format("collective calls on '{}' do not match: {}. All ranks that opened a file must make the same "
                      "collective calls on it, in the same order",
                      path, text)};
}

}  // namespace weir::exec

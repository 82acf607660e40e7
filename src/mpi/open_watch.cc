#include "mpi/open_watch.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstddef>
#include <fstream>
#include <functional>
#include <utility>

#include "base/guarded.h"
#include "hints/apply.h"
#include "hints/pairs.h"

namespace weir::mpi {

namespace {

// Ranks of one open, and hardly anybody else: programs may run in several directories at a time.
std::string name_for(const OpenWatch::Place& place) {
  std::array<char, PATH_MAX> directory = {};
  if (getcwd(directory.data(), directory.size()) == nullptr) directory[0] = '\0';
  const std::size_t hash = std::hash<std::string>{}(fmt::format("{}\n{}", directory.data(), place.path));
  return fmt::format("weir-open-{}-{:x}-{}-", getuid(), hash, place.ranks);
}

// A socket with this name in the abstract space: no file. None where none can be had.
sys::UniqueFd named_socket(const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof(address.sun_path)) return {};
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  sys::UniqueFd made(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (made.open() && bind(made.get(), reinterpret_cast<const sockaddr*>(&address), bytes) == 0) return made;
  return {};
}

}  // namespace

exec::WatchSettings watch_settings(const exec::HintSources& mine) {
  exec::WatchSettings settings;
  guarded([&]() -> Status {
    hints::HintSet hints;
    hints::apply(hints, hints::merge(hints::merge(mine.file, mine.info), mine.command_line), hints::When::kOpen);
    settings.limit = std::chrono::seconds(hints.integer(hints::Id::kWeirWatchdog));
    settings.abort = hints.boolean(hints::Id::kWeirWatchdogAbort);
    return {};
  }).ignore();  // the other ranks come to the open, and so must this one
  return settings;
}

OpenWatch::OpenWatch(Place place, const exec::WatchSettings& settings, exec::Voice voice)
    : place_(std::move(place)), settings_(settings), voice_(std::move(voice)) {}

void OpenWatch::still_waiting(const sys::Step&, std::chrono::seconds waited) {
  if (settings_.limit.count() == 0 || told_) return;
  if (name_.empty()) {
    name_ = name_for(place_);
    socket_ = named_socket(name_ + std::to_string(place_.rank));
    return;  // the others have a second to do the same
  }
  if (waited < settings_.limit) return;
  told_ = true;
  const std::vector<int> waiting = ranks_waiting();
  if (waiting.front() == place_.rank) speak(waiting, waited);
}

// Of this node, this one included; ascending.
std::vector<int> OpenWatch::ranks_waiting() const {
  std::vector<int> ranks = {place_.rank};
  std::ifstream sockets("/proc/net/unix");
  for (std::string line; std::getline(sockets, line);) {
    const std::size_t found = line.find("@" + name_);
    if (found == std::string::npos) continue;
    int rank = 0;
    const char* const digits = line.data() + found + 1 + name_.size();
    if (std::from_chars(digits, line.data() + line.size(), rank).ec == std::errc()) ranks.push_back(rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

void OpenWatch::speak(const std::vector<int>& waiting, std::chrono::seconds waited) const {
  std::vector<int> missing;
  for (int rank = 0; rank < place_.ranks; ++rank) {
    if (!std::binary_search(waiting.begin(), waiting.end(), rank)) missing.push_back(rank);
  }
  const auto several = [](const std::vector<int>& ranks) { return ranks.size() > 1; };
  std::string text =
      fmt::format("watchdog: rank{} {} {} waited {} s in MPI_File_open of '{}'.", several(waiting) ? "s" : "",
                  exec::text_of_ranks(waiting), several(waiting) ? "have" : "has", waited.count(), place_.path);
  if (!missing.empty()) {
    text += fmt::format(" Rank{} {} of its communicator {} not entered it, or {} on another node.",
                        several(missing) ? "s" : "", exec::text_of_ranks(missing), several(missing) ? "have" : "has",
                        several(missing) ? "are" : "is");
  }
  voice_.tell(text);
  if (!settings_.abort) return;
  voice_.tell("watchdog: the job ends (weir_watchdog_abort)");
  voice_.abort();
}

}  // namespace weir::mpi

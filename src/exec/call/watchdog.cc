#include "exec/call/watchdog.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <map>

namespace weir::exec {

namespace {

bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

std::string words_of(const sys::Step& step) {
  std::string text = step.what;
  if (step.peer != sys::Step::kNoPeer) text += fmt::format(" (rank {})", step.peer);
  if (step.round != sys::Step::kNoRound) text += fmt::format(", round {}", step.round);
  return text;
}

std::string_view has_or_have(std::size_t ranks) { return ranks == 1 ? "has" : "have"; }

std::string ranks_with(std::string_view word, const std::vector<int>& ranks) {
  return fmt::format("{}{} {}", word, ranks.size() == 1 ? "" : "s", text_of_ranks(ranks));
}

// What a rank does that others wait for, as far as its node can see.
std::string doings_of(const Presence::Sighting& seen, CallCode awaited) {
  if (seen.process == 0) return "it has not opened the file";
  if (!seen.elsewhere.empty()) return fmt::format("it is in {}", seen.elsewhere);
  if (seen.inside && seen.waits_for.empty()) {
    return fmt::format("it is at work in an earlier call, {}", name_of(seen.call));
  }
  if (seen.inside) return fmt::format("it waits in an earlier call, {}, for {}", name_of(seen.call), seen.waits_for);
  if (seen.call.kind == CallKind::kNone) return "it has called nothing else on this file";
  // Files take the memory over from each other.
  const std::string_view file = awaited.kind == CallKind::kOpen ? "an earlier file" : "this file";
  return fmt::format("its last call on {} was {}, which it left {} s ago", file, name_of(seen.call), seen.age.count());
}

std::string explain_missing(const Scene& scene) {
  std::vector<int> here;
  std::string text;
  for (const auto& [rank, seen] : scene.node) {
    if (is_before(seen.calls, scene.calls)) {
      text += fmt::format(" Rank {} has not entered it: {}.", rank, doings_of(seen, scene.call));
    } else {
      here.push_back(rank);
    }
  }
  return fmt::format("{} {} waited {} s in {} of '{}'.{}", ranks_with("rank", here), has_or_have(here.size()),
                     scene.waited.count(), name_of(scene.call), scene.path, text);
}

// Everybody is there: who waits for what.
std::string explain_inside(const Scene& scene) {
  std::map<std::string, std::vector<int>> waiting;
  std::vector<int> working;
  for (const auto& [rank, seen] : scene.node) {
    if (seen.waits_for.empty()) {
      working.push_back(rank);
    } else {
      waiting[seen.waits_for].push_back(rank);
    }
  }
  std::string text = fmt::format("{} of '{}' has taken {} s.", name_of(scene.call), scene.path, scene.waited.count());
  for (const auto& [what, ranks] : waiting) {
    text += fmt::format(" {} {} for {}.", ranks_with("Rank", ranks), ranks.size() == 1 ? "waits" : "wait", what);
  }
  if (!working.empty()) {
    text += fmt::format(" {} {} at work in it (copying, or in the file system).", ranks_with("Rank", working),
                        working.size() == 1 ? "is" : "are");
  }
  return text;
}

}  // namespace

std::string text_of_ranks(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ranks[first]);
    if (last > first) text += fmt::format("-{}", ranks[last]);
    first = last + 1;
  }
  return text;
}

std::vector<int> missing_in(const Scene& scene) {
  std::vector<int> missing;
  for (const auto& [rank, seen] : scene.node) {
    if (is_before(seen.calls, scene.calls)) missing.push_back(rank);
  }
  return missing;
}

std::string explain(const Scene& scene) {
  return missing_in(scene).empty() ? explain_inside(scene) : explain_missing(scene);
}

void WatchRoom::add(Watchdog* watchdog) {
  std::scoped_lock lock(mutex_);
  watchdogs_.push_back(watchdog);
}

void WatchRoom::remove(Watchdog* watchdog) {
  std::scoped_lock lock(mutex_);
  std::erase(watchdogs_, watchdog);
}

void WatchRoom::tell_others(const Watchdog* from, const std::string& waits_for) {
  std::scoped_lock lock(mutex_);
  for (const Watchdog* watchdog : watchdogs_) {
    if (watchdog != from && watchdog->mine() != nullptr) watchdog->mine()->wait_elsewhere(waits_for);
  }
}

void WatchRoom::move(Watchdog* watchdog, const PresenceBoard& board) {
  std::scoped_lock lock(mutex_);
  watchdog->board_ = board;
}

Watchdog::Watchdog(std::string path, const comm::Comm& comm, WatchRoom& room, Voice voice)
    : path_(std::move(path)),
      comm_(comm),
      members_(comm.topology().ranks_beside(comm.rank())),
      place_(
          static_cast<std::size_t>(std::lower_bound(members_.begin(), members_.end(), comm.rank()) - members_.begin())),
      room_(room),
      voice_(std::move(voice)) {
  set({});
  room_.add(this);
}

Watchdog::~Watchdog() { room_.remove(this); }

void Watchdog::use(const PresenceBoard& board) {
  room_.move(this, board);
  mine()->come();
  if (inside_.load() != std::thread::id()) mine()->enter(unpack(call_.load()));
}

void Watchdog::stop_using() {
  if (mine() == nullptr) return;
  mine()->wait_for("");
  mine()->wait_elsewhere("");
  mine()->leave();
  room_.move(this, {});
}

void Watchdog::set(const WatchSettings& settings) {
  limit_seconds_ = settings.limit.count();
  abort_ = settings.abort;
}

Presence* Watchdog::mine() const { return board_.told == nullptr ? nullptr : &board_.of_member[place_]; }

void Watchdog::enter(CallCode call) {
  call_.store(pack(call), std::memory_order_relaxed);
  meeting_.store(true, std::memory_order_relaxed);
  own_calls_.fetch_add(1, std::memory_order_relaxed);
  inside_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  if (mine() != nullptr) mine()->enter(call);
}

void Watchdog::leave() {
  inside_.store({}, std::memory_order_relaxed);
  if (mine() != nullptr) mine()->leave();
  if (!published_.exchange(false, std::memory_order_relaxed)) return;
  if (mine() != nullptr) mine()->wait_for("");
  room_.tell_others(this, "");
}

void Watchdog::still_waiting(const sys::Step& step, std::chrono::seconds waited) {
  if (inside_.load() != std::this_thread::get_id()) return;
  published_.store(true, std::memory_order_relaxed);
  if (mine() != nullptr) mine()->wait_for(words_of(step));
  room_.tell_others(this, fmt::format("{} of '{}'", name_of(unpack(call_.load())), path_));
  check_alive();
  const std::int64_t limit = limit_seconds_.load();
  if (limit > 0 && waited.count() >= limit) report(step, waited);
}

Scene Watchdog::look(std::chrono::seconds waited) const {
  Scene scene{path_, unpack(call_.load()), own_calls_.load(), waited, {}};
  if (mine() == nullptr) return scene;
  scene.calls = mine()->see().calls;
  for (std::size_t i = 0; i < members_.size(); ++i) scene.node.emplace_back(members_[i], board_.of_member[i].see());
  return scene;
}

// Ranks may be in different calls, and each of them too long: what was told of a later call holds for the earlier.
bool Watchdog::claim(std::uint32_t calls) {
  std::atomic<std::uint32_t>& told = board_.told != nullptr ? *board_.told : own_told_;
  std::uint32_t last = told.load();
  return is_before(last, calls) && told.compare_exchange_strong(last, calls);
}

// The launcher ends a job when one of its processes dies; where it does not, nobody else would.
void Watchdog::check_alive() const {
  if (mine() == nullptr) return;
  const std::uint64_t processes = mine()->see().processes;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Presence::Sighting seen = board_.of_member[i].see();
    const std::int32_t process = seen.process;
    if (process == 0 || seen.processes != processes || kill(process, 0) == 0 || errno != ESRCH) continue;
    voice_.tell(fmt::format("rank {} (process {}) is gone; others wait for it in {} of '{}': the job ends", members_[i],
                            process, name_of(unpack(call_.load())), path_));
    voice_.abort();
  }
}

// In the first step of an exchange by messages, a rank hears from the next one: nobody else waits for that one there.
bool Watchdog::waits_for_the_next(const sys::Step& step) const {
  return step.peer == (comm_.rank() + 1) % comm_.size();
}

// In a meeting, the next one has not come. Where it has others on its node that share memory with it, they see it
// themselves and speak.
bool Watchdog::waits_for_a_lonely_rank(const sys::Step& step) const {
  if (!meeting_.load() || !waits_for_the_next(step)) return false;
  const bool shares = mine() != nullptr;
  return !shares || comm_.topology().ranks_beside(step.peer).size() == 1;
}

void Watchdog::report(const sys::Step& step, std::chrono::seconds waited) {
  const Scene scene = look(waited);
  const bool one_node = comm_.topology().node_count() == 1;
  const bool somebody_missing = !missing_in(scene).empty();
  if (somebody_missing || (!scene.node.empty() && (one_node || !meeting_.load()))) {
    if (claim(scene.calls)) speak(explain(scene));
    return;
  }
  const bool lonely = waits_for_a_lonely_rank(step);
  const bool opening = scene.call.kind == CallKind::kOpen;  // nothing is shared yet: one of all speaks
  const bool speaks = meeting_.load() ? lonely : !opening || waits_for_the_next(step);
  if (!speaks || !claim(scene.calls)) return;
  std::string text = fmt::format("rank {} has waited {} s in {} of '{}' for {}.", comm_.rank(), waited.count(),
                                 name_of(scene.call), path_, words_of(step));
  if (lonely) text += fmt::format(" Rank {} has not entered it.", step.peer);
  speak(text);
}

void Watchdog::speak(const std::string& text) const {
  voice_.tell("watchdog: " + text);
  if (!abort_.load()) return;
  voice_.tell("watchdog: the job ends (weir_watchdog_abort)");
  voice_.abort();
}

}  // namespace weir::exec

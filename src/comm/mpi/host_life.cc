#include "comm/mpi/host_life.h"

#include <algorithm>

namespace weir::comm {

namespace {

// In the order of what they allow, which the standard gives their values, too.
constexpr std::array kLevels = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};

std::size_t place_of(int level) {
  const auto found = std::ranges::find(kLevels, level);
  return found == kLevels.end() ? 0 : static_cast<std::size_t>(found - kLevels.begin());
}

// For a world that began without weir.
bool host_says_world() {
  int initialized = 0;
  int finalized = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

}  // namespace

HostLife& HostLife::get() {
  static HostLife& life = *new HostLife;
  return life;
}

void HostLife::add(int level) {
  ++alive_[place_of(level)];
  if (!known() || level < level_.load()) level_.store(level);
}

void HostLife::remove(int level) {
  --alive_[place_of(level)];
  const auto lowest = std::ranges::find_if(alive_, [](int count) { return count > 0; });
  if (lowest == alive_.end()) epoch_.fetch_add(1);
  level_.store(lowest == alive_.end() ? kNothing : kLevels[static_cast<std::size_t>(lowest - alive_.begin())]);
}

void HostLife::world_began(int level) {
  const std::scoped_lock lock(mutex_);
  if (world_level_.exchange(level) == kNothing) add(level);
}

void HostLife::world_ended() {
  const std::scoped_lock lock(mutex_);
  const int level = world_level_.exchange(kNothing);
  if (level != kNothing) remove(level);
}

void HostLife::session_began(host::Session session, int level) {
  const std::scoped_lock lock(mutex_);
  sessions_used_.store(true);
  if (sessions_.emplace(session, level).second) add(level);
}

bool HostLife::last_alive(host::Session session) {
  const std::scoped_lock lock(mutex_);
  return world_level_.load() == kNothing && sessions_.size() == 1 && sessions_.contains(session);
}

void HostLife::session_ended(host::Session session) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  const int level = found->second;
  sessions_.erase(found);
  remove(level);
}

bool HostLife::sessions_alive() {
  const std::scoped_lock lock(mutex_);
  return !sessions_.empty();
}

bool HostLife::world() { return world_level_.load() != kNothing || (!known() && host_says_world()); }

int HostLife::level() {
  int level = level_.load(std::memory_order_relaxed);
  if (level != kNothing) return level;
  level = MPI_THREAD_SINGLE;
  if (host_says_world()) PMPI_Query_thread(&level);
  return level;
}

}  // namespace weir::comm

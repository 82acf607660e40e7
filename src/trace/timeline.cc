#include "trace/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace weir::trace {

namespace {

constexpr const char* kCalls = "calls";

}  // namespace

int Timeline::add_file(const std::string& path) {
  std::scoped_lock lock(mutex_);
  const auto known = std::find(kept_.files.begin(), kept_.files.end(), path);
  const auto number = static_cast<int>(known - kept_.files.begin());
  if (known == kept_.files.end()) kept_.files.push_back(path);
  return number;
}

void Timeline::add(std::string_view name, int file, Nanoseconds begin, Nanoseconds end,
                   const EventDetail& detail) noexcept {
  std::scoped_lock lock(mutex_);
  try {
    put({name_number(name), track_of_this_thread(), file, begin, end, detail});
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
}

void Timeline::put(const Event& event) {
  if (kept_.events.size() < most_events_) {
    kept_.events.push_back(event);
  } else {
    kept_.events[static_cast<std::size_t>(added_) % most_events_] = event;
  }
  ++added_;
}

void Timeline::name_thread(const char* role) noexcept {
  const std::thread::id id = std::this_thread::get_id();
  std::scoped_lock lock(mutex_);
  try {
    const auto [place, is_new] = track_of_role_.try_emplace({id, role}, 0);
    if (is_new) place->second = add_track(role);
    track_of_[id] = place->second;
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
}

RankTimeline Timeline::value() const {
  std::scoped_lock lock(mutex_);
  RankTimeline value = kept_;
  const std::int64_t overwritten = added_ - std::ssize(value.events);
  value.dropped = overwritten + lost_;
  const std::ptrdiff_t oldest = overwritten % static_cast<std::ptrdiff_t>(most_events_);
  std::rotate(value.events.begin(), value.events.begin() + oldest, value.events.end());
  return value;
}

int Timeline::track_of_this_thread() {
  const std::thread::id id = std::this_thread::get_id();
  const auto known = track_of_.find(id);
  if (known != track_of_.end()) return known->second;
  const int track = add_track(kCalls);
  track_of_[id] = track;
  return track;
}

int Timeline::add_track(const std::string& role) {
  const int before = threads_of_role_[role]++;
  kept_.tracks.push_back(before == 0 ? role : fmt::format("{} {}", role, before + 1));
  return static_cast<int>(kept_.tracks.size()) - 1;
}

int Timeline::name_number(std::string_view name) {
  const auto known = name_numbers_.find(name);
  if (known != name_numbers_.end()) return known->second;
  const auto number = static_cast<int>(kept_.names.size());
  kept_.names.emplace_back(name);
  name_numbers_.emplace(name, number);
  return number;
}

}  // namespace weir::trace

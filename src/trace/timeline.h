// Timeline: what one rank did when, over all its files, in bounded memory. Drawn by timeline_json.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace weir::trace {

// Of the steady clock of a rank's node.
using Nanoseconds = std::int64_t;

inline constexpr int kNoFile = -1;
inline constexpr std::int64_t kUnsaid = -1;

// What a moment was for, beside its name.
struct EventDetail {
  std::int64_t round = kUnsaid;  // of a collective call
  std::int64_t bytes = kUnsaid;
  bool operator==(const EventDetail&) const = default;
};

// One thing that was done. Those of one track never overlap but by lying within each other.
struct Event {
  int name = 0;        // index into names
  int track = 0;       // index into tracks
  int file = kNoFile;  // index into files
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  EventDetail detail = {};
  bool operator==(const Event&) const = default;
};

// What a rank has to show.
struct RankTimeline {
  int rank = 0;
  int node = 0;
  std::string host;
  std::vector<std::string> names;
  std::vector<std::string> tracks;
  std::vector<std::string> files;
  std::vector<Event> events;
  std::int64_t dropped = 0;  // events that are not here any more; the oldest, unless there was no memory
};

// A ring of events. LOCAL; thread-safe: every thread has a track of its own.
class Timeline {
 public:
  static constexpr std::size_t kMostEvents = 1 << 15;

  explicit Timeline(std::size_t most_events = kMostEvents) : most_events_(most_events) {}

  // The number of a file, for its events.
  int add_file(const std::string& path);
  // Never throws: what there is no memory for counts as dropped.
  void add(std::string_view name, int file, Nanoseconds begin, Nanoseconds end, const EventDetail& detail) noexcept;
  // What the calling thread does from now on, for people: "file lane". Threads that nobody names make calls.
  void name_thread(const char* role) noexcept;

  // All that is kept, by the time of its end. Rank, node and host are left to the caller.
  RankTimeline value() const;

 private:
  void put(const Event& event);
  int track_of_this_thread();
  int add_track(const std::string& role);
  int name_number(std::string_view name);

  const std::size_t most_events_;
  mutable std::mutex mutex_;  // guards what follows
  RankTimeline kept_;         // its events are a ring: number n is at n mod most_events_
  std::map<std::string, int, std::less<>> name_numbers_;
  std::map<std::thread::id, int> track_of_;
  std::map<std::pair<std::thread::id, std::string>, int> track_of_role_;
  std::map<std::string, int> threads_of_role_;
  std::int64_t added_ = 0;  // to the ring
  std::int64_t lost_ = 0;   // for lack of memory
};

// Where the events of one file go; nowhere by default.
struct FileLine {
  Timeline* timeline = nullptr;
  int file = kNoFile;
};

}  // namespace weir::trace

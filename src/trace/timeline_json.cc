#include "trace/timeline_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "weir/version.h"

namespace weir::trace {

namespace {

// Bytes of names that are not UTF-8 are replaced.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Every event has one behind it: timeline_end() closes the list with one more.
constexpr std::string_view kSeparator = ",\n";

std::string named(int rank, std::string_view what, std::string_view arguments) {
  return fmt::format(R"({{"ph":"M","pid":{},"name":"{}","args":{{{}}}}}{})", rank, what, arguments, kSeparator);
}

std::string named_track(int rank, std::size_t track, const std::string& name) {
  return fmt::format(
      R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}}{}{{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}}{})",
      rank, track, json_text(name), kSeparator, rank, track, track, kSeparator);
}

std::string header(const RankTimeline& rank) {
  const std::string place = rank.host.empty() ? "" : fmt::format(" ({})", rank.host);
  std::string text =
      named(rank.rank, "process_name",
            fmt::format(R"("name":{})", json_text(fmt::format("rank {}, node {}{}", rank.rank, rank.node, place))));
  text += named(rank.rank, "process_sort_index", fmt::format(R"("sort_index":{})", rank.rank));
  for (std::size_t track = 0; track < rank.tracks.size(); ++track) {
    text += named_track(rank.rank, track, rank.tracks[track]);
  }
  return text;
}

// The format counts microseconds; three decimals are nanoseconds.
std::string microseconds(Nanoseconds time) {
  return fmt::format("{}{}.{:03}", time < 0 ? "-" : "", std::abs(time) / 1000, std::abs(time) % 1000);
}

class EventWriter {
 public:
  explicit EventWriter(const RankTimeline& rank) : rank_(rank) {
    std::transform(rank.names.begin(), rank.names.end(), std::back_inserter(names_), json_text);
    std::transform(rank.files.begin(), rank.files.end(), std::back_inserter(files_), json_text);
  }

  void write(const Event& event, std::string& text) const {
    std::string arguments;
    const auto add = [&](std::string_view key, const auto& value) {
      arguments += fmt::format(R"({}"{}":{})", arguments.empty() ? "" : ",", key, value);
    };
    if (event.file != kNoFile) add("file", files_[static_cast<std::size_t>(event.file)]);
    if (event.detail.round != kUnsaid) add("round", event.detail.round);
    if (event.detail.bytes != kUnsaid) add("bytes", event.detail.bytes);
    text += fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}}}}{})", rank_.rank,
                        event.track, microseconds(event.begin), microseconds(event.end - event.begin),
                        names_[static_cast<std::size_t>(event.name)], arguments, kSeparator);
  }

 private:
  const RankTimeline& rank_;
  std::vector<std::string> names_;
  std::vector<std::string> files_;
};

// On the common clock, in the order of tracks, those that hold others before these.
std::vector<Event> placed(const RankTimeline& rank, const ClockFit& clock, Nanoseconds zero) {
  std::vector<Event> events = rank.events;
  for (Event& event : events) {
    event.begin = clock.there(event.begin) - zero;
    event.end = clock.there(event.end) - zero;
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tuple(a.track, a.begin, -a.end) < std::tuple(b.track, b.begin, -b.end);
  });
  return events;
}

}  // namespace

std::string timeline_begin(std::string_view title) {
  return fmt::format(R"({{"displayTimeUnit":"ms","otherData":{{"weir":"{}","title":{}}},"traceEvents":[)", WEIR_VERSION,
                     json_text(title)) +
         "\n";
}

std::string timeline_events(const RankTimeline& rank, const ClockFit& clock, Nanoseconds zero) {
  std::string text = header(rank);
  const std::vector<Event> events = placed(rank, clock, zero);
  if (rank.dropped > 0) {
    Nanoseconds first = 0;
    if (!events.empty()) {
      first = std::min_element(events.begin(), events.end(), [](const Event& a, const Event& b) {
                return a.begin < b.begin;
              })->begin;
    }
    text += fmt::format(
        R"({{"ph":"i","s":"p","pid":{},"tid":0,"ts":{},"name":"{} events before this one were dropped","args":{{"dropped":{}}}}}{})",
        rank.rank, microseconds(first), rank.dropped, rank.dropped, kSeparator);
  }
  const EventWriter writer(rank);
  for (const Event& event : events) writer.write(event, text);
  return text;
}

std::string timeline_end() {
  return R"({"ph":"M","pid":0,"name":"weir_end","args":{}})"
         "\n]}\n";
}

}  // namespace weir::trace

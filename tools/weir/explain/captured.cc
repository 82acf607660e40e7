#include "explain/captured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture.h"
#include "capture/capture_file.h"
#include "capture/walk.h"

namespace weir::tool::explain {

namespace {

// A collective call: the how-manieth through one opening of a file.
struct CallNumber {
  const capture::Open* open = nullptr;
  int opened = 0;  // of the files that a rank has opened, from 0
  std::int64_t number = 0;

  auto operator<=>(const CallNumber&) const = default;
};

// Calls visit(number, seen) for each collective access of a rank.
void walk_collective(const capture::Capture& all, int rank,
                     const std::function<void(const CallNumber&, const capture::Seen&)>& visit) {
  std::map<int, std::int64_t> next;
  capture::walk(all, rank, [&](const capture::Seen& seen) {
    if (seen.op.kind != capture::OpKind::kAccess || !seen.op.collective) return;
    visit({&seen.open, seen.op.file, next[seen.op.file]++}, seen);
  });
}

struct Largest {
  CallNumber number;
  std::int64_t bytes = 0;
  int calls = 0;  // through the same opening
  Direction direction = Direction::kWrite;
};

Largest largest_call(const capture::Capture& all) {
  std::map<CallNumber, Largest> calls;
  for (int rank = 0; rank < all.ranks; ++rank) {
    walk_collective(all, rank, [&](const CallNumber& number, const capture::Seen& seen) {
      Largest& call = calls[number];
      call.number = number;
      call.bytes += seen.bytes();
      call.direction = seen.op.direction;
    });
  }
  Largest largest;
  for (const auto& [number, call] : calls) {
    if (call.bytes > largest.bytes) largest = call;
  }
  largest.calls = static_cast<int>(
      std::ranges::count_if(calls, [&](const auto& each) { return each.first.open == largest.number.open; }));
  return largest;
}

// By rank in the file's group.
std::vector<layout::Layout> requests_of(const capture::Capture& all, const Largest& call) {
  const capture::Group& group = all.groups[static_cast<std::size_t>(call.number.open->ranks)];
  std::vector<layout::Layout> requests(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    walk_collective(all, group[i], [&](const CallNumber& number, const capture::Seen& seen) {
      if (number.open == call.number.open && number.number == call.number.number) requests[i] = seen.wanted();
    });
  }
  return requests;
}

Words hints_of(const capture::Capture& all, const capture::Open& open) {
  Words words;
  if (open.hints == capture::kNothing) return words;
  for (const auto& [key, value] : all.hints[static_cast<std::size_t>(open.hints)]) words.push_back(key + "=" + value);
  return words;
}

}  // namespace

Result<Question> ask_captured(const ExplainOptions& options, std::span<const std::byte> bytes) {
  const auto all = capture::decode(bytes);
  if (!all.ok()) return cannot(fmt::format("{} {}", options.what, all.status().text()));
  const Largest call = largest_call(all.value());
  if (call.bytes == 0) return cannot(options.what + ": no collective call in there moves bytes");
  std::vector<layout::Layout> requests = requests_of(all.value(), call);
  ExplainOptions asked = options;
  asked.ranks = static_cast<int>(requests.size());
  asked.direction = call.direction == Direction::kWrite ? "write" : "read";
  auto question = prepared(asked);
  if (!question.ok()) return question.status();
  hints::HintSet hints;
  add_hints(hints, hints_of(all.value(), *call.number.open));
  add_hints(hints, options.hints);
  question.value().hints = std::move(hints);
  question.value().calls = call.calls;
  question.value().title +=
      fmt::format(", file {}, collective call {}", call.number.open->path, call.number.number + 1);
  for (const layout::Layout& request : requests) question.value().summaries.push_back(plan::summary_of(request));
  question.value().requests = std::move(requests);
  return question;
}

}  // namespace weir::tool::explain

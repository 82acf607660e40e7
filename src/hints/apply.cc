#include "hints/apply.h"

#include <fmt/format.h>

#include "hints/lookup.h"
#include "hints/suggest.h"

namespace weir::hints {

namespace {

// For each hint, the pair whose value counts.
class Winners {
 public:
  explicit Winners(std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      const Row* row = find(pair.first);
      if (row == nullptr) continue;
      const Pair*& winner = winners_[static_cast<std::size_t>(row->id)];
      if (winner == nullptr || winner->first != row->name || pair.first == row->name) winner = &pair;
    }
  }
  const Pair* of(Id id) const { return winners_[static_cast<std::size_t>(id)]; }

 private:
  std::array<const Pair*, kHintCount> winners_ = {};
};

void settle(Change& change, Outcome outcome, std::string note = {}) {
  change.outcome = outcome;
  change.note = std::move(note);
}

void settle_unknown(Change& change) {
  if (const auto owner = foreign_owner(change.key)) {
    return settle(change, Outcome::kIgnored, fmt::format("a key of {}, not of files", *owner));
  }
  const std::string_view near = suggestion(change.key);
  settle(change, Outcome::kUnknown, near.empty() ? "" : fmt::format("did you mean {}?", near));
}

// Why users may not set this hint now; empty when they may.
std::string forbidden(const HintSet& hints, const Row& row, When when) {
  if (row.settable == Settable::kNever) return "set by weir, not by users";
  if (when == When::kOpen) return {};
  if (row.settable == Settable::kAtOpen) return "can be set only by MPI_File_open";
  if (row.settable == Settable::kIfSwitchable && !hints.switchable()) {
    return "can change only where MPI_File_open was given IBM_largeblock_io=switchable";
  }
  return {};
}

void settle_known(HintSet& hints, const Row& row, When when, Change& change) {
  if (row.effect == Effect::kIgnored) return settle(change, Outcome::kIgnored, std::string(row.reason));
  Parsed parsed = parse(row, change.value);
  if (parsed.reading == Reading::kBad) return settle(change, Outcome::kRejected, std::move(parsed.note));
  if (std::string why = forbidden(hints, row, when); !why.empty()) {
    const bool same = parsed.value.text == hints.text(row.id);
    return same ? settle(change, Outcome::kAccepted) : settle(change, Outcome::kIgnored, std::move(why));
  }
  hints.assign(row.id, std::move(parsed.value));
  hints.remember_alias(row.id, change.key);
  if (hints.choice<LargeBlock>(Id::kIbmLargeblockIo) == LargeBlock::kSwitchable) hints.make_switchable();
  if (parsed.reading == Reading::kGood) return settle(change, Outcome::kAccepted);
  settle(change, Outcome::kAdjusted, std::move(parsed.note));
}

Change take(HintSet& hints, const Pair& pair, const Winners& winners, When when) {
  Change change{.key = pair.first, .value = pair.second};
  const Row* row = find(pair.first);
  if (row == nullptr) {
    settle_unknown(change);
    return change;
  }
  change.id = row->id;
  const Pair* winner = winners.of(row->id);
  if (winner == &pair || row->effect == Effect::kIgnored) {
    settle_known(hints, *row, when, change);
  } else {
    settle(change, Outcome::kIgnored, fmt::format("{}={} is given too", winner->first, printable(winner->second)));
  }
  return change;
}

}  // namespace

Changes apply(HintSet& hints, std::span<const Pair> pairs, When when) {
  const Winners winners(pairs);
  Changes changes;
  changes.reserve(pairs.size());
  for (const Pair& pair : pairs) changes.push_back(take(hints, pair, winners, when));
  return changes;
}

std::string sentence(const Change& change) {
  std::string text =
      fmt::format("hint {}={}: {}", printable(change.key), printable(change.value), name(change.outcome));
  if (!change.note.empty()) text += fmt::format(", {}", change.note);
  return text;
}

const char* name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAccepted: return "accepted";
    case Outcome::kAdjusted: return "adjusted";
    case Outcome::kRejected: return "rejected";
    case Outcome::kIgnored: return "ignored";
    case Outcome::kUnknown: return "unknown";
  }
  return "?";
}

}  // namespace weir::hints

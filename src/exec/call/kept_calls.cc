#include "exec/call/kept_calls.h"

#include <algorithm>
#include <limits>

namespace weir::exec {

namespace {

// A distance and its complement: only equal ones have complementary minima. kNever is below all distances, kAnywhere
// above.
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kAnywhere = std::numeric_limits<std::int64_t>::max();

// Where in an offer things are: the held call's number, its distance, then the distances of those that are kept.
constexpr std::size_t kNumber = 0;
constexpr std::size_t kHeld = 2;
constexpr std::size_t kKept = 4;

struct Pair {
  std::int64_t value;
  std::int64_t complement;
};

Pair distance_of(const KeptCall& kept, const Asked& asked) {
  const plan::AccessSummary& before = kept.asked.summary;
  const std::int64_t distance = asked.summary.first_piece - before.first_piece;
  const bool same = match(kept.asked.call, asked.call) && kept.asked.atomic == asked.atomic &&
                    kept.asked.facts == asked.facts && plan::same_but_moved(before, asked.summary, distance);
  if (!same) return {kNever, kNever};
  return before.bytes == 0 ? Pair{kAnywhere, kAnywhere} : Pair{distance, ~distance};
}

std::optional<std::int64_t> agreed(std::int64_t value, std::int64_t complement) {
  if (value == kAnywhere && complement == kAnywhere) return 0;
  if (value == kNever || value != ~complement) return std::nullopt;
  return value;
}

}  // namespace

KeptCalls::Offer KeptCalls::nothing() {
  Offer offer;
  offer.fill(kNever);
  return offer;
}

KeptCalls::Offer KeptCalls::offer(const Asked& asked, const HeldCall* held) const {
  Offer offer = nothing();
  const auto put = [&](std::size_t at, Pair pair) {
    offer[at] = pair.value;
    offer[at + 1] = pair.complement;
  };
  if (asked.summary.failed != 0 || asked.summary.move_failed != 0) return offer;
  if (held != nullptr && held->call) {
    put(kNumber, {held->call->number, ~held->call->number});
    put(kHeld, distance_of(*held->call, asked));
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) put(kKept + 2 * i, distance_of(*calls_[i], asked));
  return offer;
}

std::optional<KeptCalls::Found> KeptCalls::find(std::span<const std::int64_t, std::tuple_size_v<Offer>> combined,
                                                const HeldCall* held) const {
  const auto found = [&](const std::shared_ptr<KeptCall>& call, std::size_t at) -> std::optional<Found> {
    const std::optional<std::int64_t> distance = agreed(combined[at], combined[at + 1]);
    if (!distance || !plan::moves_by(*call->plan, *distance)) return std::nullopt;
    return Found{call, *distance};
  };
  if (combined[kNumber] != kNever && combined[kNumber] == ~combined[kNumber + 1]) {
    if (std::optional<Found> call = found(held->call, kHeld)) return call;
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (std::optional<Found> call = found(calls_[i], kKept + 2 * i)) return call;
  }
  return std::nullopt;
}

bool KeptCalls::large_before(Asked asked) const {
  const auto was_large = [&](const std::shared_ptr<KeptCall>& call) {
    asked.summary.moved = call->asked.summary.moved;
    return call->plan->large_pieces && distance_of(*call, asked).value != kNever;
  };
  return std::ranges::any_of(calls_, was_large);
}

void KeptCalls::share_tables(plan::Plan& plan) const {
  for (const std::shared_ptr<KeptCall>& call : calls_) {
    plan.sharing_of.share(call->plan->sharing_of);
    plan.local_aggregator_of.share(call->plan->local_aggregator_of);
  }
}

void KeptCalls::keep(const std::shared_ptr<KeptCall>& call) {
  const auto there = std::find(calls_.begin(), calls_.end(), call);
  if (there != calls_.end()) {
    std::rotate(calls_.begin(), there, there + 1);
    return;
  }
  call->number = call->number == 0 ? ++kept_ : call->number;
  calls_.insert(calls_.begin(), call);
  if (calls_.size() > kMost) calls_.pop_back();
}

void KeptCalls::use(const std::shared_ptr<const plan::Facts>& facts) {
  for (const std::shared_ptr<KeptCall>& call : calls_) {
    if (*call->asked.facts == *facts) call->asked.facts = facts;
  }
}

}  // namespace weir::exec

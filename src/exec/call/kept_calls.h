// KeptCalls: what collective accesses were planned like, for those that ask for the same again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/call/call_code.h"
#include "exec/stage/schedule.h"
#include "plan/facts.h"
#include "plan/plan.h"
#include "plan/summary.h"

namespace weir::exec {

// What a plan follows from, as far as one rank knows it.
struct Asked {
  CallCode call;
  bool atomic = false;
  std::shared_ptr<const plan::Facts> facts;  // but for `atomic`; equal on all ranks
  plan::AccessSummary summary;               // of this rank
};

// An access that was planned. REQUIRES a plan from when it is kept on.
struct KeptCall {
  std::int64_t number = 0;  // of those that were kept; equal on all ranks
  Asked asked;
  std::shared_ptr<plan::Plan> plan;
  Schedule schedule;  // of a plan with aggregators
};

// The call that a program holds on to by a persistent operation; empty until its first access.
struct HeldCall {
  std::shared_ptr<KeptCall> call;
};

// One rank's list; all ranks keep the same calls in the same order. LOCAL, one thread at a time.
class KeptCalls {
 public:
  // Programs that write several arrays in turn find all of them again.
  static constexpr std::size_t kMost = 8;

  // Which calls a rank could use again, and by what distance, in numbers whose minimum over all ranks says which of
  // them all can.
  using Offer = std::array<std::int64_t, 4 + 2 * kMost>;
  static Offer nothing();
  // `held` may be null.
  Offer offer(const Asked& asked, const HeldCall* held) const;

  struct Found {
    std::shared_ptr<KeptCall> call;
    std::int64_t distance = 0;  // from where it was planned for
  };
  // The call that all ranks can use again; the same on all of them. `combined` is the minimum of all offers.
  std::optional<Found> find(std::span<const std::int64_t, std::tuple_size_v<Offer>> combined,
                            const HeldCall* held) const;

  // Whether this rank asked for the same in a call that had large pieces on all ranks, moved before they met or not.
  bool large_before(Asked asked) const;

  // Lets a new plan share what the plans of kept calls know of every rank.
  void share_tables(plan::Plan& plan) const;

  // COLLECTIVE in that all ranks do it in the same order: the call is the latest; one that was there already, too.
  void keep(const std::shared_ptr<KeptCall>& call);
  // The facts of calls from now on: calls that were planned with equal ones can be used again.
  void use(const std::shared_ptr<const plan::Facts>& facts);

  KeptCalls() { calls_.reserve(kMost + 1); }

 private:
  std::vector<std::shared_ptr<KeptCall>> calls_;  // the latest first
  std::int64_t kept_ = 0;
};

}  // namespace weir::exec

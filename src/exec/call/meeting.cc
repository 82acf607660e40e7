#include "exec/call/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"

namespace weir::exec {

// What ranks bring, in numbers that are combined by their minimum: complements give the maximum.
struct Meeting::Words {
  struct Range {
    std::int64_t least;
    std::int64_t most_complement;
    explicit Range(std::int64_t value) : least(value), most_complement(~value) {}
    bool is_one() const { return least == ~most_complement; }
  };

  Words(const Arrival& mine, int rank, const KeptCalls::Offer& offered)
      : steps(steps_of(mine.call)),
        first_failed(mine.failed != 0 ? rank : kNobody),
        values{Range(mine.values[0]), Range(mine.values[1])},
        offer(offered) {}

  static constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::max();
  Range steps;
  std::int64_t first_failed;
  std::int64_t tasks_complement = 0;
  std::array<Range, 2> values;
  KeptCalls::Offer offer;

  std::span<std::int64_t> all() {
    return {reinterpret_cast<std::int64_t*>(this), sizeof(*this) / sizeof(std::int64_t)};
  }
};

Status Meeting::hold(const Appointment& appointment, const std::function<Status(int tasks)>& body) {
  const WatchedCall watched(watchdog_, {appointment.kind});
  if (out_of_step_) return lost_step();
  Status mine = appointment.prepare ? guarded(appointment.prepare) : Status();
  const Arrival arrival{{appointment.kind}, mine.ok() ? 0 : 1, appointment.values, {}};
  Words words(arrival, comm_.rank(), KeptCalls::nothing());
  words.tasks_complement = ~std::int64_t{appointment.tasks};
  Status met = meet(arrival, words, [] { return true; }).status();
  if (!met.ok()) return met;
  if (words.first_failed != Words::kNobody) {
    return comm::share_failure(comm_, static_cast<int>(words.first_failed), mine);
  }
  if (appointment.equal != nullptr && !(words.values[0].is_one() && words.values[1].is_one())) {
    return {ErrorClass::kNotSame,
            fmt::format("{} differs between the ranks that opened '{}'", appointment.equal, path_)};
  }
  const auto tasks = static_cast<int>(~words.tasks_complement);
  return tasks > 0 ? body(tasks) : Status();
}

Status Meeting::meet(const CallCode& call) {
  const Arrival mine{call, 0, {}, {}};
  Words words(mine, comm_.rank(), KeptCalls::nothing());
  return meet(mine, words, [] { return true; }).status();
}

Result<Meeting::Met> Meeting::meet(const Asked& mine, const KeptCalls& kept, const HeldCall* held) {
  const Arrival arrival{mine.call, 0, {}, mine.summary};
  Words words(arrival, comm_.rank(), kept.offer(mine, held));
  Met met;
  const Result<std::vector<Arrival>> all = meet(arrival, words, [&] {
    met.before = kept.find(words.offer, held);
    return met.before.has_value();
  });
  if (!all.ok()) return all.status();
  met.summaries.reserve(all.value().size());
  for (const Arrival& each : all.value()) met.summaries.push_back(each.summary);
  return met;
}

Result<std::vector<Arrival>> Meeting::meet(const Arrival& mine, Words& words, const std::function<bool()>& settled) {
  const auto known = [&] { return words.steps.is_one() && settled(); };
  const auto bytes = comm::gather_unless(comm_, words.all(), known, std::as_bytes(std::span(&mine, 1)));
  if (!bytes.ok()) return bytes.status();
  if (watchdog_ != nullptr) watchdog_->all_have_met();
  std::vector<Arrival> all(bytes.value().size() / sizeof(Arrival));
  std::ranges::copy(bytes.value(), std::as_writable_bytes(std::span(all)).begin());
  if (words.steps.is_one()) return all;
  mismatch_ = check_calls(all, path_);
  out_of_step_ = true;
  return mismatch_;
}

Status Meeting::on_rank_0(const std::function<Status()>& action) {
  return comm::agree(comm_, comm_.rank() == 0 ? guarded(action) : Status());
}

Status Meeting::lost_step() const {
  return {ErrorClass::kNotSame,
          fmt::format("collective calls on '{}' did not match before: the file can only be closed", path_)};
}

}  // namespace weir::exec

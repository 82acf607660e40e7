#include "exec/call/meeting.h"

#include <fmt/format.h>

#include <optional>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"

namespace weir::exec {

Status Meeting::hold(const Appointment& appointment, const std::function<Status()>& body) {
  const WatchedCall watched(watchdog_, {appointment.kind});
  if (out_of_step_) return lost_step();
  Status mine = appointment.prepare ? guarded(appointment.prepare) : Status();
  const Result<std::vector<Arrival>> all = meet({{appointment.kind}, mine.ok() ? 0 : 1, appointment.values, {}});
  if (!all.ok()) return all.status();
  if (const std::optional<int> failed = first_failed(all.value())) return comm::share_failure(comm_, *failed, mine);
  if (appointment.equal != nullptr && !same_values(all.value())) {
    return {ErrorClass::kNotSame,
            fmt::format("{} differs between the ranks that opened '{}'", appointment.equal, path_)};
  }
  return body();
}

Result<std::vector<Arrival>> Meeting::meet(const Arrival& mine) {
  Result<std::vector<Arrival>> all = comm::all_gather_values(comm_, mine);
  if (!all.ok()) return all;
  if (watchdog_ != nullptr) watchdog_->all_have_met();
  Status matching = check_calls(all.value(), path_);
  if (matching.ok()) return all;
  mismatch_ = matching;
  out_of_step_ = true;
  return matching;
}

Status Meeting::on_rank_0(const std::function<Status()>& action) {
  return comm::agree(comm_, comm_.rank() == 0 ? guarded(action) : Status());
}

Status Meeting::lost_step() const {
  return {ErrorClass::kNotSame,
          fmt::format("collective calls on '{}' did not match before: the file can only be closed", path_)};
}

}  // namespace weir::exec

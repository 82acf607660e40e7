// How the ranks of an OpenFile come together for a call that is no data access.
#include <fmt/format.h>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/file/open_file.h"

namespace weir::exec {

Status OpenFile::together(const Appointment& appointment, const std::function<Status()>& body) {
  Status status;
  background_strand_.drain(company());
  collective_strand_.run([&] { status = meet_and(appointment, body); }, company());
  return status;
}

Status OpenFile::meet_and(const Appointment& appointment, const std::function<Status()>& body) {
  const WatchedCall watched(channels_.watchdog.get(), {appointment.kind});
  if (out_of_step_) return lost_step();
  Status mine = appointment.prepare ? guarded(appointment.prepare) : Status();
  const Result<std::vector<Arrival>> all = meet({{appointment.kind}, mine.ok() ? 0 : 1, appointment.values, {}});
  if (!all.ok()) return all.status();
  if (const std::optional<int> failed = first_failed(all.value())) return comm::share_failure(comm(), *failed, mine);
  if (appointment.equal != nullptr && !same_values(all.value())) {
    return {ErrorClass::kNotSame,
            fmt::format("{} differs between the ranks that opened '{}'", appointment.equal, path_)};
  }
  return body();
}

Result<std::vector<Arrival>> OpenFile::meet(const Arrival& mine) {
  Result<std::vector<Arrival>> all = comm::all_gather_values(comm(), mine);
  if (!all.ok()) return all;
  if (channels_.watchdog) channels_.watchdog->all_have_met();
  Status matching = check_calls(all.value(), path_);
  if (matching.ok()) return all;
  mismatch_ = matching;
  out_of_step_ = true;
  return matching;
}

Status OpenFile::lost_step() const {
  return {ErrorClass::kNotSame,
          fmt::format("collective calls on '{}' did not match before: the file can only be closed", path_)};
}

Status OpenFile::on_rank_0(const std::function<Status()>& action) {
  return comm::agree(comm(), rank() == 0 ? guarded(action) : Status());
}

Status OpenFile::agree_on(Status mine) {
  return together({CallKind::kInit, [&] { return std::move(mine); }}, [] { return Status(); });
}

}  // namespace weir::exec

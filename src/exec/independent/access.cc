#include "exec/independent/access.h"

#include <fmt/format.h>

#include "base/guarded.h"

namespace weir::exec {

Status settle_place(Access& access, std::int64_t place, const std::string& path) {
  std::int64_t data_offset = 0;
  if (__builtin_mul_overflow(place, access.view.etype_bytes(), &data_offset)) {
    return {ErrorClass::kArgument, fmt::format("offset {} in '{}' is too large", place, path)};
  }
  Result<layout::RequestList> requests = layout::RequestList::make(access.view, data_offset, access.memory);
  if (!requests.ok()) return requests.status();
  access.requests = std::move(requests).value();
  return {};
}

driver::IoOutcome finished(const Access& access, driver::IoOutcome outcome) {
  if (!access.finish) return outcome;
  driver::IoOutcome last;
  Status status = guarded([&]() -> Status {
    last = access.finish(std::move(outcome));
    return std::move(last.status);
  });
  return {last.bytes_moved, std::move(status)};
}

}  // namespace weir::exec

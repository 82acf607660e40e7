// Access: a data access whose place in the file is settled, as one rank sees it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/access_words.h"
#include "base/extent.h"
#include "base/status.h"
#include "driver/file_driver.h"
#include "layout/file_view.h"
#include "layout/request_list.h"

namespace weir::exec {

using weir::Manner;
using weir::Positioning;

struct HeldCall;  // exec/call/kept_calls.h

// It can run later, on another thread. A refused one moves nothing, but takes part in a collective call. In rank order,
// its place is settled while it runs.
struct Access {
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  Manner manner = Manner::kBlocking;
  bool collective = false;
  bool atomic = false;
  layout::FileView view;  // as it was when the call was made
  layout::Memory memory;
  layout::RequestList requests;  // of the two, once the place is settled
  Status refused;
  std::shared_ptr<HeldCall> held;       // of a persistent operation; may be null
  std::optional<std::uint64_t> record;  // the ticket of the recorder, where there is one
  // Called once the data has moved (reading: to be converted), before the ranks agree on the outcome; it may call the
  // host. May be empty.
  std::function<driver::IoOutcome(driver::IoOutcome)> finish;

  bool ordered() const { return positioning == Positioning::kOrdered; }
  std::int64_t etypes() const { return memory.layout.data_bytes() / view.etype_bytes(); }
};

// The requests of an access that begins `place` etypes behind the begin of its view. `path` is for messages.
Status settle_place(Access& access, std::int64_t place, const std::string& path);

// The access's own last step. What it throws is a failure like any other.
driver::IoOutcome finished(const Access& access, driver::IoOutcome outcome);

}  // namespace weir::exec

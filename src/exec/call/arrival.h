// Arrival: what a rank tells the others when it comes to a collective call.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "exec/call/call_code.h"
#include "plan/summary.h"

namespace weir::exec {

// Fixed size, sent as bytes.
struct Arrival {
  CallCode call;
  std::int32_t failed = 0;                  // 1: this rank has a failure to tell
  std::array<std::int64_t, 2> values = {};  // of the call's arguments
  plan::AccessSummary summary;              // of an access
};

// Success when all ranks are in functions that match; else which ranks are in which.
Status check_calls(std::span<const Arrival> arrivals, const std::string& path);

}  // namespace weir::exec

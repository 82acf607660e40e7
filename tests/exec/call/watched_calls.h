// Calls that tests of the watchdog have ranks in.
#pragma once

#include "exec/call/call_code.h"

namespace weir::exec {

inline constexpr CallCode kWriteAtAll = {CallKind::kAccess, Direction::kWrite, Positioning::kExplicit};
inline constexpr CallCode kReadAll = {CallKind::kAccess, Direction::kRead, Positioning::kIndividual};
inline constexpr CallCode kOpen = {CallKind::kOpen};
inline constexpr CallCode kSync = {CallKind::kSync};
inline constexpr CallCode kClose = {CallKind::kClose};

}  // namespace weir::exec

// Layouts of Lustre files as their extended attribute and ioctls hold them (lustre_user.h).
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "driver/striping.h"

namespace weir::driver {

// The striping that the bytes of a layout describe: of a plain one, or of the component with most servers of a
// composite one, the last of them. Nothing where it is no layout, or cut short; no number of servers where that is not
// settled yet.
Striping parse_lustre_layout(std::span<const std::byte> bytes);

// Whether a request has room for the striping's numbers.
bool fits_lustre_request(const Striping& striping);
// A request for a plain layout; what the striping does not say is left to the file system. REQUIRES that it fits.
using LustreRequest = std::array<std::byte, 32>;
LustreRequest lustre_request(const Striping& striping);

}  // namespace weir::driver

// IoWay: how bytes go between memory and a file.
#pragma once

#include <cstdint>

namespace weir {

enum class IoWay : std::uint8_t {
  kAuto,      // as suits the store
  kBuffered,  // by calls one after the other, through the page cache
  kDirect,    // large requests past the page cache (O_DIRECT)
  kUring,     // several calls under way at a time (io_uring)
};

}  // namespace weir

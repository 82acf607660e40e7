// LockProtocol: how a file system keeps writers of one file apart.
#pragma once

#include <cstdint>

namespace weir {

enum class LockProtocol : std::uint8_t {
  kNone,    // no locks between nodes: local file systems
  kServer,  // each server grants extents of its own stripes (Lustre)
  kToken,   // one manager hands out ranges to nodes (GPFS)
};

}  // namespace weir

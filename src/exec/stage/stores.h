// Stores: memory that collective calls work in. It is got where a schedule is made and the ranks agree anyway, so that
// a rank without memory can say so; calls that follow allocate nothing of the kind. Kept from call to call.
#pragma once

#include <cstddef>
#include <vector>

#include "base/extent.h"
#include "driver/file_driver.h"

namespace weir::exec {

struct Stores {
  // Requests of a file lane that go to the file together, at most.
  static constexpr std::size_t kBatch = 1024;

  std::vector<std::byte> freight;            // what a ship has in hand; for the largest schedule so far
  std::vector<driver::IoRequest> file_lane;  // room for kBatch
  std::vector<Extent> touched_blocks;        // what finding them needs; for the largest schedule so far
};

}  // namespace weir::exec

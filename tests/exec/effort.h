// How much of a large test to run: sanitizers slow it down many times, and look for other faults than wrong bytes; with
// messages by rendezvous, waiting is what is looked at.
#pragma once

#include <cstddef>

#include "comm/ranks.h"

namespace weir::exec {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kEveryNth = 11;
#else
inline constexpr std::size_t kEveryNth = 1;
#endif

// The same for large sets of cases; neither number has a factor in common with the number of combinations.
inline std::size_t every_nth() {
  return comm::tested_delivery() == comm::Delivery::kRendezvous && kEveryNth == 1 ? 5 : kEveryNth;
}

}  // namespace weir::exec

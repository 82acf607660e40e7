// How much of a large test to run: sanitizers slow it down many times, and look for other faults than wrong bytes.
#pragma once

#include <cstddef>

namespace weir::exec {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kEveryNth = 11;  // has no factor in common with the number of combinations
#else
inline constexpr std::size_t kEveryNth = 1;
#endif

}  // namespace weir::exec

// The words for how a data access function of the file chapter finds its place, and goes about it.
#pragma once

#include <cstdint>

namespace weir {

enum class Positioning : std::uint8_t { kExplicit, kIndividual, kShared, kOrdered };

enum class Manner : std::uint8_t { kBlocking, kNonblocking, kSplit, kPersistent };

}  // namespace weir

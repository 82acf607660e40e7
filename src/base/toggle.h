// Toggle: something that may be switched on, off, or left to weir.
#pragma once

#include <cstdint>

namespace weir {

enum class Toggle : std::uint8_t { kAutomatic, kEnable, kDisable };

}  // namespace weir

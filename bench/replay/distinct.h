// Memory in which every byte of an access has a place of its own.
#pragma once

#include "layout/layout.h"

namespace bench {

// The layout itself; where it names a byte twice, as programs do that write one value to many places, as many bytes
// side by side. What is written again follows from its place in the file: one byte of memory cannot stand for two.
weir::layout::Layout distinct(const weir::layout::Layout& memory);

}  // namespace bench

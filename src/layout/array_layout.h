// Layouts of parts of arrays: subarray and darray. Internal to layout/.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/layout.h"
#include "layout/type_tree.h"

namespace weir::layout {

// The part of an array with elements like `element`, `extent` bytes apart. Relative to the array's first element.
Layout subarray_layout(const Subarray& shape, const Layout& element, std::int64_t extent);
Layout darray_layout(const Darray& shape, const Layout& element, std::int64_t extent);

// How many elements of a distributed array the rank owns.
std::int64_t darray_elements(const Darray& shape);

}  // namespace weir::layout

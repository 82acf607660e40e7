// Which weir this is, how it was built, and for which MPIs it has libraries.
#pragma once

#include <string>

namespace weir::tool {

// Several lines without a newline at the end; the first is "weir " and the version alone.
std::string version_text();

}  // namespace weir::tool

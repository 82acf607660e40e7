// b_eff_io with its paper's three sets of hints (section 7): data shipping everywhere, nowhere, and by pattern. Pure.
#pragma once

#include <string>
#include <vector>

#include "compare/cell.h"

namespace weir::tool::compare {

// One way for each set, with its hints file.
std::vector<Variant> hint_sets();

// Tables 2 and 3 of the paper, of a group whose cells have these ways; empty where none of them has a result.
std::string hint_set_tables(const Group& group);

}  // namespace weir::tool::compare

// Finding rows by the keys users write.
#pragma once

#include <optional>
#include <string_view>

#include "hints/table.h"

namespace weir::hints {

// The row that `key` names, canonically, by an alias or by a '*' row; exact spelling. Null when
// there is none.
const Row* find(std::string_view key);

// The MPI call whose info key this is, when it is a reserved key of the standard that does not
// concern files.
std::optional<std::string_view> foreign_owner(std::string_view key);

}  // namespace weir::hints

// The functions of MPI's file chapter that a host has and a libweir.so has not: their calls would reach the host, with
// handles that only weir knows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool {

// Whether a function's name is of the file chapter.
bool is_file_function(const std::string& name);

// Those of `host` that `weir` lacks, by name.
std::vector<std::string> left_to_host(const std::set<std::string>& host, const std::set<std::string>& weir);

// Compares two libraries. Failure: some are left to the host; the text names them and says what to do. A library that
// cannot be read is not judged: the linker will.
Status check_file_functions(const std::string& host_library, const std::string& weir_library);

}  // namespace weir::tool

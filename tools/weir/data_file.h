// Files that come with the command, in share/weir.
#pragma once

#include <string>
#include <vector>

namespace weir::tool {

// The directory of the command's own binary.
std::string own_directory();

// Where the file `name` may be, seen from the directory of the command's own binary, in order.
std::vector<std::string> data_file_candidates(const std::string& binary_directory, const std::string& name);

// The first candidate that exists; empty when there is none.
std::string find_data_file(const std::string& binary_directory, const std::string& name);

}  // namespace weir::tool

// Files read and written as a whole.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool {

// Everything in the file at `path`, which may be a pipe. A failure names it.
Result<std::string> read_file(const std::string& path);

// A failure when two of `paths` are the same file.
Status check_distinct(const std::vector<std::string>& paths);

// A failure when `output` is one of `inputs`, or is there and is no regular file.
Status check_output(const std::string& output, const std::vector<std::string>& inputs);

// Makes `text` the content of the file at `path`: other processes see the old content or the new one, and on failure
// the old one stays. Where `path` is a symbolic link, the file behind it is replaced.
Status replace_file(const std::string& path, const std::string& text);

}  // namespace weir::tool

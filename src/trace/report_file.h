// The file that reports are collected in: a JSON document that grows by one object for each file closed.
#pragma once

#include <string>

#include "base/status.h"

namespace weir::trace {

// Adds `entry`, a JSON object, to the document at `path`; makes the document where there is none, or an empty file.
// Several processes may add at the same time. Costs the same however long the document is. On failure the document is
// as it was, and the text says why and names `path`; what is there and is no report of weir's is left alone. Symbolic
// links are not followed, and a file of another user's is refused where everybody may put files (/tmp).
Status add_to_report_file(const std::string& path, const std::string& entry);

}  // namespace weir::trace

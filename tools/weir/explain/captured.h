// Captured programs as questions.
#pragma once

#include <cstddef>
#include <span>

#include "base/status.h"
#include "explain/question.h"

namespace weir::tool::explain {

// The collective call of the program that moves most bytes, with the ranks and the hints of its file; the direction is
// the call's. Failure: `bytes` are no capture, it has no collective call with bytes, or its ranks cannot be on the
// nodes that are asked for.
Result<Question> ask_captured(const ExplainOptions& options, std::span<const std::byte> bytes);

}  // namespace weir::tool::explain

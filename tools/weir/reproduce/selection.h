// Which claims are meant.
#pragma once

#include <vector>

#include "base/status.h"
#include "reproduce/claim.h"
#include "words.h"

namespace weir::tool::reproduce {

// Claims by number, name or paper, each once and by number; without words, all. Failure: what is none of them, with the
// nearest name.
Result<std::vector<const Claim*>> select(const Words& words);

// The numbers of claims that have a heading "### Claim N" in the text: their disagreement is explained there.
std::vector<int> explained_in(const std::string& text);

}  // namespace weir::tool::reproduce

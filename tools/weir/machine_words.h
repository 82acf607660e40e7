// Machine models in words: weir machine.
#pragma once

#include <string>

namespace weir::tool {

// Prints the models that come with weir, and where a site puts its own. The exit code.
int list_machines();

// Prints the model of that name or in that file, every number with what it is and its source. The exit code: 2 where
// there is none, or something in it is wrong.
int show_machine(const std::string& word);

}  // namespace weir::tool

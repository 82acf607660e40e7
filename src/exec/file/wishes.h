// What hints ask for, as planning sees it.
#pragma once

#include <array>
#include <string>

#include "agent/agent_file.h"
#include "exec/file/access_mode.h"
#include "exec/file/facts.h"
#include "hints/hint_set.h"
#include "plan/access_method.h"
#include "plan/facts.h"

namespace weir::exec {

// All that plans of collective accesses are made of, by direction; `agents` as they are.
std::array<plan::Facts, 2> plan_facts(const hints::HintSet& hints, const OpenFacts& facts,
                                      const agent::AgentSettings& agents);

// Whether agents may ever be on of a file that was opened with these hints.
bool may_use_agents(const hints::HintSet& hints);
// What the hints ask of the agents. What of it cannot be followed is left out, and `complaint` says why. REQUIRES
// may_use_agents() of the hints at open.
agent::AgentSettings agent_settings(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint);

// What hints and mode allow to an access that one rank makes for itself; `ranks` have the file open.
plan::AccessRules access_rules(const hints::HintSet& hints, const OpenFacts& facts, const AccessMode& mode, int ranks);

}  // namespace weir::exec

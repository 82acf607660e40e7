// Choices: what else weir could do with the same call, and which hint would make it.
#pragma once

#include <string>
#include <vector>

#include "explain/question.h"
#include "plan/plan.h"
#include "words.h"

namespace weir::tool::explain {

struct Choice {
  std::string kind;  // of decision: method, domains, exchange, aggregators, local aggregators
  std::string name;
  Words hints;  // that force it
  plan::Plan plan;
  bool taken = false;  // what weir does by itself decides this in the same way
};

// Every other way to decide each thing that the plan decides. What cannot be followed is left out.
std::vector<Choice> choices_of(const Question& question, const plan::Plan& taken);

std::string choices_table(const Question& question, const std::vector<Choice>& choices);

}  // namespace weir::tool::explain

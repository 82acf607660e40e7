// Plans as people read them: in words, and as pictures of text.
#pragma once

#include <string>

#include "explain/question.h"
#include "plan/plan.h"

namespace weir::tool::explain {

// Each decision with its reason and the hint that forces another one.
std::string words_of(const Question& question, const plan::Plan& plan);

// The region of the call as a strip, each part of it marked with the letter of its aggregator; then what each
// aggregator has. Empty where there are no aggregators.
std::string owners_picture(const Question& question, const plan::Plan& plan);

// Bytes from each node to each aggregator; the first ones where there are many.
std::string senders_picture(const Question& question, const plan::Plan& plan);

}  // namespace weir::tool::explain

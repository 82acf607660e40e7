// Claims and what became of them, for people.
#pragma once

#include <string>
#include <vector>

#include "reproduce/claim.h"

namespace weir::tool::reproduce {

// A claim and what came out of its parts, in their order.
struct Shown {
  const Claim* claim = nullptr;
  std::vector<Finding> findings;

  Verdict verdict() const { return verdict_of(findings); }
};

// The claim as a paragraph.
std::string paragraph(const Shown& shown);

// Claims as the rows of a table in Markdown, with its head.
std::string markdown_table(const std::vector<Shown>& all);

// "claims: 12 agree, 0 disagree, 18 not run"
std::string ending(const std::vector<Shown>& all);

}  // namespace weir::tool::reproduce

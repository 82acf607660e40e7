#include "reproduce/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace weir::tool::reproduce {

std::string paragraph(const Shown& shown) {
  const Claim& claim = *shown.claim;
  std::string text = fmt::format("{:>2}  {}: {}\n    {}, {}; agrees when {}\n", claim.number, name(shown.verdict()),
                                 claim.name, claim.paper, claim.text, claim.agrees_when);
  for (std::size_t i = 0; i < claim.parts.size(); ++i) {
    const Finding& finding = shown.findings[i];
    text += fmt::format("    {:<8} {}\n    {:<8} {}: {}\n", name(claim.parts[i].how), claim.parts[i].run, "",
                        name(finding.verdict), finding.result);
  }
  return text + "\n";
}

std::string markdown_table(const std::vector<Shown>& all) {
  std::string text =
      "| # | paper | claim | agrees when | what was run | result | verdict |\n|---|---|---|---|---|---|---|\n";
  for (const Shown& shown : all) {
    const Claim& claim = *shown.claim;
    std::string runs;
    std::string results;
    for (std::size_t i = 0; i < claim.parts.size(); ++i) {
      const char* gap = i == 0 ? "" : "<br>";
      runs += fmt::format("{}{}: {}", gap, name(claim.parts[i].how), claim.parts[i].run);
      results += fmt::format("{}{}: {}", gap, name(shown.findings[i].verdict), shown.findings[i].result);
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", claim.number, claim.paper, claim.text,
                        claim.agrees_when, runs, results, name(shown.verdict()));
  }
  return text;
}

std::string ending(const std::vector<Shown>& all) {
  const auto count = [&](Verdict verdict) { return std::ranges::count(all, verdict, &Shown::verdict); };
  return fmt::format("claims: {} agree, {} disagree, {} not run", count(Verdict::kAgrees), count(Verdict::kDisagrees),
                     count(Verdict::kNotRun));
}

}  // namespace weir::tool::reproduce

#include "reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "data_file.h"
#include "reproduce/model/runs.h"
#include "reproduce/page.h"
#include "reproduce/selection.h"
#include "reproduce/text.h"
#include "whole_file.h"

namespace weir::tool::reproduce {

namespace {

constexpr int kUnexplained = 1;
constexpr int kRefused = 2;

int refuse(const Status& status) {
  fmt::print(stderr, "weir reproduce: {}\n", status.text());
  return kRefused;
}

void list_claims() {
  for (const Claim& claim : all_claims()) {
    fmt::print("{:>2}  {:<22} {:<8} {}\n", claim.number, claim.name, claim.paper, claim.text);
  }
}

Finding settle(const Part& part, const Setting& setting) {
  if (part.how == How::kLive && !setting.live) return {Verdict::kNotRun, "live runs were not wanted (--no-live)"};
  return part.check(setting);
}

Shown show(const Claim& claim, const Setting& setting) {
  Shown shown{&claim, {}};
  for (const Part& part : claim.parts) shown.findings.push_back(settle(part, setting));
  return shown;
}

// Disagreements that the manual explains; none where it is not installed.
std::vector<int> explained() {
  const std::string path = find_data_file(own_directory(), "reproduction.md");
  const auto text = path.empty() ? Result<std::string>(std::string()) : read_file(path);
  return text.ok() ? explained_in(text.value()) : std::vector<int>();
}

int exit_code(const std::vector<Shown>& all) {
  const std::vector<int> known = explained();
  int code = 0;
  for (const Shown& shown : all) {
    const bool is_known = std::ranges::find(known, shown.claim->number) != known.end();
    if (shown.verdict() != Verdict::kDisagrees || is_known) continue;
    fmt::print(stderr, "weir reproduce: claim {} disagrees, and docs/reproduction.md does not say why\n",
               shown.claim->number);
    code = kUnexplained;
  }
  return code;
}

}  // namespace

int reproduce(const ReproduceOptions& options) {
  if (options.list) {
    list_claims();
    return 0;
  }
  const auto claims = select(options.claims);
  if (!claims.ok()) return refuse(claims.status());
  if (Status status = options.page.empty() ? Status() : check_page(options.page); !status.ok()) return refuse(status);
  Setting setting = options.setting;
  setting.runs = std::make_shared<Runs>();
  std::vector<Shown> all;
  for (const Claim* claim : claims.value()) {
    all.push_back(show(*claim, setting));
    if (!options.markdown) fmt::print("{}", paragraph(all.back()));
    std::fflush(stdout);
  }
  if (options.markdown) fmt::print("{}\n", markdown_table(all));
  if (Status status = options.page.empty() ? Status() : write_page(options.page, all); !status.ok()) {
    return refuse(status);
  }
  fmt::print("{}\n", ending(all));
  std::fflush(stdout);
  return exit_code(all);
}

}  // namespace weir::tool::reproduce

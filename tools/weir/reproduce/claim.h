// Claims: what the papers say, and how each is shown here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/chart.h"

namespace weir::tool::reproduce {

enum class How : std::uint8_t {
  kExact,  // counted or calculated by weir's own code
  kLive,   // measured on this machine
  kModel,  // simulated on the model of the paper's machine
};

const char* name(How how);

enum class Verdict : std::uint8_t { kAgrees, kDisagrees, kNotRun };

const char* name(Verdict verdict);

// What came out, in words with numbers; of what was not run, why.
struct Finding {
  Verdict verdict = Verdict::kNotRun;
  std::string result;
  std::vector<Chart> charts = {};  // the same, to be looked at
};

// Agrees if it holds.
Finding found(bool holds, std::string result, std::vector<Chart> charts = {});
Finding not_run(std::string why);

class Runs;

// How long claims may take, where live ones may work, and what was simulated before.
struct Setting {
  bool live = true;
  bool full = false;            // the papers' largest cases too
  std::string directory = ".";  // of live runs
  std::shared_ptr<Runs> runs = {};
};

// One way in which a claim is shown.
struct Part {
  How how = How::kExact;
  std::string_view run;  // what is run, for people
  Finding (*check)(const Setting& setting) = nullptr;
};

struct Claim {
  int number = 0;
  std::string_view name;
  std::string_view paper;  // gpfs, domains, beffio, tam, iec
  std::string_view text;   // what the paper says, and where
  std::string_view agrees_when;
  std::vector<Part> parts;
};

// All claims, by number.
const std::vector<Claim>& all_claims();

// Of a claim whose parts came out like this: disagrees if one does, agrees if all do, else it was not run.
Verdict verdict_of(const std::vector<Finding>& findings);

}  // namespace weir::tool::reproduce

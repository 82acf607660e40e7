// Results of `weir bench` as they are read from files, and several of them as one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool::report {

using Json = nlohmann::ordered_json;

// The form of results that this weir reads and writes.
inline constexpr const char* kSchema = "weir-bench/1";

// One results file. Every field that the page reads is of the type it expects, or is not there.
struct Results {
  std::string path;
  Json document;
};

// What is wrong with the first field that is missing or of the wrong kind, naming its place, e.g.
// "cells[3].seconds[0] should be a number"; empty when all is well. Fields that nobody knows are no fault.
std::string first_fault(const Json& document);

// Results from the text of a file. The failure names `path` and says what is wrong: empty, no JSON and where, cut off,
// of another schema or version, or which field is not what it should be.
Result<Results> parse_results(const std::string& path, const std::string& text);

// The same from the file itself; a file that cannot be read is a failure as well.
Result<Results> read_results(const std::string& path);

// What the page shows: {"title", "sources": [...], "cells": [...], "b_eff_io": [...]}. A source is a results file
// without its measurements, plus its "path"; cells and b_eff_io stand in the order of `all`, each with the number of
// its "source". An empty title is replaced by one that names the machines.
Json merge(const std::vector<Results>& all, const std::string& title);

}  // namespace weir::tool::report

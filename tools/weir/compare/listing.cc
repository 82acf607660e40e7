#include "compare/listing.h"

#include <fmt/format.h>

#include "compare/comparisons.h"
#include "workloads/workload.h"

namespace weir::tool::compare {

namespace {

std::string default_text(const bench::Parameter& parameter) {
  if (parameter.kind == bench::ParameterKind::kPath) return "none";
  return parameter.fallback == bench::kFromSize ? "from the size" : std::to_string(parameter.fallback);
}

void list_workloads() {
  fmt::print("Workloads (weir bench NAME, or NAME:parameter=value:...)\n");
  for (const bench::Workload& workload : bench::all_workloads()) {
    fmt::print("  {:<22} {}{}\n", workload.name, workload.text,
               workload.paper.empty() ? "" : fmt::format(" [{}]", workload.paper));
    for (const bench::Parameter& parameter : workload.parameters)
      fmt::print("    {:<20} {} (default: {})\n", parameter.name, parameter.text, default_text(parameter));
  }
  fmt::print("  {:<22} {}\n", "b_eff_io", "the effective I/O bandwidth benchmark; see --time and --release");
}

}  // namespace

int list_all() {
  list_workloads();
  fmt::print("\nMPI-IOs (--against)\n");
  fmt::print(
      "  host     what the MPI uses by itself\n  ompio    Open MPI's OMPIO\n  romio    Open MPI's or MPICH's ROMIO\n");
  fmt::print("  weir     this library\n  blockio  the limit: each rank moves its share contiguously, no exchange\n");
  fmt::print("\nComparisons of weir's own ways (--methods, or all)\n");
  for (const Comparison& comparison : all_comparisons()) fmt::print("  {:<18} {}\n", comparison.name, comparison.text);
  return 0;
}

}  // namespace weir::tool::compare

#include "mpi/host_check.h"

#include <unistd.h>

#include <cstdio>
#include <set>
#include <string_view>

#include "comm/mpi/host.h"
#include "comm/mpi/library_symbols.h"

namespace weir::mpi {

namespace {

constexpr int kNothingRun = 2;  // as `weir run` exits

std::set<std::string_view> file_functions_of(const void* inside) {
  std::set<std::string_view> names;
  for (const std::string_view name : comm::exported_names(inside)) {
    if (name.starts_with("PMPI_File_") || name.starts_with("PMPI_Register_datarep")) names.insert(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> left_to_host(const void* in_host, const void* in_weir) {
  const std::set<std::string_view> defined = file_functions_of(in_weir);
  std::vector<std::string> left;
  for (const std::string_view name : file_functions_of(in_host)) {
    if (!defined.contains(name)) left.emplace_back(name);
  }
  return left;
}

void check_host() {
  static const std::vector<std::string> left =
      left_to_host(reinterpret_cast<const void*>(host::next().Init), reinterpret_cast<const void*>(&check_host));
  if (left.empty()) return;
  std::fprintf(
      stderr,
      "weir: this libweir.so was built for another MPI: the one behind it has %zu file functions more, such as "
      "%s. Build weir again with this MPI, or run without weir. Nothing was run.\n",
      left.size(), left.front().c_str());
  std::fflush(nullptr);
  _exit(kNothingRun);
}

}  // namespace weir::mpi

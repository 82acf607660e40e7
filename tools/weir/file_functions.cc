#include "file_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elf_file.h"
#include "words.h"

namespace weir::tool {

namespace {

constexpr std::size_t kNamesShown = 3;

}  // namespace

bool is_file_function(const std::string& name) {
  return name.starts_with("MPI_File_") || name.starts_with("MPI_Register_datarep");
}

std::vector<std::string> left_to_host(const std::set<std::string>& host, const std::set<std::string>& weir) {
  std::vector<std::string> left;
  std::ranges::set_difference(host, weir, std::back_inserter(left));
  std::erase_if(left, [](const std::string& name) { return !is_file_function(name); });
  return left;
}

Status check_file_functions(const std::string& host_library, const std::string& weir_library) {
  const auto host = load_exports(host_library);
  const auto weir = load_exports(weir_library);
  if (!host.ok() || !weir.ok()) return {};
  std::vector<std::string> left = left_to_host(host.value(), weir.value());
  if (left.empty()) return {};
  const std::size_t count = left.size();
  left.resize(std::min(count, kNamesShown));
  return cannot(
      fmt::format("{} was built for another MPI than {}, which has {} file {} more: {}{}.\n"
                  "  They would get handles of files that only weir knows. Build weir again with this MPI.",
                  weir_library, host_library, count, count == 1 ? "function" : "functions", join(left, ", "),
                  count > kNamesShown ? ", ..." : ""));
}

}  // namespace weir::tool

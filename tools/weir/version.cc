#include "version.h"

#include <fmt/format.h>

#include "command.h"
#include "mpi_use.h"
#include "source_state.h"
#include "weir/version.h"

namespace weir::tool {

namespace {

std::string library_text(MpiFamily family) {
  std::string path = find_library(family);
  if (path.empty()) return "no library";
  const auto file = load_elf(path);
  if (!file.ok()) return fmt::format("{}, which cannot be read: {}", path, file.status().text());
  for (const std::string& soname : file.value().needed)
    if (family_of_soname(soname)) return fmt::format("{}, made for {}", path, soname);
  return path;
}

}  // namespace

std::string version_text() {
  std::string text =
      fmt::format("weir {}\n  {:<12} {}, {}", WEIR_VERSION, "built", WEIR_BUILD_TYPE, WEIR_COMPILER_NAME);
  if (!std::string(WEIR_SOURCE_STATE).empty()) text += fmt::format(", sources {}", WEIR_SOURCE_STATE);
  for (const MpiFamily family : kMpiFamilies)
    text += fmt::format("\n  {:<12} {}", full_name(family), library_text(family));
  return text;
}

}  // namespace weir::tool

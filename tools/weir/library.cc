#include "library.h"

#include <cstdlib>
#include <filesystem>

namespace weir::tool {

std::vector<std::string> library_candidates(MpiFamily family, const std::string& binary_directory,
                                            const std::string& override_directory) {
  const std::string tail = std::string("/") + short_name(family) + "/libweir.so";
  if (!override_directory.empty()) return {override_directory + tail};
  std::vector<std::string> candidates = {binary_directory + "/../lib" + tail};
  for (const char* folder : {WEIR_LIBDIR, "lib", "lib64"})
    candidates.push_back(binary_directory + "/../" + folder + "/weir" + tail);
  return candidates;
}

std::string find_library(MpiFamily family) {
  std::error_code error;
  const auto binary = std::filesystem::read_symlink("/proc/self/exe", error);
  const char* override_directory = std::getenv("WEIR_LIBRARY_DIR");
  for (const std::string& candidate : library_candidates(family, binary.parent_path().string(),
                                                         override_directory != nullptr ? override_directory : ""))
    if (std::filesystem::exists(candidate, error)) return std::filesystem::canonical(candidate, error).string();
  return "";
}

}  // namespace weir::tool

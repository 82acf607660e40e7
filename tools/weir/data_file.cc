#include "data_file.h"

#include <filesystem>

namespace weir::tool {

std::string own_directory() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

std::vector<std::string> data_file_candidates(const std::string& binary_directory, const std::string& name) {
  std::vector<std::string> candidates;
  for (const char* folder : {"share", WEIR_DATADIR})
    candidates.push_back(binary_directory + "/../" + folder + "/weir/" + name);
  return candidates;
}

std::string find_data_file(const std::string& binary_directory, const std::string& name) {
  std::error_code error;
  for (const std::string& candidate : data_file_candidates(binary_directory, name))
    if (std::filesystem::exists(candidate, error)) return candidate;
  return "";
}

}  // namespace weir::tool

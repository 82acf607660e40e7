#include "mpi_use.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <set>

#include "child.h"
#include "words.h"

namespace weir::tool {

namespace {

constexpr const char* kOrigin[] = {"${ORIGIN}", "$ORIGIN"};

struct Object {
  std::string path;
  std::vector<std::string> inherited_rpath;  // of the objects that led here, $ORIGIN replaced
};

std::vector<std::string> with_origin(std::vector<std::string> directories, const std::string& path) {
  const std::string origin = std::filesystem::path(path).parent_path().string();
  for (std::string& directory : directories) {
    for (const std::string variable : kOrigin) {
      for (auto at = directory.find(variable); at != std::string::npos; at = directory.find(variable))
        directory.replace(at, variable.size(), origin);
    }
  }
  return directories;
}

// Walks the dependency graph of one object.
class Walk {
 public:
  explicit Walk(const LinkerView& linker) : linker_(linker) {}

  void visit(const Object& object, const ElfFile& file) {
    std::vector<std::string> rpath = object.inherited_rpath;
    if (file.runpath.empty()) {
      const auto own = with_origin(file.rpath, object.path);
      rpath.insert(rpath.begin(), own.begin(), own.end());
    }
    const auto runpath = with_origin(file.runpath, object.path);
    for (const std::string& soname : file.needed) {
      if (!seen_.insert(soname).second) continue;
      const std::string path = locate(soname, file.runpath.empty() ? rpath : Words{}, runpath);
      if (const auto family = family_of_soname(soname)) use_.libraries.push_back({*family, soname, path, object.path});
      if (!path.empty()) queue_.push_back({path, rpath});
    }
  }

  MpiUse finish() {
    while (!queue_.empty()) {
      const Object object = queue_.front();
      queue_.pop_front();
      const auto file = linker_.load(object.path);
      if (file.ok()) visit(object, file.value());
    }
    return std::move(use_);
  }

 private:
  bool readable(const std::string& path) const { return linker_.load(path).ok(); }

  std::string find_in(const std::vector<std::string>& directories, const std::string& soname) const {
    for (const std::string& directory : directories)
      if (std::string path = directory + "/" + soname; readable(path)) return path;
    return "";
  }

  // The dynamic linker's order: RPATH, LD_LIBRARY_PATH, RUNPATH, cache, default directories.
  std::string locate(const std::string& soname, const std::vector<std::string>& rpath,
                     const std::vector<std::string>& runpath) const {
    if (soname.find('/') != std::string::npos) return readable(soname) ? soname : "";
    for (const auto* directories : {&rpath, &linker_.library_path, &runpath})
      if (std::string path = find_in(*directories, soname); !path.empty()) return path;
    if (const auto cached = linker_.cache.find(soname); cached != linker_.cache.end()) return cached->second;
    return find_in(linker_.default_directories, soname);
  }

  const LinkerView& linker_;
  std::set<std::string> seen_;
  std::deque<Object> queue_;
  MpiUse use_;
};

}  // namespace

const char* short_name(MpiFamily family) {
  switch (family) {
    case MpiFamily::kOpenMpi: return "openmpi";
    case MpiFamily::kMpich: return "mpich";
    case MpiFamily::kAbi: return "abi";
  }
  return "";
}

const char* full_name(MpiFamily family) {
  switch (family) {
    case MpiFamily::kOpenMpi: return "Open MPI";
    case MpiFamily::kMpich: return "MPICH";
    case MpiFamily::kAbi: return "standard ABI";
  }
  return "";
}

std::optional<MpiFamily> family_of_name(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(kMpiFamilies, [&](MpiFamily family) { return name == short_name(family); });
  return found != kMpiFamilies.end() ? std::optional(*found) : std::nullopt;
}

std::optional<MpiFamily> family_of_soname(std::string_view soname) {
  if (soname == "libmpi.so.40") return MpiFamily::kOpenMpi;
  if (soname == "libmpich.so.12" || soname == "libmpi.so.12") return MpiFamily::kMpich;
  if (soname == "libmpi_abi.so.1") return MpiFamily::kAbi;
  return std::nullopt;
}

std::optional<MpiFamily> implementation_of_abi(const std::string& path, const LinkerView& linker) {
  const auto file = linker.load(path);
  if (!file.ok()) return std::nullopt;
  const bool open_mpi = std::ranges::any_of(file.value().needed, [](const std::string& soname) {
    return soname.starts_with("libopen_mpi.") || soname.starts_with("libopen-pal.");
  });
  return open_mpi ? MpiFamily::kOpenMpi : MpiFamily::kMpich;
}

Result<MpiUse> find_mpi(const std::string& path, const LinkerView& linker) {
  const auto file = linker.load(path);
  if (!file.ok()) return file.status();
  Walk walk(linker);
  walk.visit({path, {}}, file.value());
  return walk.finish();
}

std::map<std::string, std::string> parse_linker_cache(std::string_view text) {
  std::map<std::string, std::string> cache;
  for (const std::string& line : split(text, '\n')) {
    const auto open = line.find(" (");
    const auto arrow = line.find(" => ");
    if (open == std::string::npos || arrow == std::string::npos || arrow < open) continue;
    const auto kind = line.substr(open, arrow - open);
    if (kind.find("x86-64") == std::string::npos && kind.find("64bit") == std::string::npos &&
        kind.find("AArch64") == std::string::npos)
      continue;
    const auto start = line.find_first_not_of(" \t");
    cache.emplace(line.substr(start, open - start), line.substr(arrow + 4));
  }
  return cache;
}

LinkerView this_machine() {
  LinkerView linker;
  linker.load = load_elf;
  for (const char* program : {"/sbin/ldconfig", "/usr/sbin/ldconfig", "ldconfig"}) {
    const ChildResult printed = run_command({program, "-p"});
    if (!printed.succeeded()) continue;
    linker.cache = parse_linker_cache(printed.output);
    break;
  }
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) linker.library_path = split(path, ':');
  linker.default_directories = {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
  return linker;
}

}  // namespace weir::tool

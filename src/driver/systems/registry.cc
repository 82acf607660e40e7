#include "driver/systems/registry.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace weir::driver {

namespace {

constexpr std::array<const FileSystem*, 10> kFileSystems = {&kLustre,  &kCeph,    &kBeegfs, &kGpfs,        &kNfs,
                                                            &kGluster, &kMoosefs, &kLocal,  &kOtherShared, &kPlain};

constexpr std::string_view kForeignPrefixes = "pfs piofs panfs pvfs pvfs2 testfs ime daos quobyte";

bool names(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = split(list, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool recognises(const FileSystem& system, const MountEntry& mount) {
  return names(system.types, mount.type) || (!system.source.empty() && mount.source.starts_with(system.source));
}

}  // namespace

std::span<const FileSystem* const> file_systems() { return kFileSystems; }

const FileSystem& file_system_of(const MountEntry& mount) {
  const auto found = std::find_if(kFileSystems.begin(), kFileSystems.end(),
                                  [&](const FileSystem* system) { return recognises(*system, mount); });
  return found == kFileSystems.end() ? kPlain : **found;
}

const FileSystem* find_file_system(std::string_view name) {
  const auto found = std::find_if(kFileSystems.begin(), kFileSystems.end(), [&](const FileSystem* system) {
    return system->name == name || names(system->prefixes, name);
  });
  return found == kFileSystems.end() ? nullptr : *found;
}

const FileSystem& serving(const MountEntry& mount, const FileSystem* forced) {
  const FileSystem& own = file_system_of(mount);
  const bool good = forced != nullptr && (forced == &kPlain || &own == &kPlain);
  return good ? *forced : own;
}

PrefixedPath split_prefix(std::string_view path) {
  const std::size_t colon = path.find(':');
  if (colon == std::string_view::npos) return {{}, path};
  const std::string_view prefix = path.substr(0, colon);
  const bool known = names(kForeignPrefixes, prefix) ||
                     std::any_of(kFileSystems.begin(), kFileSystems.end(),
                                 [&](const FileSystem* system) { return names(system->prefixes, prefix); });
  return known ? PrefixedPath{prefix, path.substr(colon + 1)} : PrefixedPath{{}, path};
}

}  // namespace weir::driver

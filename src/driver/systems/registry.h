// The registry of file systems: which one serves a file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "driver/mount.h"
#include "driver/systems/file_system.h"

namespace weir::driver {

// All of them; kPlain is the last.
std::span<const FileSystem* const> file_systems();

// The one that recognises the mount; kPlain where none does.
const FileSystem& file_system_of(const MountEntry& mount);

// The one of this name, or that a prefix names; null where there is none.
const FileSystem* find_file_system(std::string_view name);

// The one that serves files of this mount when `forced` (may be null) was asked for. A driver that knows another file
// system than the mount's is no good: then it is the mount's own.
const FileSystem& serving(const MountEntry& mount, const FileSystem* forced);

// Programs written for ROMIO may name a file system before the path ("ufs:/data/f"). Any other colon is part of the
// name.
struct PrefixedPath {
  std::string_view prefix;  // without the colon; empty: there is none. ROMIO has some that no driver here is for
  std::string_view path;
};
PrefixedPath split_prefix(std::string_view path);

}  // namespace weir::driver

#include "driver/mount.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "sys/unique_fd.h"

namespace weir::driver {

namespace {

struct MagicRow {
  unsigned long magic;
  const char* type;
};

constexpr std::array kMagicRows = {
    MagicRow{0xEF53, "ext4"},      MagicRow{0x58465342, "xfs"},   MagicRow{0x9123683E, "btrfs"},
    MagicRow{0x01021994, "tmpfs"}, MagicRow{0x858458F6, "ramfs"}, MagicRow{0x794C7630, "overlay"},
    MagicRow{0x2FC12FC1, "zfs"},   MagicRow{0x6969, "nfs"},       MagicRow{0x0BD00BD0, "lustre"},
    MagicRow{0x47504653, "gpfs"},  MagicRow{0x00C36400, "ceph"},  MagicRow{0x19830326, "beegfs"},
    MagicRow{0x20030528, "pvfs2"}, MagicRow{0xAAD7AAEA, "panfs"}, MagicRow{0xFF534D42, "cifs"},
    MagicRow{0xFE534D42, "smb3"},  MagicRow{0x01021997, "9p"},    MagicRow{0x5346414F, "afs"},
    MagicRow{0x65735546, "fuse"},
};

bool is_octal(char c) { return '0' <= c && c <= '7'; }

// mountinfo writes space, tab, newline and backslash as \ooo.
std::string decode_octal(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool escape = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
                  is_octal(text[i + 3]);
    if (!escape) {
      decoded += text[i];
      continue;
    }
    int code = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
    decoded += static_cast<char>(code);
    i += 3;
  }
  return decoded;
}

template <typename T>
bool parse_number(std::string_view text, T& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_device(std::string_view text, MountEntry& entry) {
  std::vector<std::string_view> numbers = split(text, ':');
  return numbers.size() == 2 && parse_number(numbers[0], entry.device_major) &&
         parse_number(numbers[1], entry.device_minor);
}

// id parent major:minor root mount-point options [optional fields] - type source super-options
std::optional<MountEntry> parse_line(std::string_view line) {
  std::vector<std::string_view> fields = split(line, ' ');
  if (fields.size() < 9) return std::nullopt;
  auto dash = std::find(fields.begin() + 6, fields.end(), "-");
  if (fields.end() - dash < 3) return std::nullopt;
  MountEntry entry;
  if (!parse_number(fields[0], entry.id) || !parse_device(fields[2], entry)) return std::nullopt;
  entry.root = decode_octal(fields[3]);
  entry.mount_point = decode_octal(fields[4]);
  entry.options = decode_octal(fields[5]);
  entry.type = decode_octal(dash[1]);
  entry.source = decode_octal(dash[2]);
  if (fields.end() - dash > 3) entry.super_options = decode_octal(dash[3]);
  return entry;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The kernel's id of the mount that the file was opened through, or -1.
int mount_id(int fd) {
  constexpr std::string_view kKey = "mnt_id:";
  std::string text = read_text(fmt::format("/proc/self/fdinfo/{}", fd));
  for (std::string_view line : split(text, '\n')) {
    if (!line.starts_with(kKey)) continue;
    line.remove_prefix(kKey.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    int id = -1;
    if (parse_number(line, id)) return id;
  }
  return -1;
}

// Opens the path, or the nearest parent that exists, only to ask about it; or -errno.
int open_nearest(std::filesystem::path path) {
  for (;;) {
    int fd = ::open(path.empty() ? "." : path.c_str(), O_PATH | O_CLOEXEC);
    if (fd >= 0) return fd;
    if (errno != ENOENT || path.empty() || path == path.root_path()) return -errno;
    path = path.parent_path();
  }
}

}  // namespace

std::vector<MountEntry> parse_mountinfo(std::string_view text) {
  std::vector<MountEntry> mounts;
  for (std::string_view line : split(text, '\n')) {
    if (std::optional<MountEntry> entry = parse_line(line)) mounts.push_back(std::move(*entry));
  }
  return mounts;
}

std::optional<MountEntry> find_mount(const std::vector<MountEntry>& mounts, int id) {
  auto found = std::find_if(mounts.begin(), mounts.end(), [&](const MountEntry& mount) { return mount.id == id; });
  return found == mounts.end() ? std::nullopt : std::optional(*found);
}

std::optional<MountEntry> find_mount(const std::vector<MountEntry>& mounts, unsigned device_major,
                                     unsigned device_minor) {
  auto found = std::find_if(mounts.rbegin(), mounts.rend(), [&](const MountEntry& mount) {
    return mount.device_major == device_major && mount.device_minor == device_minor;
  });
  return found == mounts.rend() ? std::nullopt : std::optional(*found);
}

Result<MountEntry> mount_of(int fd) {
  std::vector<MountEntry> mounts = parse_mountinfo(read_text("/proc/self/mountinfo"));
  if (std::optional<MountEntry> mount = find_mount(mounts, mount_id(fd))) return *mount;
  struct stat attributes = {};
  if (::fstat(fd, &attributes) == 0) {
    std::optional<MountEntry> mount = find_mount(mounts, major(attributes.st_dev), minor(attributes.st_dev));
    if (mount) return *mount;
  }
  struct statfs file_system = {};
  if (::fstatfs(fd, &file_system) != 0) {
    return Status::from_errno(errno, "statfs", fmt::format("descriptor {}", fd));
  }
  MountEntry only_type;
  only_type.type = type_of_magic(file_system.f_type);
  return only_type;
}

// None where the kernel does not tell them.
std::optional<MountTable::Numbers> MountTable::numbers_of(int fd) {
  struct statx facts = {};
  if (::statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &facts) != 0) return std::nullopt;
  if ((facts.stx_mask & STATX_MNT_ID) == 0) return std::nullopt;
  return Numbers{facts.stx_mnt_id, facts.stx_dev_major, facts.stx_dev_minor};
}

Result<MountEntry> MountTable::of(int fd) {
  const std::optional<Numbers> numbers = numbers_of(fd);
  if (!numbers) return mount_of(fd);
  const std::lock_guard guard(mutex_);
  const auto found = std::ranges::find(known_, *numbers, &Known::numbers);
  if (found != known_.end()) return found->mount;
  Result<MountEntry> mount = mount_of(fd);
  if (mount.ok()) known_.push_back({*numbers, mount.value()});
  return mount;
}

Result<MountEntry> mount_of(const std::string& path) {
  const int fd = open_nearest(path);
  if (fd < 0) return Status::from_errno(-fd, "finding the mount", path);
  const sys::UniqueFd held(fd);
  return mount_of(fd);
}

const char* type_of_magic(long magic) {
  for (const MagicRow& row : kMagicRows) {
    if (row.magic == (static_cast<unsigned long>(magic) & 0xFFFFFFFFul)) return row.type;
  }
  return "unknown";
}

}  // namespace weir::driver

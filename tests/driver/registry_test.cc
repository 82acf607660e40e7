#include "driver/systems/registry.h"

#include <array>
#include <set>

#include "base/text.h"
#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"
#include "hints/table.h"

namespace weir::driver {
namespace {

MountEntry mount(const char* type, const char* source = "somewhere") {
  MountEntry entry;
  entry.type = type;
  entry.source = source;
  return entry;
}

TEST(Registry, RecognisesMounts) {
  struct Case {
    const char* type;
    const char* source;
    const char* driver;
    bool shared;
  };
  for (const Case& one : {Case{"lustre", "10.0.0.1@tcp:/scratch", "lustre", true},
                          {"ceph", "10.0.0.1:6789:/", "ceph", true},
                          {"fuse.ceph-fuse", "ceph-fuse", "ceph", true},
                          {"fuse.ceph", "ceph", "ceph", true},
                          {"gpfs", "/dev/fs1", "gpfs", true},
                          {"nfs", "server:/export", "nfs", true},
                          {"nfs4", "server:/export", "nfs", true},
                          {"fuse.glusterfs", "server:/volume", "gluster", true},
                          {"fuse", "mfs#master:9421", "moosefs", true},
                          {"fuse.mfs", "mfs#master:9421", "moosefs", true},
                          {"beegfs", "beegfs_nodev", "beegfs", true},
                          {"ext4", "/dev/sda1", "local", false},
                          {"tmpfs", "mfs", "local", false},
                          {"cifs", "//server/share", "shared", true},
                          {"fuse.sshfs", "host:", "shared", true},
                          {"fuse", "something", "ufs", false},
                          {"", "", "ufs", false}}) {
    const FileSystem& found = file_system_of(mount(one.type, one.source));
    EXPECT_EQ(found.name, one.driver) << one.type << " from " << one.source;
    EXPECT_EQ(found.shared, one.shared) << one.type;
  }
}

TEST(Registry, NamesAreUniqueAndHooksComeInPairs) {
  std::set<std::string_view> seen;
  for (const FileSystem* system : file_systems()) {
    EXPECT_TRUE(seen.insert(system->name).second) << system->name;
    EXPECT_EQ(find_file_system(system->name), system);
    for (std::string_view prefix : split(system->prefixes, ' ')) EXPECT_EQ(find_file_system(prefix), system) << prefix;
    EXPECT_EQ(system->inherits == nullptr, system->create == nullptr) << system->name;
    EXPECT_EQ(system->prefetch == nullptr, system->release == nullptr) << system->name;
    EXPECT_TRUE(system->create == nullptr || system->read_striping != nullptr) << system->name;
  }
  EXPECT_EQ(find_file_system("vfat"), nullptr);
  EXPECT_EQ(find_file_system(""), nullptr);
  EXPECT_EQ(file_systems().back(), &kPlain);
}

TEST(Registry, TheHintNamesDriversThatThereAre) {
  for (std::string_view word : split(hints::row(hints::Id::kWeirDriver).words, '|')) {
    EXPECT_EQ(find_file_system(word) == nullptr, word == "auto") << word;
  }
}

TEST(Registry, PrefixesAreTakenOffAndOtherColonsAreNot) {
  struct Case {
    const char* path;
    const char* prefix;
    const char* rest;
  };
  for (const Case& one : {Case{"lustre:/scratch/f", "lustre", "/scratch/f"},
                          {"ceph:f", "ceph", "f"},
                          {"ufs:a:b", "ufs", "a:b"},
                          {"xfs:f", "xfs", "f"},
                          {"gpfs:/f", "gpfs", "/f"},
                          {"nfs:/f", "nfs", "/f"},
                          {"beegfs:f", "beegfs", "f"},
                          {"panfs:/f", "panfs", "/f"},
                          {"daos:f", "daos", "f"},
                          {"ufs:", "ufs", ""},
                          {"ufs:ufs:f", "ufs", "ufs:f"},
                          {"c:/f", "", "c:/f"},
                          {"run:3", "", "run:3"},
                          {"local:f", "", "local:f"},
                          {"shared:f", "", "shared:f"},
                          {"/data/lustre:f", "", "/data/lustre:f"},
                          {"lustr:f", "", "lustr:f"},
                          {":f", "", ":f"},
                          {"Lustre:f", "", "Lustre:f"},
                          {"f", "", "f"},
                          {"", "", ""}}) {
    const PrefixedPath found = split_prefix(one.path);
    EXPECT_EQ(found.prefix, one.prefix) << one.path;
    EXPECT_EQ(found.path, one.rest) << one.path;
  }
}

TEST(Registry, AForcedDriverServesWhereItCan) {
  const MountEntry ext4 = mount("ext4");
  const MountEntry lustre = mount("lustre");
  const MountEntry unknown = mount("fuse.mine");
  EXPECT_EQ(&serving(ext4, nullptr), &kLocal);
  EXPECT_EQ(&serving(ext4, &kLustre), &kLocal) << "it would ask ext4 for stripes";
  EXPECT_EQ(&serving(lustre, &kLustre), &kLustre);
  EXPECT_EQ(&serving(lustre, &kCeph), &kLustre);
  EXPECT_EQ(&serving(lustre, &kPlain), &kPlain) << "wanting nothing known is always possible";
  EXPECT_EQ(&serving(unknown, &kCeph), &kCeph) << "the user may know better";
}

TEST(Registry, AFileOnTheWrongDriverHasTheRightOneAndItsData) {
  TemporaryFolder folder;
  PosixDriver driver;
  for (const FileSystem* forced : file_systems()) {
    OpenMode mode = kCreate;
    mode.forced = forced;
    mode.striping.asked = {.unit_bytes = 1 << 20, .servers = 4};
    const std::string path = folder.file(std::string(forced->name));
    std::unique_ptr<File> file = open_or_fail(driver, path, mode);
    const Bytes bytes = pattern(100'000);
    write_or_fail(*file, 7, bytes);
    EXPECT_EQ(read_at(*file, 7, 100'000), bytes);
    const StorageLayout storage = file->storage();
    const FileSystem& here = file_system_of(mount_of(path).value());
    EXPECT_EQ(storage.driver, serving(mount_of(path).value(), forced).name);
    EXPECT_TRUE(here.create != nullptr || !storage.striping_refused.empty());
    EXPECT_EQ(storage.network, here.shared);
  }
}

}  // namespace
}  // namespace weir::driver

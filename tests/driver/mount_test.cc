#include "driver/mount.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "driver/support.h"
#include "sys/unique_fd.h"

namespace weir::driver {
namespace {

constexpr const char* kSample =
    "22 27 0:20 / /proc rw,nosuid - proc proc rw\n"
    "27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"
    "40 27 0:45 / /mnt/with\\040space\\011tab\\134slash rw - fuse.ceph-fuse ceph-fuse rw,user_id=0\n"
    "41 27 0:46 /export /mnt/nfs ro,relatime shared:7 master:3 - nfs4 server:/export rw,vers=4.2\n"
    "42 27 0:47 / /mnt/mfs rw - fuse mfs#master:9421 rw\n"
    "43 27 8:1 /home /home rw,relatime - ext4 /dev/sda1 rw\n"
    "44 27 0:50 / /mnt/plain rw - tmpfs none\n";

TEST(Mount, ReadsEveryField) {
  std::vector<MountEntry> mounts = parse_mountinfo(kSample);
  ASSERT_EQ(mounts.size(), 7u);
  MountEntry nfs = {41, 0, 46, "/export", "/mnt/nfs", "ro,relatime", "nfs4", "server:/export", "rw,vers=4.2"};
  EXPECT_EQ(mounts[3], nfs);
  EXPECT_EQ(mounts[2].mount_point, "/mnt/with space\ttab\\slash");
  EXPECT_EQ(mounts[6].super_options, "");
}

TEST(Mount, LeavesOutWhatIsNoEntry) {
  for (const char* line :
       {"", "\n\n", "nonsense", "x 1 8:1 / / rw - ext4 /dev/sda1 rw", "27 1 8 / / rw - ext4 /dev/sda1 rw",
        "27 1 8:1 / / rw shared:1 ext4 a b c", "27 1 8:1 / / rw shared:1 master:2 -", "27 1 8:x / / rw - ext4 a b"}) {
    EXPECT_TRUE(parse_mountinfo(line).empty()) << line;
  }
  EXPECT_EQ(parse_mountinfo("44 27 0:50 / /cut\\04 rw - tmpfs none rw").at(0).mount_point, "/cut\\04");
}

TEST(Mount, IsFoundByIdOrDevice) {
  std::vector<MountEntry> mounts = parse_mountinfo(kSample);
  EXPECT_EQ(find_mount(mounts, 40)->type, "fuse.ceph-fuse");
  EXPECT_EQ(find_mount(mounts, 8, 1)->mount_point, "/home") << "the later mount hides the earlier";
  EXPECT_FALSE(find_mount(mounts, 99));
  EXPECT_FALSE(find_mount(mounts, 9, 9));
}

TEST(Mount, NamesFileSystemsByMagic) {
  EXPECT_STREQ(type_of_magic(0xEF53), "ext4");
  EXPECT_STREQ(type_of_magic(0x0BD00BD0), "lustre");
  EXPECT_STREQ(type_of_magic(0x47504653), "gpfs");
  EXPECT_STREQ(type_of_magic(static_cast<int>(0x9123683Eu)), "btrfs") << "also where it is negative";
  EXPECT_STREQ(type_of_magic(1), "unknown");
}

TEST(Mount, OfRealPaths) {
  EXPECT_EQ(mount_of(std::string("/proc/self/status")).value().type, "proc");
  EXPECT_EQ(mount_of(std::string("/proc")).value().mount_point, "/proc");
  TemporaryFolder folder;
  MountEntry here = mount_of(folder.path()).value();
  EXPECT_EQ(mount_of(folder.file("not/yet")).value(), here);
  EXPECT_TRUE(mount_of(std::string("relative-and-missing")).ok());
  EXPECT_FALSE(mount_of(-1).ok());
}

TEST(MountTable, TellsMountsApartAndAgain) {
  TemporaryFolder folder;
  const sys::UniqueFd here(::open(folder.path().c_str(), O_PATH | O_CLOEXEC));
  const sys::UniqueFd proc(::open("/proc", O_PATH | O_CLOEXEC));
  MountTable table;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(table.of(here.get()).value(), mount_of(here.get()).value());
    EXPECT_EQ(table.of(proc.get()).value().type, "proc");
    EXPECT_FALSE(table.of(-1).ok());
  }
}

}  // namespace
}  // namespace weir::driver

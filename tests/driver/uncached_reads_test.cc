// Reads past the page cache where a client may misplace bytes, with the mount scripted.
#include "driver/uncached_reads.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

class UncachedReadsTest : public testing::Test {
 protected:
  OpenMode of_nodes(int nodes) const {
    OpenMode mode = create_with(io_);
    mode.striping.sharers = {4, nodes};
    return mode;
  }
  std::unique_ptr<File> open(const OpenMode& mode) { return open_or_fail(driver_, folder_.file("f"), mode); }
  void mount(const char* type) {
    MountEntry entry;
    entry.type = type;
    system_->mounted = entry;
  }
  std::int64_t direct_opens() const {
    return std::count_if(system_->open_flags.begin(), system_->open_flags.end(),
                         [](int flags) { return (flags & O_DIRECT) != 0; });
  }
  // A page is read after it was written; returns what the file counts.
  IoCounters use(File& file) {
    const BounceBuffer buffer(2 * kPageBytes);
    const IoRequest page = {0, buffer.at(0), kPageBytes};
    std::fill_n(page.data, kPageBytes, std::byte{7});
    EXPECT_TRUE(file.transfer(Direction::kWrite, {&page, 1}).status.ok());
    std::fill_n(page.data, kPageBytes, std::byte{0});
    EXPECT_EQ(file.transfer(Direction::kRead, {&page, 1}).bytes_moved, kPageBytes);
    EXPECT_EQ(page.data[kPageBytes - 1], std::byte{7});
    return file.counters();
  }

  IoWay io_ = IoWay::kAuto;
  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
};

TEST_F(UncachedReadsTest, OnCephfsBelowFuseWhereSeveralNodesMayWrite) {
  mount("fuse.ceph-fuse");
  std::unique_ptr<File> file = open(of_nodes(2));
  EXPECT_EQ(direct_opens(), 0) << "who reads nothing opens nothing";
  EXPECT_EQ(use(*file).bytes_direct, kPageBytes);
  EXPECT_EQ(use(*file).bytes_direct, 2 * kPageBytes);
  EXPECT_EQ(direct_opens(), 1);
  EXPECT_TRUE(file->close().ok());
}

TEST_F(UncachedReadsTest, NowhereElse) {
  mount("fuse.ceph-fuse");
  EXPECT_EQ(use(*open(of_nodes(1))).bytes_direct, 0);
  mount("ceph");
  EXPECT_EQ(use(*open(of_nodes(2))).bytes_direct, 0);
  mount("fuse.glusterfs");
  EXPECT_EQ(use(*open(of_nodes(2))).bytes_direct, 0);
}

TEST_F(UncachedReadsTest, WithoutTheSecondDescriptorReadsAreAsAnyProgramHasThem) {
  mount("fuse.ceph-fuse");
  system_->reply_to_open = [](int flags) { return (flags & O_DIRECT) != 0 ? -EINVAL : 0; };
  std::unique_ptr<File> file = open(of_nodes(2));
  const IoCounters counters = use(*file);
  EXPECT_EQ(counters.bytes_direct, 0);
  EXPECT_EQ(counters.bytes_read, kPageBytes);
}

}  // namespace
}  // namespace weir::driver

// GPFS: advice as a stand-in for its library gets it, found as the real one would be.
#include <dlfcn.h>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/stand_in_gpfs.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

StandInGpfs& library() {
  static void* handle = ::dlopen("libgpfs.so", RTLD_NOW);
  return reinterpret_cast<StandInGpfsGetter>(::dlsym(handle, kStandInGpfsGetter))();
}

class Gpfs : public testing::Test {
 protected:
  Gpfs() {
    system_->mounted = MountEntry();
    system_->mounted->type = "gpfs";
    system_->reply_to_advice = [] { return 0; };
    library() = StandInGpfs();
    file_ = open_or_fail(driver_, folder_.file("f"));
    block_ = file_->storage().lock_bytes;
  }
  std::vector<Extent> blocks(int count) const {
    std::vector<Extent> ranges;
    for (int i = 0; i < count; ++i) ranges.push_back({i * block_ + 3, i * block_ + 103});
    return ranges;
  }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
  std::unique_ptr<File> file_;
  std::int64_t block_ = 0;
};

TEST_F(Gpfs, IsKnownByItsTokens) {
  const StorageLayout storage = file_->storage();
  EXPECT_EQ(storage.driver, "gpfs");
  EXPECT_EQ(storage.lock_protocol, LockProtocol::kToken);
  EXPECT_TRUE(storage.network);
}

TEST_F(Gpfs, RangesGoBlockByBlockInEveryNumber) {
  for (int count = 0; count <= 20; ++count) {
    library() = StandInGpfs();
    EXPECT_EQ(file_->prefetch(blocks(count)), count);
    file_->release(blocks(count));
    ASSERT_EQ(library().malformed, 0) << count;
    ASSERT_EQ(library().accessed.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(library().accessed[i], (GpfsRange{i, 3, 100}));
    EXPECT_EQ(library().released, library().accessed);
    EXPECT_EQ(library().calls, 2 * ((count + 7) / 8));
  }
  EXPECT_TRUE(system_->advice.empty()) << "not by the kernel's advice";
}

TEST_F(Gpfs, OnlyWhatItTakesIsTaken) {
  for (int accepted = 0; accepted <= 8; ++accepted) {
    library() = StandInGpfs();
    library().most_accepted = accepted;
    EXPECT_EQ(file_->prefetch(blocks(8)), accepted);
    EXPECT_EQ(file_->prefetch(blocks(9)), accepted == 8 ? 9 : accepted);
  }
  EXPECT_EQ(file_->counters().ranges_asked, 9 * 17);
}

TEST_F(Gpfs, ARangeOfSeveralBlocksIsAdvisedOfInItsFirst) {
  const Extent range = {2 * block_ - 5, 4 * block_};
  EXPECT_EQ(file_->prefetch({&range, 1}), 1);
  EXPECT_EQ(library().accessed.at(0), (GpfsRange{1, static_cast<int>(block_ - 5), 5}));
}

TEST_F(Gpfs, EachFailureCostsNoMoreThanAdvice) {
  for (int failing = 1; failing <= 3; ++failing) {
    library() = StandInGpfs();
    library().failing_call = failing;
    EXPECT_EQ(file_->prefetch(blocks(20)), 8 * (failing - 1));
  }
  for (int failing = 1; failing <= 3; ++failing) {
    library() = StandInGpfs();
    library().failing_call = failing;
    file_->release(blocks(20));
    EXPECT_EQ(library().released.size(), 8u * static_cast<unsigned>(failing - 1));
    EXPECT_EQ(library().cancels, 1) << "what cannot be released is cancelled";
    EXPECT_EQ(library().malformed, 0);
  }
}

TEST_F(Gpfs, WithoutTheLibraryTheKernelIsAdvised) {
  system_->reply_to_gpfs = [](void*) { return -ENOSYS; };
  EXPECT_EQ(file_->prefetch(blocks(3)), 3);
  EXPECT_EQ(system_->advice.size(), 3u);
  file_->release(blocks(3));
  EXPECT_EQ(library().calls, 0);
}

}  // namespace
}  // namespace weir::driver

// CephFS and BeeGFS: drivers that believe to be on them.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

class Scripted : public testing::Test {
 protected:
  explicit Scripted(const char* type) {
    system_->mounted = MountEntry();
    system_->mounted->type = type;
  }

  std::unique_ptr<File> create(const Striping& asked) {
    OpenMode mode = kCreateNew;
    mode.striping.asked = asked;
    return open_or_fail(driver_, folder_.file("f"), mode);
  }
  void expect_good(File& file) {
    write_or_fail(file, 0, pattern(5000));
    EXPECT_EQ(read_at(file, 0, 5000), pattern(5000));
    ASSERT_TRUE(driver_.remove(folder_.file("f")).ok());
  }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
};

constexpr const char* kUnit = "ceph.file.layout.stripe_unit";
constexpr const char* kServers = "ceph.file.layout.stripe_count";
constexpr const char* kObject = "ceph.file.layout.object_size";

class Ceph : public Scripted {
 protected:
  Ceph() : Scripted("fuse.ceph-fuse") {
    reset();
    system_->reply_to_setxattr = [this](const std::string& name, const std::string& value) {
      auto after = system_->attributes;
      after[name] = value;
      return std::stoll(after[kObject]) % std::stoll(after[kUnit]) == 0 ? 0 : -EINVAL;
    };
  }
  void reset() { system_->attributes = {{kUnit, "4194304"}, {kServers, "1"}, {kObject, "4194304"}}; }
};

TEST_F(Ceph, TheLayoutComesFromAttributes) {
  const StorageLayout storage = open_or_fail(driver_, folder_.file("f"))->storage();
  EXPECT_EQ(storage.driver, "ceph");
  EXPECT_EQ(storage.stripe_bytes, 4 << 20);
  EXPECT_EQ(storage.stripe_count, 1);
  for (const char* bad : {"", "0", "-1", "x", "99999999999"}) {
    system_->attributes[kServers] = bad;
    EXPECT_EQ(open_or_fail(driver_, folder_.file("f"))->storage().stripe_bytes, 0) << bad;
  }
}

// Whatever the unit, objects hold whole ones after every step.
TEST_F(Ceph, EveryStepOfANewLayoutIsALayout) {
  for (std::int64_t unit : {65536, 1 << 20, 3 << 20, 4 << 20, 8 << 20, 6 << 20}) {
    reset();
    auto file = create({unit, 3, -1});
    const StorageLayout storage = file->storage();
    EXPECT_EQ(storage.striping_refused, "") << unit;
    EXPECT_EQ(storage.stripe_bytes, unit);
    EXPECT_EQ(storage.stripe_count, 3);
    expect_good(*file);
  }
  system_->attributes_set.clear();
  expect_good(*create({.servers = 2}));
  ASSERT_EQ(system_->attributes_set.size(), 1u) << "only what was asked for";
  EXPECT_EQ(system_->attributes_set[0], std::pair(std::string(kServers), std::string("2")));
}

TEST_F(Ceph, EachRefusedStepIsToldAndTheFileIsGood) {
  for (int refused = 1; refused <= 3; ++refused) {
    reset();
    int steps = 0;
    system_->reply_to_setxattr = [&](const std::string&, const std::string&) {
      return ++steps == refused ? -EPERM : 0;
    };
    auto file = create({3 << 20, 4, -1});
    EXPECT_EQ(steps, refused) << "and nothing more is tried";
    EXPECT_NE(file->storage().striping_refused.find("EPERM"), std::string::npos);
    expect_good(*file);
  }
  reset();
  system_->attributes.erase(kObject);
  auto file = create({3 << 20, 4, -1});
  EXPECT_NE(file->storage().striping_refused, "");
  expect_good(*file);
}

TEST_F(Ceph, TheFirstServerCannotBeChosen) {
  auto file = create({.first_server = 1});
  EXPECT_NE(file->storage().striping_refused, "");
  expect_good(*file);
}

TEST_F(Ceph, NothingIsChosenWithoutBeingAsked) {
  OpenMode mode = kCreateNew;
  mode.striping = {{}, {64, 16}, true};
  open_or_fail(driver_, folder_.file("f"), mode);
  EXPECT_TRUE(system_->attributes_set.empty());
}

struct StripeInfo {
  unsigned pattern;
  unsigned chunk_bytes;
  std::uint16_t targets;
};
struct StripedFile {
  const char* name;
  unsigned permissions;
  unsigned targets;
  unsigned chunk_bytes;
};

class Beegfs : public Scripted {
 protected:
  Beegfs() : Scripted("beegfs") {
    system_->reply_to_ioctl = [this](int fd, unsigned long request, void* argument) {
      return answer(fd, request, argument);
    };
  }
  int answer(int fd, unsigned long request, void* argument) {
    if (request == _IOR('f', 25, StripeInfo)) {
      const StripeInfo info = {1, chunk_, targets_};
      std::memcpy(argument, &info, sizeof(info));
      return info_refusal_;
    }
    EXPECT_EQ(request, _IOW('f', 27, StripedFile));
    ++made_;
    if (refusal_ != 0) return refusal_;
    StripedFile asked = {};
    std::memcpy(&asked, argument, sizeof(asked));
    EXPECT_STREQ(asked.name, "f");
    EXPECT_EQ(asked.permissions, 0666u);
    chunk_ = asked.chunk_bytes;
    targets_ = static_cast<std::uint16_t>(asked.targets);
    const int file = ::openat(fd, asked.name, O_CREAT | O_EXCL | O_WRONLY, asked.permissions);
    if (file < 0) return -errno;
    ::close(file);
    return 0;
  }

  unsigned chunk_ = 512 << 10;
  std::uint16_t targets_ = 4;
  int info_refusal_ = 0;
  int refusal_ = 0;
  int made_ = 0;
};

TEST_F(Beegfs, TheLayoutComesFromTheIoctl) {
  const StorageLayout storage = open_or_fail(driver_, folder_.file("f"))->storage();
  EXPECT_EQ(storage.driver, "beegfs");
  EXPECT_EQ(storage.stripe_bytes, 512 << 10);
  EXPECT_EQ(storage.stripe_count, 4);
  info_refusal_ = -ENOTTY;
  EXPECT_EQ(open_or_fail(driver_, folder_.file("f"))->storage().stripe_bytes, 0);
}

TEST_F(Beegfs, HintsMakeTheFile) {
  auto file = create({1 << 20, 8, -1});
  EXPECT_EQ(file->storage().stripe_bytes, 1 << 20);
  EXPECT_EQ(file->storage().stripe_count, 8);
  EXPECT_EQ(file->storage().striping_refused, "");
  OpenMode again = kCreateNew;
  again.striping.asked.servers = 2;
  EXPECT_EQ(open_class(driver_, folder_.file("f"), again), ErrorClass::kFileExists);
  EXPECT_EQ(made_, 2);
  again.exclusive = false;
  EXPECT_EQ(open_or_fail(driver_, folder_.file("f"), again)->storage().striping_refused, "the file was there before");
  expect_good(*file);
}

TEST_F(Beegfs, AUnitTooLargeForTheCallIsRefused) {
  auto file = create({4LL << 30, 8, -1});
  EXPECT_EQ(made_, 0);
  EXPECT_NE(file->storage().striping_refused, "");
  expect_good(*file);
}

TEST_F(Beegfs, ARefusedStripingIsToldAndTheFileIsGood) {
  for (int refusal : {-EINVAL, -EPERM, -ENOTTY}) {
    refusal_ = refusal;
    auto file = create({1000, 8, -1});
    EXPECT_NE(file->storage().striping_refused, "");
    EXPECT_EQ(file->storage().stripe_count, 4);
    expect_good(*file);
  }
}

}  // namespace
}  // namespace weir::driver

// What the POSIX driver does beyond the contract: the operating system's errors, limits and odd files.
#include "driver/posix.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "driver/mount.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

using testing::HasSubstr;

// A tmpfs mounted at a folder, and unmounted whatever happens.
class SmallFileSystem {
 public:
  SmallFileSystem(const std::string& folder, const char* options) : folder_(folder) {
    std::filesystem::create_directories(folder);
    mounted_ = ::mount("weir-test", folder.c_str(), "tmpfs", 0, options) == 0;
  }
  SmallFileSystem(const SmallFileSystem&) = delete;
  SmallFileSystem& operator=(const SmallFileSystem&) = delete;
  ~SmallFileSystem() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }

  bool mounted() const { return mounted_; }
  bool make_read_only() {
    return ::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
  bool mounted_ = false;
};

class Posix : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string full_text(const std::string& path, OpenMode mode) {
    return driver_.open(path, mode, nullptr).status().text();
  }

  TemporaryFolder folder_;
  PosixDriver driver_;
};

TEST_F(Posix, DirectoriesAreRefusedInEveryMode) {
  for (OpenMode mode : {kReadOnly, kWriteOnly, kReadWrite, kCreate}) {
    EXPECT_EQ(open_class(driver_, folder_.path(), mode), ErrorClass::kBadFile);
  }
  EXPECT_THAT(full_text(folder_.path(), kReadOnly), HasSubstr("EISDIR"));
  EXPECT_EQ(driver_.remove(folder_.path()).error_class(), ErrorClass::kBadFile);
}

TEST_F(Posix, PathsThatLeadNowhere) {
  open_or_fail(driver_, file("plain"));
  for (OpenMode mode : {kReadOnly, kCreate}) {
    EXPECT_EQ(open_class(driver_, file("plain/x"), mode), ErrorClass::kBadFile) << "ENOTDIR";
    EXPECT_EQ(open_class(driver_, file("none/x"), mode), ErrorClass::kNoSuchFile);
    EXPECT_EQ(open_class(driver_, file(std::string(300, 'n')), mode), ErrorClass::kBadFile);
    EXPECT_EQ(open_class(driver_, "", mode), ErrorClass::kNoSuchFile);
  }
  ASSERT_EQ(::symlink("loop", file("loop").c_str()), 0);
  EXPECT_EQ(open_class(driver_, file("loop"), kCreate), ErrorClass::kBadFile);
}

TEST_F(Posix, CreatesUnderTheUmaskAndClosesOnExec) {
  mode_t before = ::umask(027);
  open_or_fail(driver_, file("f"));
  ::umask(before);
  struct stat attributes = {};
  ASSERT_EQ(::stat(file("f").c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 0777, 0640u);

  auto system = std::make_shared<ScriptedSyscalls>();
  int flags_seen = 0;
  system->reply_to_open = [&](int flags) { return flags_seen = flags, 0; };
  PosixDriver watched(system);
  open_or_fail(watched, file("f"), kWriteOnly);
  EXPECT_EQ(flags_seen & (O_ACCMODE | O_CLOEXEC | O_TRUNC | O_CREAT), O_WRONLY | O_CLOEXEC);
}

TEST_F(Posix, CreatingThroughADanglingLinkMakesItsTarget) {
  ASSERT_EQ(::symlink("target", file("link").c_str()), 0);
  EXPECT_EQ(open_class(driver_, file("link"), kReadWrite), ErrorClass::kNoSuchFile);
  EXPECT_EQ(open_class(driver_, file("link"), kCreateNew), ErrorClass::kFileExists);
  bool created = false;
  ASSERT_TRUE(driver_.open(file("link"), kCreate, &created).ok());
  EXPECT_TRUE(created);
  EXPECT_TRUE(std::filesystem::exists(file("target")));
  ASSERT_TRUE(driver_.open(file("link"), kCreate, &created).ok());
  EXPECT_FALSE(created);
}

TEST_F(Posix, AFileRemovedWhileItIsOpenedIsTriedAgain) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  int opens = 0;
  system->reply_to_open = [&](int) { return ++opens == 1 ? -EEXIST : 0; };  // and then it is gone
  bool created = false;
  EXPECT_TRUE(driver.open(file("f"), kCreate, &created).ok());
  EXPECT_TRUE(created);
}

TEST_F(Posix, AFileThatIsAlwaysGoneIsGivenUp) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  system->reply_to_open = [](int) { return -EEXIST; };
  EXPECT_EQ(open_class(driver, file("f"), kCreate), ErrorClass::kIo);
}

TEST_F(Posix, InterruptedOpensAreRepeated) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  int opens = 0;
  system->reply_to_open = [&](int) { return ++opens < 3 ? -EINTR : 0; };
  EXPECT_TRUE(driver.open(file("f"), kCreate, nullptr).ok());
}

TEST_F(Posix, FilesWithoutOffsetsAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0666), 0);
  int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  file("sock").copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  for (OpenMode mode : {kReadOnly, kWriteOnly, kReadWrite, kCreate}) {
    EXPECT_EQ(open_class(driver_, file("fifo"), mode), ErrorClass::kBadFile);
    EXPECT_EQ(open_class(driver_, file("sock"), mode), ErrorClass::kBadFile);
  }
  ::close(server);
  EXPECT_THAT(full_text(file("fifo"), kReadOnly), HasSubstr("not seekable"));
}

TEST_F(Posix, DevicesOpen) {
  std::unique_ptr<File> zero = open_or_fail(driver_, "/dev/zero", kReadWrite);
  EXPECT_EQ(read_at(*zero, 5, 10), Bytes(10));
  std::unique_ptr<File> full = open_or_fail(driver_, "/dev/full", kReadWrite);
  IoOutcome outcome = write_at(*full, 0, pattern(10));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(outcome.bytes_moved, 0);
}

TEST_F(Posix, PermissionsAreReported) {
  open_or_fail(driver_, file("private"));
  ASSERT_EQ(::chmod(file("private").c_str(), 0400), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  if (::geteuid() != 0) {
    EXPECT_EQ(open_class(driver_, file("private"), kReadWrite), ErrorClass::kAccess);
    return;
  }
  // Permission bits do not bind root: look from a thread that is nobody on file systems.
  std::jthread([&] {
    constexpr uid_t kNobody = 65534;
    ::setfsuid(kNobody);
    ASSERT_EQ(static_cast<uid_t>(::setfsuid(kNobody)), kNobody);
    for (OpenMode mode : {kReadOnly, kWriteOnly, kReadWrite, kCreate}) {
      EXPECT_EQ(open_class(driver_, file("private"), mode), ErrorClass::kAccess);
    }
    EXPECT_EQ(open_class(driver_, file("new"), kCreate), ErrorClass::kAccess);
    EXPECT_EQ(driver_.remove(file("private")).error_class(), ErrorClass::kAccess);
  });
}

TEST_F(Posix, AReadOnlyFileSystem) {
  SmallFileSystem small(file("mnt"), "size=1m");
  if (!small.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  write_or_fail(*open_or_fail(driver_, small.file("f")), 0, pattern(10));
  ASSERT_TRUE(small.make_read_only());
  EXPECT_EQ(open_class(driver_, small.file("f"), kReadWrite), ErrorClass::kReadOnly);
  EXPECT_EQ(open_class(driver_, small.file("f"), kCreate), ErrorClass::kReadOnly);
  EXPECT_EQ(open_class(driver_, small.file("new"), kCreate), ErrorClass::kReadOnly);
  EXPECT_EQ(driver_.remove(small.file("f")).error_class(), ErrorClass::kReadOnly);
  OpenMode read_or_create = {.read = true, .write = false, .create = true};
  EXPECT_EQ(read_at(*open_or_fail(driver_, small.file("f"), read_or_create), 0, 20), pattern(10));
}

TEST_F(Posix, AFullFileSystemTakesWhatFits) {
  SmallFileSystem small(file("mnt"), "size=64k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  std::unique_ptr<File> full = open_or_fail(driver_, small.file("f"));
  Bytes memory = pattern(100 << 10);
  IoOutcome outcome = full->transfer(Direction::kWrite, chop(memory, 0, 1000));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(outcome.bytes_moved, 64 << 10);
  EXPECT_THAT(outcome.status.text(), HasSubstr("offset 65536"));
  EXPECT_EQ(full->size().value(), outcome.bytes_moved);
  EXPECT_EQ(read_at(*full, 0, 200 << 10), part(memory, 0, outcome.bytes_moved));
  EXPECT_EQ(full->preallocate(1 << 20).error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(read_at(*full, 0, 64 << 10), part(memory, 0, 64 << 10));
}

// `bytes` of memory made of one mebibyte again and again: room to read into that costs next to nothing.
class RepeatedMemory {
 public:
  explicit RepeatedMemory(std::int64_t bytes) : reserved_(static_cast<std::size_t>(bytes) + kPart) {
    int part = ::memfd_create("part", MFD_CLOEXEC);
    EXPECT_EQ(::ftruncate(part, kPart), 0);
    constexpr int kReserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    data_ = static_cast<std::byte*>(::mmap(nullptr, reserved_, PROT_NONE, kReserve, -1, 0));
    for (std::size_t at = 0; at + kPart <= reserved_; at += kPart) {
      constexpr int kAccess = PROT_READ | PROT_WRITE;
      EXPECT_NE(::mmap(data_ + at, kPart, kAccess, MAP_SHARED | MAP_FIXED, part, 0), MAP_FAILED);
    }
    ::close(part);
  }
  RepeatedMemory(const RepeatedMemory&) = delete;
  RepeatedMemory& operator=(const RepeatedMemory&) = delete;
  ~RepeatedMemory() { ::munmap(data_, reserved_); }

  std::byte* data() const { return data_; }

 private:
  static constexpr std::size_t kPart = 1 << 20;
  std::size_t reserved_;
  std::byte* data_ = nullptr;
};

TEST_F(Posix, OneRequestBeyondTwoGigabytes) {
  constexpr std::int64_t kHuge = (std::int64_t{1} << 31) + 4096;
  int in_memory = ::memfd_create("sparse", MFD_CLOEXEC);  // whose holes stay holes when they are read
  std::unique_ptr<File> sparse =
      open_or_fail(driver_, "/proc/self/fd/" + std::to_string(in_memory), kReadWrite);
  ::close(in_memory);
  ASSERT_TRUE(sparse->resize(kHuge).ok());
  write_or_fail(*sparse, kHuge - 100, pattern(100));
  RepeatedMemory memory(kHuge + 5);
  IoRequest request = {0, memory.data(), kHuge + 5};
  IoOutcome outcome = sparse->transfer(Direction::kRead, {&request, 1});
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  EXPECT_EQ(outcome.bytes_moved, kHuge);
  EXPECT_EQ(Bytes(memory.data() + kHuge - 100, memory.data() + kHuge), pattern(100));
}

TEST_F(Posix, ABadBufferIsReported) {
  std::unique_ptr<File> f = open_or_fail(driver_, file("f"));
  IoRequest request = {0, nullptr, 10};
  EXPECT_EQ(f->transfer(Direction::kWrite, {&request, 1}).status.error_class(), ErrorClass::kBuffer);
}

TEST_F(Posix, WithoutFallocateZerosAreWrittenBeyondTheEnd) {
  for (int missing : {-EOPNOTSUPP, -ENOSYS}) {
    auto system = std::make_shared<ScriptedSyscalls>();
    PosixDriver driver(system);
    std::unique_ptr<File> f = open_or_fail(driver, file("f" + std::to_string(-missing)));
    EXPECT_TRUE(f->capabilities().preallocates);
    system->reply_to_fallocate = [missing] { return missing; };
    write_or_fail(*f, 0, pattern(1000));
    system->calls.clear();
    ASSERT_TRUE(f->preallocate(500).ok());
    EXPECT_TRUE(system->calls.empty());
    ASSERT_TRUE(f->preallocate(3 << 20).ok());
    for (const ScriptedSyscalls::Call& call : system->calls) EXPECT_GE(call.offset, 1000);
    Bytes expected = pattern(1000);
    expected.resize(3 << 20);
    EXPECT_EQ(read_at(*f, 0, 4 << 20), expected);
    EXPECT_FALSE(f->capabilities().preallocates);
  }
}

TEST_F(Posix, PreallocateReservesBlocks) {
  std::unique_ptr<File> f = open_or_fail(driver_, file("f"));
  ASSERT_TRUE(f->preallocate(1 << 20).ok());
  struct stat attributes = {};
  ASSERT_EQ(::stat(file("f").c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_size, 1 << 20);
  EXPECT_GE(attributes.st_blocks * 512, 1 << 20);
}

const std::vector<Extent> kThreeRanges = {{0, 4096}, {4096, 5000}, {8192, 9000}};

TEST_F(Posix, RangesThatTouchAreAdvisedTogether) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  std::unique_ptr<File> f = open_or_fail(driver, file("f"));
  write_or_fail(*f, 0, pattern(10000));
  EXPECT_TRUE(f->capabilities().prefetches);
  EXPECT_EQ(f->prefetch(kThreeRanges), 3);
  ASSERT_EQ(system->advice.size(), 2u);
  EXPECT_EQ(system->advice[0].offset, 0);
  EXPECT_EQ(system->advice[0].bytes, 5000);
  EXPECT_EQ(system->advice[1].offset, 8192);
  EXPECT_EQ(system->advice[1].bytes, 808);
}

TEST_F(Posix, AdviceThatFailsIsNotTaken) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  std::unique_ptr<File> f = open_or_fail(driver, file("f"));
  std::vector<int> answers = {-EINTR, 0, -EINVAL};
  system->reply_to_advice = [&answers, next = std::size_t{0}]() mutable { return answers.at(next++); };
  EXPECT_EQ(f->prefetch(kThreeRanges), 2) << "what came before the failure is";
  system->reply_to_advice = [] { return -ESPIPE; };
  EXPECT_EQ(f->prefetch(kThreeRanges), 0);
  EXPECT_EQ(f->counters().ranges_asked, 6);
  EXPECT_EQ(f->counters().ranges_taken, 2);
}

TEST_F(Posix, AFileThatCannotBeReadIsNotAdvised) {
  constexpr OpenMode kWriteNew = {.read = false, .write = true, .create = true};
  EXPECT_FALSE(open_or_fail(driver_, file("f"), kWriteNew)->capabilities().prefetches);
}

TEST_F(Posix, ErrorsOfTheOtherCallsAreReported) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  std::unique_ptr<File> f = open_or_fail(driver, file("f"));
  system->reply_to_fsync = [] { return -EIO; };
  system->reply_to_ftruncate = [] { return -EFBIG; };
  system->reply_to_fallocate = [] { return -EDQUOT; };
  system->reply_to_close = [] { return -ENOSPC; };
  EXPECT_EQ(f->sync().error_class(), ErrorClass::kIo);
  EXPECT_EQ(f->resize(1).error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(f->preallocate(1).error_class(), ErrorClass::kQuota);
  Status closed = f->close();
  EXPECT_EQ(closed.error_class(), ErrorClass::kNoSpace);
  EXPECT_THAT(closed.text(), HasSubstr(file("f")));
  EXPECT_EQ(f->close().error_class(), ErrorClass::kFile) << "closed in any case";
}

TEST_F(Posix, LocksAreRepeatedWhenInterruptedAndLeaveNothingWhenTheyFail) {
  auto system = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver(system);
  std::unique_ptr<File> f = open_or_fail(driver, file("f"));
  system->reply_to_lock = [calls = 0]() mutable { return ++calls < 3 ? -EINTR : 0; };
  EXPECT_TRUE(f->lock({0, 10}, LockKind::kExclusive).ok());
  system->reply_to_lock = [] { return -ENOLCK; };
  EXPECT_EQ(f->lock({0, 10}, LockKind::kExclusive).status().error_class(), ErrorClass::kIo);
  system->reply_to_lock = nullptr;
  EXPECT_TRUE(f->lock({0, 10}, LockKind::kExclusive).ok());
}

TEST_F(Posix, PermissionsOfANewFileAreAsAsked) {
  OpenMode only_mine = kCreate;
  only_mine.permissions = 0600;
  open_or_fail(driver_, file("f"), only_mine);
  struct stat attributes = {};
  ASSERT_EQ(::stat(file("f").c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 0777, 0600u);
}

TEST_F(Posix, StorageNamesTheFileSystem) {
  std::unique_ptr<File> f = open_or_fail(driver_, file("f"));
  StorageLayout storage = f->storage();
  EXPECT_EQ(storage.file_system, mount_of(file("f")).value().type);
  struct stat attributes = {};
  ASSERT_EQ(::stat(file("f").c_str(), &attributes), 0);
  EXPECT_EQ(storage.lock_bytes, attributes.st_blksize);

  SmallFileSystem small(file("mnt"), "size=64k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  StorageLayout other = open_or_fail(driver_, small.file("f"))->storage();
  EXPECT_EQ(other.file_system, "tmpfs");
  EXPECT_FALSE(other.network);
  EXPECT_EQ(other.stripe_bytes, 0);
  MountEntry mount = mount_of(small.file("not/yet/there")).value();
  EXPECT_EQ(mount.mount_point, file("mnt"));
  EXPECT_EQ(mount.source, "weir-test");
}

}  // namespace
}  // namespace weir::driver

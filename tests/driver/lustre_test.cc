// Lustre, from its layouts byte by byte to the files of a driver that believes to be on it.
#include <sys/ioctl.h>

#include <cstring>

#include "driver/lustre_bytes.h"
#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"
#include "driver/systems/file_system.h"
#include "driver/systems/lustre_layout.h"

namespace weir::driver {
namespace {

using lustre_bytes::Component;
using lustre_bytes::composite_layout;
using lustre_bytes::plain_layout;

Striping parse(const std::string& bytes) { return parse_lustre_layout(std::as_bytes(std::span(bytes))); }

TEST(LustreLayout, PlainOnes) {
  EXPECT_EQ(parse(plain_layout({})), (Striping{1 << 20, 4, 17}));
  EXPECT_EQ(parse(plain_layout({.magic = 0x0BD30BD0, .unit = 65536, .servers = 2000, .objects = 2000})),
            (Striping{65536, 2000, 17}))
      << "with the name of a pool before the objects";
  EXPECT_EQ(parse(plain_layout({.servers = 0xFFFF, .objects = 0})), (Striping{1 << 20, 0, -1})) << "all, but how many?";
  EXPECT_EQ(parse(plain_layout({.unit = 0xC0000000})).unit_bytes, 3LL << 30);
}

TEST(LustreLayout, CompositeOnesAreAsWideAsTheirWidestComponent) {
  const Component small = {{.servers = 1, .objects = 1, .first = 3}};
  const Component later = {{.unit = 4 << 20, .servers = 16, .objects = 0}, 0};
  const Component on_metadata_server = {{.servers = 0, .objects = 0}};
  const Component room = {{.unit = 64 << 20, .servers = 99, .objects = 0}, 0x40};
  EXPECT_EQ(parse(composite_layout({small, later})), (Striping{4 << 20, 16, -1}));
  EXPECT_EQ(parse(composite_layout({later, small})), (Striping{4 << 20, 16, -1}));
  EXPECT_EQ(parse(composite_layout({on_metadata_server, small})), (Striping{1 << 20, 1, 3}));
  EXPECT_EQ(parse(composite_layout({small, room})), (Striping{1 << 20, 1, 3})) << "an extension is no component";
  EXPECT_EQ(parse(composite_layout({})), Striping());
  EXPECT_EQ(parse(composite_layout({small, later, small, later})), (Striping{4 << 20, 16, -1})) << "mirrors";
}

// Cut at every byte, and with every byte changed: never read beyond the end (run under a sanitizer), never a striping
// with a number but no unit.
TEST(LustreLayout, DamagedOnesAreNoLayouts) {
  const std::string whole = composite_layout({{{.objects = 2}}, {{.magic = 0x0BD30BD0, .objects = 1}}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const std::string exact(cut.begin(), cut.end());
    EXPECT_EQ(parse(exact), Striping()) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int value : {0x00, 0x7F, 0xFF}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      const Striping found = parse(damaged);
      EXPECT_TRUE(found.unit_bytes > 0 || found == Striping()) << at;
    }
  }
  EXPECT_EQ(parse(std::string(32, '\0')), Striping());
  EXPECT_EQ(parse(plain_layout({.magic = 0x0BD70BD0})), Striping()) << "a foreign layout";
  EXPECT_EQ(parse(plain_layout({.unit = 0})), Striping());
}

TEST(LustreLayout, RequestsHaveEveryByteInItsPlace) {
  const auto text = [](const Striping& striping) {
    const LustreRequest request = lustre_request(striping);
    return std::string(reinterpret_cast<const char*>(request.data()), request.size());
  };
  std::string expected("\xD0\x0B\xD1\x0B\x01\0\0\0", 8);
  expected += std::string(16, '\0') + std::string("\0\0\x20\0\x10\0\x05\0", 8);
  EXPECT_EQ(text({2 << 20, 16, 5}), expected);
  EXPECT_EQ(text({}).substr(24), std::string("\0\0\0\0\0\0\xFF\xFF", 8)) << "all left to the file system";
  EXPECT_EQ(text({.first_server = 0}).substr(30), std::string(2, '\0'));
}

constexpr int kDelayCreate = 0100000000 | O_NOCTTY | O_ASYNC;

class Lustre : public testing::Test {
 protected:
  Lustre() {
    system_->mounted = MountEntry();
    system_->mounted->type = "lustre";
    system_->reply_to_ioctl = [this](int, unsigned long request, void* argument) { return answer(request, argument); };
  }

  // A client that keeps what it is told.
  int answer(unsigned long request, void* argument) {
    if (request == _IOR('f', 168, long)) return *static_cast<int*>(argument) = servers_, 0;
    if (request == _IOW('f', 155, long)) {
      if (ioctl_layout_.empty()) return -ENODATA;
      std::memcpy(argument, ioctl_layout_.data(), ioctl_layout_.size());
      return 0;
    }
    EXPECT_EQ(request, _IOW('f', 154, long));
    ++requests_;
    if (refusal_ != 0) return refusal_;
    const Striping asked = parse_lustre_layout({static_cast<const std::byte*>(argument), 32});
    const auto* bytes = static_cast<const unsigned char*>(argument);
    asked_servers_ = bytes[28] + 256 * bytes[29];
    asked_first_ = bytes[30] + 256 * bytes[31];
    const std::uint64_t unit = asked.unit_bytes > 0 ? static_cast<std::uint64_t>(asked.unit_bytes) : 1 << 20;
    const auto servers = static_cast<std::uint64_t>(asked_servers_ > 0 ? asked_servers_ : 1);
    system_->attributes["lustre.lov"] =
        plain_layout({.unit = unit,
                      .servers = servers,
                      .objects = servers,
                      .first = asked_first_ == 0xFFFF ? 9 : static_cast<std::uint64_t>(asked_first_)});
    return 0;
  }

  std::unique_ptr<File> create(const StripingWish& wish) {
    OpenMode mode = kCreateNew;
    mode.striping = wish;
    return open_or_fail(driver_, folder_.file("f"), mode);
  }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
  int servers_ = 0;
  int refusal_ = 0;
  int requests_ = 0;
  int asked_servers_ = -1;
  int asked_first_ = -1;
  std::string ioctl_layout_;
};

TEST_F(Lustre, TheLayoutComesFromTheAttributeOrTheIoctl) {
  system_->attributes["lustre.lov"] = plain_layout({});
  StorageLayout storage = open_or_fail(driver_, folder_.file("f"))->storage();
  EXPECT_EQ(storage.driver, "lustre");
  EXPECT_TRUE(storage.network);
  EXPECT_EQ(storage.stripe_bytes, 1 << 20);
  EXPECT_EQ(storage.stripe_count, 4);
  EXPECT_EQ(storage.first_server, 17);
  EXPECT_EQ(storage.lock_protocol, LockProtocol::kServer);

  system_->attributes.clear();
  ioctl_layout_ = plain_layout({.servers = 8, .objects = 8});
  EXPECT_EQ(open_or_fail(driver_, folder_.file("f"))->storage().stripe_count, 8);
}

TEST_F(Lustre, WithoutALayoutNothingIsBuiltOnItsLocks) {
  const StorageLayout unknown = open_or_fail(driver_, folder_.file("f"))->storage();
  EXPECT_EQ(unknown.lock_protocol, LockProtocol::kNone);
  EXPECT_EQ(unknown.stripe_count, 1);
  EXPECT_EQ(unknown.stripe_bytes, 0);

  system_->attributes["lustre.lov"] = plain_layout({.unit = 4 << 20, .servers = 0xFFFF, .objects = 0});
  const StorageLayout unsettled = open_or_fail(driver_, folder_.file("f"))->storage();
  EXPECT_EQ(unsettled.lock_protocol, LockProtocol::kNone);
  EXPECT_EQ(unsettled.stripe_bytes, 4 << 20) << "the unit is known all the same";
}

TEST_F(Lustre, HintsAreSetBeforeTheFileHasObjects) {
  auto file = create({{4 << 20, 16, 5}, {8, 2}, true});
  EXPECT_EQ(system_->open_flags.back() & kDelayCreate, kDelayCreate);
  EXPECT_EQ(requests_, 1);
  EXPECT_EQ(asked_servers_, 16);
  EXPECT_EQ(asked_first_, 5);
  const StorageLayout storage = file->storage();
  EXPECT_EQ(storage.stripe_bytes, 4 << 20);
  EXPECT_EQ(storage.stripe_count, 16);
  EXPECT_EQ(storage.first_server, 5);
  EXPECT_EQ(storage.striping_refused, "");
  write_or_fail(*file, 0, pattern(5000));
  EXPECT_EQ(read_at(*file, 0, 5000), pattern(5000));
}

TEST_F(Lustre, ARefusedStripingIsToldAndTheFileIsGood) {
  for (int refusal : {-EINVAL, -EPERM, -ENOSPC, -EEXIST, -ENOTTY}) {
    refusal_ = refusal;
    auto file = create({{4 << 20, 16, -1}, {8, 2}, true});
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(system_->open_flags.back() & (O_CREAT | O_EXCL | 0100000000), 0) << "opened again, with objects";
    EXPECT_NE(file->storage().striping_refused, "");
    write_or_fail(*file, 0, pattern(5000));
    EXPECT_EQ(read_at(*file, 0, 5000), pattern(5000));
    ASSERT_TRUE(driver_.remove(folder_.file("f")).ok());
  }
}

TEST_F(Lustre, NumbersTooLargeForARequestAreRefused) {
  for (const Striping& large :
       {Striping{4LL << 30, 4, -1}, {1 << 20, 0xFFFF, -1}, {1 << 20, 65536, -1}, {1 << 20, 4, 0xFFFF}}) {
    auto file = create({large, {8, 2}, true});
    EXPECT_EQ(requests_, 0) << "cut off, they would ask for something else";
    EXPECT_NE(file->storage().striping_refused, "");
    ASSERT_TRUE(driver_.remove(folder_.file("f")).ok());
  }
  create({{(4LL << 30) - 65536, 0xFFFE, 0xFFFE}, {8, 2}, true});
  EXPECT_EQ(requests_, 1);
  EXPECT_EQ(asked_servers_, 0xFFFE);
}

TEST_F(Lustre, ADirectoryThatCannotBeAskedIsTold) {
  system_->reply_to_open = [](int flags) { return (flags & O_DIRECTORY) != 0 ? -EACCES : 0; };
  auto file = create({{.servers = 2}, {8, 2}, true});
  EXPECT_EQ(requests_, 0);
  EXPECT_NE(file->storage().striping_refused.find("EACCES"), std::string::npos);
}

TEST_F(Lustre, AFileThatCannotBeOpenedAgainLeavesNothing) {
  refusal_ = -EINVAL;
  system_->reply_to_open = [](int flags) { return (flags & (O_CREAT | O_DIRECTORY)) == 0 ? -EMFILE : 0; };
  OpenMode mode = kCreateNew;
  mode.striping.asked.servers = 2;
  EXPECT_FALSE(driver_.open(folder_.file("f"), mode, nullptr).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.file("f")));
}

TEST_F(Lustre, ManyRanksGetAsManyServersAsPay) {
  servers_ = 144;
  EXPECT_EQ(create({{}, {64, 16}, true})->storage().stripe_count, 16);
  EXPECT_EQ(asked_first_, 0xFFFF) << "which ones is the file system's business";
}

TEST_F(Lustre, WhatADirectoryHasIsKept) {
  system_->attributes["lustre.lov"] = plain_layout({.servers = 2, .objects = 2});
  EXPECT_EQ(create({{}, {64, 16}, true})->storage().stripe_count, 2);
  EXPECT_EQ(requests_, 0);
}

TEST_F(Lustre, NothingIsChosenForOneRankOrAgainstTheUsersWill) {
  create({{}, {1, 1}, true});
  ASSERT_TRUE(driver_.remove(folder_.file("f")).ok());
  create({{}, {64, 16}, false});
  EXPECT_EQ(requests_, 0);
}

TEST_F(Lustre, AFileThatIsThereKeepsItsStriping) {
  system_->attributes["lustre.lov"] = plain_layout({});
  open_or_fail(driver_, folder_.file("f"));
  OpenMode mode = kCreate;
  mode.striping.asked.servers = 99;
  system_->reply_to_open = [](int flags) { return (flags & O_CREAT) != 0 ? -EEXIST : 0; };
  const StorageLayout storage = open_or_fail(driver_, folder_.file("f"), mode)->storage();
  EXPECT_EQ(storage.stripe_count, 4);
  EXPECT_EQ(storage.striping_refused, "the file was there before");
  EXPECT_EQ(requests_, 0);
}

TEST_F(Lustre, WantingNothingKnownAsksNothing) {
  system_->attributes["lustre.lov"] = plain_layout({});
  OpenMode mode = kCreate;
  mode.forced = &kPlain;
  mode.striping = {{}, {64, 16}, true};
  const StorageLayout storage = open_or_fail(driver_, folder_.file("f"), mode)->storage();
  EXPECT_EQ(storage.driver, "ufs");
  EXPECT_EQ(storage.stripe_bytes, 0);
  EXPECT_EQ(storage.lock_protocol, LockProtocol::kNone);
  EXPECT_TRUE(storage.network) << "that is so whatever the driver";
}

}  // namespace
}  // namespace weir::driver

#include "exec/file/storage_hints.h"

#include <gmock/gmock.h>

#include "driver/posix.h"
#include "driver/support.h"
#include "driver/systems/registry.h"
#include "exec/collective_combination.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using hints::Id;
using testing::HasSubstr;

OpenArguments arguments(const hints::Pairs& pairs, const std::string& prefix = {}) {
  OpenArguments made{"f", kCreateMode, Combination{pairs, 0}.hint_set()};
  made.prefix = prefix;
  return made;
}

driver::StorageLayout striped() {
  driver::StorageLayout storage;
  storage.stripe_bytes = 1 << 20;
  storage.stripe_count = 4;
  storage.first_server = 2;
  storage.file_system = "lustre";
  storage.driver = "lustre";
  return storage;
}

TEST(StorageHints, WishesAreAsTheHintsAre) {
  comm::run_tested_ranks(6, 3, [](comm::ThreadComm& channel) {
    driver::OpenMode mode;
    wish_storage(arguments({}), channel, mode);
    EXPECT_EQ(mode.forced, nullptr);
    EXPECT_TRUE(mode.striping.automatic());
    EXPECT_EQ(mode.striping.sharers.ranks, 6);
    EXPECT_EQ(mode.striping.sharers.nodes, 2);

    driver::OpenMode keep;
    wish_storage(arguments({{"weir_striping", "keep"}}), channel, keep);
    EXPECT_FALSE(keep.striping.wants_anything());

    driver::OpenMode all;
    wish_storage(arguments({{"striping_unit", "64k"}, {"striping_factor", "8"}, {"start_iodevice", "0"}}), channel,
                 all);
    EXPECT_EQ(all.striping.asked, (driver::Striping{65536, 8, 0}));

    driver::OpenMode prefixed;
    wish_storage(arguments({}, "ufs"), channel, prefixed);
    EXPECT_EQ(prefixed.forced, &driver::kPlain);
    wish_storage(arguments({{"weir_driver", "ceph"}}, "ufs"), channel, prefixed);
    EXPECT_EQ(prefixed.forced, &driver::kCeph) << "the hint wins";
    wish_storage(arguments({}, "panfs"), channel, prefixed);
    EXPECT_EQ(prefixed.forced, nullptr);
  });
}

TEST(StorageHints, SettledOnesSayWhatIsThere) {
  hints::HintSet hints = arguments({{"striping_factor", "8"}, {"start_iodevice", "1"}}).hints;
  settle_striping(hints, {1 << 20, 4, -1});
  EXPECT_EQ(hints.text(Id::kStripingFactor), "4");
  EXPECT_EQ(hints.text(Id::kStripingUnit), "1048576");
  EXPECT_EQ(hints.text(Id::kStartIodevice), "") << "not known";
  settle_striping(hints, {});
  EXPECT_FALSE(hints.has(Id::kStripingFactor));
}

TEST(StorageHints, OnlyWhatCameOtherwiseIsTold) {
  EXPECT_TRUE(unfulfilled_wishes(arguments({}), striped()).empty());
  EXPECT_TRUE(unfulfilled_wishes(
                  arguments({{"striping_factor", "4"}, {"striping_unit", "1m"}, {"start_iodevice", "2"}}), striped())
                  .empty());
  driver::StorageLayout refused = striped();
  refused.striping_refused = "EINVAL, it said";
  const hints::Changes changes = unfulfilled_wishes(arguments({{"striping_factor", "9"}}), refused);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(hints::sentence(changes[0]), "hint striping_factor=9: adjusted, 4 used: EINVAL, it said");
  const hints::Changes none = unfulfilled_wishes(arguments({{"striping_unit", "9"}}), {});
  ASSERT_EQ(none.size(), 1U);
  EXPECT_THAT(hints::sentence(none[0]), HasSubstr("none known"));
}

TEST(StorageHints, ADriverThatDoesNotServeIsTold) {
  EXPECT_TRUE(unfulfilled_wishes(arguments({{"weir_driver", "lustre"}}), striped()).empty());
  EXPECT_TRUE(unfulfilled_wishes(arguments({}, "lustre"), striped()).empty());
  const hints::Changes wrong = unfulfilled_wishes(arguments({}, "ceph"), striped());
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(
      hints::sentence(wrong[0]),
      "hint weir_driver=ceph: adjusted, that is for other file systems; the file is on lustre, which driver lustre "
      "serves");
  EXPECT_THAT(hints::sentence(unfulfilled_wishes(arguments({}, "panfs"), striped()).at(0)),
              HasSubstr("no such driver"));
}

// All ranks of a file see the same, also those who leave it to others; rank 0 tells.
TEST(StorageHints, AFileShowsItsStripingToAllRanks) {
  driver::MemoryOptions options;
  options.storage = striped();
  options.storage.network = true;
  driver::MemoryDriver driver(options);
  run_file_ranks(4, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", arguments({{"striping_factor", "16"}}).hints);
    EXPECT_EQ(file->hints().text(Id::kStripingFactor), "4");
    EXPECT_EQ(file->hints().text(Id::kStripingUnit), "1048576");
    EXPECT_EQ(file->hints().text(Id::kStartIodevice), "2");
    const trace::FileReport report = file->report().value();
    if (rank.number() == 0) {
      EXPECT_EQ(report.servers, 4);
      EXPECT_EQ(report.stripe_bytes, 1 << 20);
      ASSERT_EQ(report.hints_not_followed.size(), 1U);
      EXPECT_EQ(report.hints_not_followed[0].key, "striping_factor");
    }
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(StorageHints, AFileForcedOntoTheWrongDriverIsRight) {
  driver::TemporaryFolder folder;
  driver::PosixDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    const auto pairs = hints::Pairs{{"weir_driver", "lustre"}, {"striping_factor", "4"}};
    auto file = rank.open(driver, kCreateMode, folder.file("f"), arguments(pairs).hints);
    EXPECT_TRUE(file->set_size(1000).ok());
    EXPECT_EQ(file->size().value(), 1000);
    const trace::FileReport report = file->report().value();
    const driver::FileSystem& here = driver::file_system_of(driver::mount_of(folder.path()).value());
    if (rank.number() == 0 && here.create == nullptr) {
      EXPECT_EQ(report.driver, here.name);
      EXPECT_EQ(report.hints_not_followed.size(), 2U);
    }
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec

// A file that is opened when it is first touched.
#include "driver/deferred_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "driver/fault.h"
#include "driver/memory.h"

namespace weir::driver {
namespace {

constexpr OpenMode kMode = {.read = true, .write = true, .create = true};

class Deferred : public testing::Test {
 protected:
  Deferred() : first_(driver_.open("f", kMode, nullptr).value()) { EXPECT_TRUE(first_->resize(100).ok()); }

  std::unique_ptr<DeferredFile> defer() {
    return std::make_unique<DeferredFile>(
        DeferredFile::Known{"f", first_->identity(), first_->capabilities(), first_->storage()}, [this] {
          ++opens_;
          return driver_.open("f", {.read = true, .write = true}, nullptr);
        });
  }

  MemoryDriver driver_;
  std::unique_ptr<File> first_;
  int opens_ = 0;
};

TEST_F(Deferred, WhoNeverTouchesTheFileNeverOpensIt) {
  const auto file = defer();
  EXPECT_TRUE(file->sync().ok());
  EXPECT_EQ(file->counters(), IoCounters());
  EXPECT_TRUE(file->capabilities().locks);
  EXPECT_EQ(file->storage().file_system, "memory");
  file->release({});
  EXPECT_TRUE(file->close().ok());
  EXPECT_EQ(opens_, 0);
}

TEST_F(Deferred, EveryTouchOpensItOnce) {
  std::byte byte{7};
  const IoRequest request{50, &byte, 1};
  const std::vector<std::function<Status(File&)>> touches = {
      [&](File& file) { return file.transfer(Direction::kWrite, std::span(&request, 1)).status; },
      [&](File& file) { return file.transfer(Direction::kRead, std::span(&request, 1)).status; },
      [](File& file) { return file.size().status(); },
      [](File& file) { return file.resize(60); },
      [](File& file) { return file.preallocate(70); },
      [](File& file) {
        return file.lock({0, 10}, LockKind::kShared).status();
      },
  };
  for (const auto& touch : touches) {
    const auto file = defer();
    opens_ = 0;
    EXPECT_TRUE(touch(*file).ok());
    EXPECT_TRUE(touch(*file).ok());
    EXPECT_EQ(opens_, 1);
    EXPECT_TRUE(file->close().ok());
  }
  EXPECT_EQ(first_->size().value(), 70);
}

TEST_F(Deferred, SeveralThreadsOpenItOnce) {
  const auto file = defer();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(file->size().value(), 100); });
  }
  EXPECT_EQ(opens_, 1);
}

TEST_F(Deferred, AnOpenThatFailsIsTheCallsFailureAndIsTriedAgain) {
  FaultDriver faulty(driver_, {{{.operation = Operation::kOpen, .error_number = EMFILE}}});
  DeferredFile file({"f", first_->identity()}, [&] { return faulty.open("f", kMode, nullptr); });
  EXPECT_FALSE(file.size().ok());
  EXPECT_EQ(file.size().value(), 100);
}

TEST_F(Deferred, AnotherFileOfTheSameNameIsNotUsed) {
  const auto file = defer();
  EXPECT_TRUE(driver_.remove("f").ok());
  EXPECT_EQ(file->size().status().error_class(), ErrorClass::kNoSuchFile);
  const auto other = driver_.open("f", kMode, nullptr);
  std::byte byte{1};
  const IoRequest request{0, &byte, 1};
  const IoOutcome outcome = file->transfer(Direction::kWrite, std::span(&request, 1));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSuchFile);
  EXPECT_NE(outcome.status.text().find("another file"), std::string::npos) << outcome.status.text();
  EXPECT_EQ(other.value()->size().value(), 0);
}

}  // namespace
}  // namespace weir::driver

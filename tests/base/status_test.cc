#include "base/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Status, DefaultIsSuccess) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.error_class(), ErrorClass::kOk);
  EXPECT_EQ(status.text(), "");
}

TEST(Status, FailureKeepsClassAndText) {
  const Status status(ErrorClass::kNotSame, "views differ");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.error_class(), ErrorClass::kNotSame);
  EXPECT_EQ(status.text(), "views differ");
}

TEST(Status, CopiesAreEqualInContent) {
  const Status status(ErrorClass::kIo, "lost");
  const Status copy = status;
  EXPECT_EQ(copy.error_class(), ErrorClass::kIo);
  EXPECT_EQ(copy.text(), "lost");
}

TEST(Status, OrElseKeepsTheFirstFailure) {
  const Status first(ErrorClass::kNoSpace, "first");
  const Status second(ErrorClass::kIo, "second");
  EXPECT_EQ(Status(first).or_else(second).text(), "first");
  EXPECT_EQ(Status(first).or_else(Status()).text(), "first");
  EXPECT_EQ(Status().or_else(second).text(), "second");
  EXPECT_TRUE(Status().or_else(Status()).ok());
}

TEST(Status, FromErrnoSaysWhatWhereAndWhy) {
  const Status status = Status::from_errno(ENOSPC, "write", "/data/out.h5", 4096);
  EXPECT_EQ(status.error_class(), ErrorClass::kNoSpace);
  EXPECT_THAT(status.text(), HasSubstr("write"));
  EXPECT_THAT(status.text(), HasSubstr("/data/out.h5"));
  EXPECT_THAT(status.text(), HasSubstr("4096"));
  EXPECT_THAT(status.text(), HasSubstr("ENOSPC"));
}

TEST(Status, FromErrnoLeavesOutAnUnknownOffset) {
  EXPECT_THAT(Status::from_errno(EIO, "open", "f").text(), Not(HasSubstr("offset")));
  EXPECT_THAT(Status::from_errno(EIO, "read", "f", 0).text(), HasSubstr("offset 0"));
}

TEST(Status, FromErrnoShowsTheNumberOfAnUnknownErrno) {
  const Status status = Status::from_errno(9999, "read", "f");
  EXPECT_EQ(status.error_class(), ErrorClass::kIo);
  EXPECT_THAT(status.text(), HasSubstr("9999"));
}

TEST(ClassOfErrno, FollowsTheStandard) {
  EXPECT_EQ(class_of_errno(ENOENT), ErrorClass::kNoSuchFile);
  EXPECT_EQ(class_of_errno(EEXIST), ErrorClass::kFileExists);
  EXPECT_EQ(class_of_errno(EACCES), ErrorClass::kAccess);
  EXPECT_EQ(class_of_errno(EROFS), ErrorClass::kReadOnly);
  EXPECT_EQ(class_of_errno(EDQUOT), ErrorClass::kQuota);
  EXPECT_EQ(class_of_errno(ENOSPC), ErrorClass::kNoSpace);
  EXPECT_EQ(class_of_errno(ENAMETOOLONG), ErrorClass::kBadFile);
  EXPECT_EQ(class_of_errno(EIO), ErrorClass::kIo);
}

TEST(ErrorClassName, EveryClassHasItsOwn) {
  std::set<std::string> names;
  const int last = static_cast<int>(ErrorClass::kUnsupportedOperation);
  for (int i = 0; i <= last; ++i) {
    const std::string text = name(static_cast<ErrorClass>(i));
    EXPECT_THAT(text, StartsWith("MPI_"));
    EXPECT_NE(text, "MPI_ERR_UNKNOWN");
    EXPECT_TRUE(names.insert(text).second) << text << " names two classes";
  }
}

Result<int> half(int number) {
  if (number % 2 != 0) return Status(ErrorClass::kArgument, "odd");
  return number / 2;
}

TEST(Result, HoldsAValueOrAFailure) {
  const auto good = half(8);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good.value(), 4);
  EXPECT_TRUE(good.status().ok());

  const auto bad = half(7);
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().error_class(), ErrorClass::kArgument);
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 5);
}

TEST(Result, ValueCanBeChangedInPlace) {
  Result<std::vector<int>> result(std::vector<int>{1});
  result.value().push_back(2);
  EXPECT_EQ(result.value().size(), 2u);
}

}  // namespace
}  // namespace weir

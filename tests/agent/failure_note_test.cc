#include "agent/failure_note.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace weir::agent {
namespace {

using Audience = FailureNote::Audience;

TEST(FailureNote, IsTakenOnceByEachAudience) {
  const auto note = std::make_unique<FailureNote>();
  EXPECT_TRUE(note->take(Audience::kNextCall, {}).ok());
  note->write({ErrorClass::kNoSpace, "no room"}, {});
  for (const Audience audience : {Audience::kAllRanks, Audience::kNextCall}) {
    const Status taken = note->take(audience, {});
    EXPECT_EQ(taken.error_class(), ErrorClass::kNoSpace);
    EXPECT_EQ(taken.text(), "no room");
    EXPECT_TRUE(note->take(audience, {}).ok());
  }
}

TEST(FailureNote, TheFirstFailureIsTold) {
  const auto note = std::make_unique<FailureNote>();
  note->write({ErrorClass::kNoSpace, "first"}, {});
  note->write({ErrorClass::kIo, "second"}, {});
  EXPECT_EQ(note->take(Audience::kNextCall, {}).text(), "first");
  EXPECT_EQ(note->take(Audience::kAllRanks, {}).text(), "first");
  note->write({ErrorClass::kIo, "third"}, {});
  EXPECT_EQ(note->take(Audience::kNextCall, {}).text(), "third");
}

TEST(FailureNote, LongTextsAreCut) {
  const auto note = std::make_unique<FailureNote>();
  note->write({ErrorClass::kIo, std::string(5000, 'x')}, {});
  const Status taken = note->take(Audience::kNextCall, {});
  EXPECT_EQ(taken.text(), std::string(511, 'x'));
}

}  // namespace
}  // namespace weir::agent

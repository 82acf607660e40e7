#include "hints/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace weir::hints {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMiB = 1 << 20;

Parsed bytes(std::string_view given) { return parse(row(Id::kCbBufferSize), given); }
Parsed count(std::string_view given) { return parse(row(Id::kWeirPipelineDepth), given); }

TEST(ParseBytes, TakesUnitsAsPowersOf1024) {
  for (const char* given : {"1048576", "1024k", "1024K", "1024kb", "1024KiB", "1m", "1M", "1MB", "1MiB", "1 m", "+1m",
                            " 1m\t", "1048576b"}) {
    const Parsed parsed = bytes(given);
    EXPECT_EQ(parsed.reading, Reading::kGood) << given;
    EXPECT_EQ(parsed.value, (Value{"1048576", kMiB})) << given;
    EXPECT_EQ(parsed.note, "") << given;
  }
  EXPECT_EQ(bytes("2g").value.number, 2048 * kMiB);
}

TEST(ParseBytes, TooLargeBecomesTheLargest) {
  const std::int64_t most = row(Id::kCbBufferSize).most;
  for (const char* given : {"1t", "65g", "99999999999", "9223372036854775807", "9223372036854775808",
                            "99999999999999999999999999", "9223372036854775807t"}) {
    const Parsed parsed = bytes(given);
    EXPECT_EQ(parsed.reading, Reading::kAdjusted) << given;
    EXPECT_EQ(parsed.value, (Value{std::to_string(most), most})) << given;
    EXPECT_THAT(parsed.note, HasSubstr("more than")) << given;
  }
  EXPECT_EQ(bytes(std::to_string(most)).reading, Reading::kGood);
}

TEST(ParseBytes, TooSmallBecomesTheDefault) {
  for (const char* given : {"0", "-1", "-5k", "-99999999999999999999999"}) {
    const Parsed parsed = bytes(given);
    EXPECT_EQ(parsed.reading, Reading::kAdjusted) << given;
    EXPECT_EQ(parsed.value, default_value(row(Id::kCbBufferSize))) << given;
    EXPECT_THAT(parsed.note, HasSubstr("16777216 is used")) << given;
  }
}

TEST(ParseBytes, TooSmallWithoutADefaultLeavesItToWeir) {
  const Parsed parsed = parse(row(Id::kCbNodes), "-1");
  EXPECT_EQ(parsed.reading, Reading::kAdjusted);
  EXPECT_EQ(parsed.value, Value{});
  EXPECT_THAT(parsed.note, HasSubstr("weir decides"));
}

TEST(ParseBytes, RefusesGarbage) {
  for (const char* given : {"", " ", "x", "k", "1x", "1kk", "1.5m", "0x10", "1e6", "--1", "+-1", "+", "-", "1 2",
                            "1,000", "\xff\xfe", "m1", "1bk"}) {
    const Parsed parsed = bytes(given);
    EXPECT_EQ(parsed.reading, Reading::kBad) << given;
    EXPECT_EQ(parsed.value, Value{}) << given;
    EXPECT_THAT(parsed.note, HasSubstr("1 to 68719476736 bytes")) << given;
  }
}

TEST(ParseCount, TakesNoUnits) {
  EXPECT_EQ(count("3").value, (Value{"3", 3}));
  EXPECT_EQ(count("003").value, (Value{"3", 3}));
  EXPECT_EQ(count("1k").reading, Reading::kBad);
  EXPECT_EQ(count("65").value, (Value{"64", 64}));
}

TEST(ParseOctal, TakesPermissions) {
  for (const char* given : {"640", "0640", "0o640", " 640 "}) {
    EXPECT_EQ(parse(row(Id::kFilePerm), given).value, (Value{"640", 0640})) << given;
  }
}

TEST(ParseOctal, RefusesRatherThanGuessesPermissions) {
  for (const char* given : {"", "0", "888", "1777", "100644", "-1", "rw-r--r--", "64x", "0x1a4"}) {
    EXPECT_EQ(parse(row(Id::kFilePerm), given).reading, Reading::kBad) << given;
  }
}

TEST(ParseBoolean, TakesTheUsualWords) {
  const Row& boolean = row(Id::kCollectiveBuffering);
  for (const char* given : {"true", "TRUE", "yes", "on", "1", "enable"}) {
    EXPECT_EQ(parse(boolean, given).value, (Value{"true", 1})) << given;
  }
  for (const char* given : {"false", "False", "no", "off", "0", "disable"}) {
    EXPECT_EQ(parse(boolean, given).value, (Value{"false", 0})) << given;
  }
  for (const char* given : {"", "2", "truee", "t"}) {
    EXPECT_EQ(parse(boolean, given).reading, Reading::kBad) << given;
  }
}

TEST(ParseWord, TakesEitherCaseAndSynonyms) {
  const Row& toggle = row(Id::kRomioDsRead);
  EXPECT_EQ(parse(toggle, "ENABLE").value.text, "enable");
  EXPECT_EQ(parse(toggle, "true").value.text, "enable");
  EXPECT_EQ(parse(toggle, "false").value.text, "disable");
  EXPECT_EQ(parse(toggle, "auto").value.text, "automatic");
  EXPECT_EQ(parse(row(Id::kWeirSparse), "enable").value.text, "true");
  EXPECT_EQ(parse(row(Id::kWeirMethod), "automatic").value.text, "auto");
}

TEST(ParseWord, RefusesOthersAndListsItsOwn) {
  const Parsed parsed = parse(row(Id::kWeirMethod), "twophase");
  EXPECT_EQ(parsed.reading, Reading::kBad);
  EXPECT_EQ(parsed.note, "\"twophase\" is not auto, independent or two_phase");
  EXPECT_EQ(parse(row(Id::kWeirMethod), "true").reading, Reading::kBad);
  EXPECT_EQ(parse(row(Id::kWeirMethod), "auto|independent").reading, Reading::kBad);
}

TEST(ParseText, TakesWhatCanBePrinted) {
  const Row& text = row(Id::kCbConfigList);
  EXPECT_EQ(parse(text, "  n01:2,*:1 ").value.text, "n01:2,*:1");
  EXPECT_EQ(parse(text, "auto").value.text, "auto");
  EXPECT_EQ(parse(text, "").reading, Reading::kBad);
  EXPECT_EQ(parse(text, "a\nb").reading, Reading::kBad);
  EXPECT_EQ(parse(text, std::string_view("a\0b", 3)).reading, Reading::kBad);
}

TEST(Parse, AutoRestoresTheDefault) {
  EXPECT_EQ(bytes("auto").value, default_value(row(Id::kCbBufferSize)));
  EXPECT_EQ(bytes("Default").reading, Reading::kGood);
  EXPECT_EQ(parse(row(Id::kCbNodes), "automatic").value, Value{});
  EXPECT_EQ(parse(row(Id::kCbNodes), "automatic").reading, Reading::kGood);
}

TEST(InQuotes, ShortensAndCleans) {
  EXPECT_EQ(in_quotes("a\tb\x1b"), "\"a?b?\"");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace weir::hints

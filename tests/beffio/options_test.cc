#include "options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace beffio {
namespace {

constexpr int kRanks = 8;

Options parsed(const std::vector<std::string>& words) {
  auto options = parse_options(words, kRanks);
  EXPECT_TRUE(options.ok()) << options.status().text();
  return options.ok() ? std::move(options).value() : Options();
}

std::string error_of(const std::vector<std::string>& words) {
  const auto options = parse_options(words, kRanks);
  EXPECT_FALSE(options.ok()) << testing::PrintToString(words);
  return options.status().text();
}

TEST(OptionsTest, WithoutWordsEverythingIsComparable) {
  const Options options = parsed({});
  EXPECT_EQ(options.release, Release::kTwo);
  EXPECT_EQ(options.seconds, 1800);
  EXPECT_EQ(options.types.size(), 5u);
  EXPECT_EQ(options.methods.size(), 3u);
  EXPECT_EQ(options.mpart_bytes, 0);
  EXPECT_TRUE(options.partitions.empty());
  EXPECT_TRUE(options.verify);
  EXPECT_FALSE(options.sync);
}

TEST(OptionsTest, TheTimeFollowsFromTheRelease) {
  EXPECT_EQ(parsed({"--release", "1"}).seconds, 900);
  EXPECT_EQ(parsed({"--rewrite-all", "yes"}).seconds, 2700);
  EXPECT_EQ(parsed({"--time", "0.5", "--release", "1"}).seconds, 0.5);
}

TEST(OptionsTest, AllOfThem) {
  const Options options =
      parsed({"--dir",    "d",  "--partitions", "8,2", "--types", "4,0,4",     "--methods", "read,write",
              "--hints",  "h",  "--sync",       "yes", "--mpart", "4194304",   "--space",   "1000000",
              "--verify", "no", "--json",       "j",   "--quiet", "--progress"});
  EXPECT_EQ(options.directory, "d");
  EXPECT_EQ(options.partitions, (std::vector{8, 2}));
  EXPECT_EQ(options.types, (std::vector{Type::kScatter, Type::kSegmentedCollective}));
  EXPECT_EQ(options.methods, (std::vector{Method::kWrite, Method::kRead}));
  EXPECT_EQ(options.hints_path, "h");
  EXPECT_TRUE(options.sync);
  EXPECT_EQ(options.mpart_bytes, 4194304);
  EXPECT_EQ(options.space_bytes, 1000000);
  EXPECT_FALSE(options.verify);
  EXPECT_EQ(options.json_path, "j");
  EXPECT_TRUE(options.quiet);
  EXPECT_TRUE(options.progress);
  EXPECT_TRUE(parsed({"--partitions", "2", "--partitions", "auto"}).partitions.empty());
}

TEST(OptionsTest, BadWordsAreNamed) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of({"--tiem", "3"}), HasSubstr("--tiem"));
  EXPECT_THAT(error_of({"--time"}), HasSubstr("--time: 1 required SECONDS missing"));
  for (const char* word : {"0", "-1", "x", "1x", "", "nan", "inf"})
    EXPECT_THAT(error_of({"--time", word}), HasSubstr("--time"));
  EXPECT_THAT(error_of({"--release", "3"}), HasSubstr("--release: takes 1 or 2, not '3'"));
  EXPECT_THAT(error_of({"--types", "0,5"}), HasSubstr("--types: takes numbers from 0 to 4"));
  EXPECT_THAT(error_of({"--types", ""}), HasSubstr("--types"));
  EXPECT_THAT(error_of({"--methods", "read"}), HasSubstr("--methods needs write"));
  EXPECT_THAT(error_of({"--methods", "append"}), HasSubstr("write, rewrite and read"));
  EXPECT_THAT(error_of({"--partitions", "9"}), HasSubstr("from 1 to 8"));
  EXPECT_THAT(error_of({"--partitions", "0"}), HasSubstr("from 1 to 8"));
  EXPECT_THAT(error_of({"--partitions", "2,2"}), HasSubstr("twice"));
  EXPECT_THAT(error_of({"--sync", "maybe"}), HasSubstr("--sync: takes yes or no"));
  EXPECT_THAT(error_of({"--mpart", "3000000000"}), HasSubstr("2047 MB"));
  EXPECT_THAT(error_of({"--mpart", "8"}), HasSubstr("1024 to "));
}

TEST(OptionsTest, UsageNamesEveryOption) {
  for (const char* option :
       {"--release", "--time", "--dir", "--partitions", "--types", "--methods", "--hints", "--sync", "--rewrite-all",
        "--mpart", "--space", "--verify", "--json", "--quiet", "--progress"}) {
    EXPECT_THAT(usage(), testing::HasSubstr(option));
  }
}

}  // namespace
}  // namespace beffio

// What people and programs get to see: tables.cc and json.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "json.h"
#include "report_cases.h"
#include "tables.h"
#include "values.h"

namespace beffio {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TablesTest, AComparableValueIsNotMarked) {
  const std::string text = tables(comparable_report());
  EXPECT_THAT(text, HasSubstr("b_eff_io = 1000.000 MB/s on 2 ranks, T = 3600 s\n"));
  EXPECT_THAT(text, Not(HasSubstr("NOT COMPARABLE")));
}

TEST(TablesTest, SettingsAreReported) {
  Report report = comparable_report();
  for (const char* word : {"release 2.0", "T = 3600 s", "4 ranks on 2 node(s), up to 2 on one", "MPART 8 MB",
                           "/scratch", "lustre", "An MPI 1.0", "sync in the timed part: yes"}) {
    EXPECT_THAT(tables(report), HasSubstr(word));
  }
  report.partitions[2].methods[0].types[0].hints = "cb_nodes=2";
  report.partitions[2].methods[0].types[0].patterns[5].hints = "cb_nodes=3";
  EXPECT_THAT(tables(report), HasSubstr("hints of scatter at open: cb_nodes=2"));
  EXPECT_THAT(tables(report), HasSubstr("hints of scatter, 1 kB: cb_nodes=3"));
}

TEST(TablesTest, NotComparableIsMarkedBesideTheValue) {
  Report report = comparable_report();
  report.settings.seconds = 60;
  EXPECT_THAT(tables(report), HasSubstr("T = 60 s  *** NOT COMPARABLE ***\n    not comparable: T is 60 s"));
}

TEST(TablesTest, WithoutReadingThereIsNoValue) {
  Report report = comparable_report();
  for (PartitionResult& partition : report.partitions) partition.methods.pop_back();
  EXPECT_THAT(tables(report), HasSubstr("no value"));
}

TEST(JsonTest, HoldsTheWholeResult) {
  Report report = comparable_report();
  report.partitions[0].methods[0].types[2].seconds = 400;
  const auto json = nlohmann::json::parse(json_text(report));
  EXPECT_EQ(json["release"], "2.0");
  EXPECT_EQ(json["seconds"], 3600);
  EXPECT_EQ(json["comparable"], true);
  EXPECT_DOUBLE_EQ(json["value"], value_of(report).value());
  EXPECT_EQ(json["settings"]["mpart_bytes"], 8 * kMegabyte);
  EXPECT_EQ(json["settings"]["types"].size(), 5u);
  ASSERT_EQ(json["partitions"].size(), 3u);
  const auto& small = json["partitions"][0];
  EXPECT_EQ(small["name"], "small");
  EXPECT_EQ(small["ranks"], 2);
  EXPECT_DOUBLE_EQ(small["write_value"], value_of(report.partitions[0], Release::kTwo).write.value());
  const auto& type = small["methods"][0]["types"][2];
  EXPECT_EQ(small["methods"][0]["method"], "write");
  EXPECT_EQ(type["name"], "separate");
  EXPECT_DOUBLE_EQ(type["value"], 2000);
  EXPECT_EQ(type["patterns"].size(), 8u);
  const auto& pattern = type["patterns"][6];
  EXPECT_EQ(pattern["label"], "1 kB + 8 B");
  EXPECT_EQ(pattern["number"], 23);
  EXPECT_EQ(pattern["chunk_bytes"], 1032);
  EXPECT_EQ(pattern["units"], 1);
  EXPECT_DOUBLE_EQ(pattern["bandwidth"], 1000);
}

TEST(JsonTest, WhatIsNotKnownIsLeftOut) {
  Report report = comparable_report();
  for (PartitionResult& partition : report.partitions) partition.methods.pop_back();
  report.settings.methods.pop_back();
  const auto json = nlohmann::json::parse(json_text(report));
  EXPECT_FALSE(json.contains("value"));
  EXPECT_FALSE(json["partitions"][0].contains("read_value"));
  EXPECT_EQ(json["comparable"], false);
  EXPECT_EQ(json["not_comparable_because"].size(), 1u);
}

}  // namespace
}  // namespace beffio

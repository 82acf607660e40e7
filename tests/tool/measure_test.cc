// What weir doctor --measure makes of the measuring program's words.
#include "doctor/measure.h"

#include <gtest/gtest.h>

#include "model/built_in.h"
#include "model/fields.h"

namespace weir::tool::doctor {
namespace {

const model::MachineModel kUsual = model::built_in(true, LockProtocol::kNone);

TEST(Measure, TakesWhatWasFoundAndSaysHow) {
  const model::ModelFile file =
      model_of_findings("# a note\nnetwork.latency_us 2.5 measured: somehow\nmemory.copy_mb_s 5000 by copying\n",
                        kUsual)
          .value();
  EXPECT_EQ(file.machine.network.latency_us, 2.5);
  EXPECT_EQ(file.machine.memory.copy_mb_s, 5000);
  EXPECT_EQ(file.sources.at("network.latency_us"), "measured: somehow");
}

TEST(Measure, WhatWasNotFoundStaysAsBuiltInAndIsNamed) {
  const model::ModelFile file =
      model_of_findings("network.latency_us - all ranks are on one node\nnodes.count 1 nodes\n", kUsual).value();
  EXPECT_EQ(file.machine.network.latency_us, kUsual.network.latency_us);
  EXPECT_EQ(file.sources.at("network.latency_us"), "not measured: all ranks are on one node; built in");
  EXPECT_EQ(file.sources.at("memory.copy_mb_s"), "not measured: built in");
  EXPECT_EQ(file.sources.size(), model::fields().size());
}

TEST(Measure, NumbersThatCannotBeAreNotTaken) {
  for (const char* wrong : {"-1", "0", "nan", "inf", "1e300"}) {
    const model::ModelFile file =
        model_of_findings(std::string("memory.copy_mb_s ") + wrong + " somehow\n", kUsual).value();
    EXPECT_EQ(file.machine.memory.copy_mb_s, kUsual.memory.copy_mb_s) << wrong;
    EXPECT_TRUE(file.sources.at("memory.copy_mb_s").starts_with("not measured")) << wrong;
  }
}

TEST(Measure, TheModelCanBeReadAgain) {
  const model::ModelFile file =
      model_of_findings("memory.copy_mb_s 900000 fast\nstorage.call_us 0.123456 short\n", kUsual).value();
  const Result<model::ModelFile> again = model::read_model(model::write_model(file));
  ASSERT_TRUE(again.ok()) << again.status().text();
  EXPECT_EQ(again.value(), file);
}

TEST(Measure, WordsOfOthersAreNoFindings) {
  EXPECT_FALSE(model_of_findings("", kUsual).ok());
  EXPECT_FALSE(model_of_findings("mpirun was unable to start\nno.such_field 3 x\n. . .\n", kUsual).ok());
}

}  // namespace
}  // namespace weir::tool::doctor

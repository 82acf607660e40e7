// Where machine models come from: files, names, the environment.
#include "driver/machine_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace weir::driver {
namespace {

class MachineFile : public testing::Test {
 protected:
  MachineFile() {
    std::filesystem::create_directories(directory_);
    unsetenv("WEIR_MACHINE");
  }
  ~MachineFile() override {
    unsetenv("WEIR_MACHINE");
    std::filesystem::remove_all(directory_);
  }
  std::string write(const std::string& text) const {
    std::ofstream(path()) << text;
    return path();
  }
  std::string path() const { return directory_ + "/mine.json"; }

 private:
  std::string directory_ = testing::TempDir() + "weir_machine_file." + std::to_string(getpid());
};

TEST_F(MachineFile, IsFoundByNameOrPath) {
  EXPECT_EQ(find_model("theta").value().name, "theta");
  model::ModelFile mine = model::shipped_model("sp").value();
  mine.name = "mine";
  mine.machine.nodes.count = 7;
  EXPECT_EQ(find_model(write(model::write_model(mine))).value(), mine);
}

TEST_F(MachineFile, WhatIsWrongIsToldWithTheFile) {
  const Result<model::ModelFile> found = find_model(write("{\"nodes\": {}}"));
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.status().text().find(path() + ": nodes.count is missing"), std::string::npos)
      << found.status().text();
}

TEST_F(MachineFile, AnUnknownNameIsToldWithTheNearest) {
  for (const std::string word : {"teta", "/nowhere/theta.json", ""}) {
    const Result<model::ModelFile> found = find_model(word);
    ASSERT_FALSE(found.ok());
    EXPECT_NE(found.status().text().find("jaguar"), std::string::npos) << found.status().text();
  }
  EXPECT_NE(find_model("teta").status().text().find("did you mean theta?"), std::string::npos);
}

TEST_F(MachineFile, TheEnvironmentChooses) {
  setenv("WEIR_MACHINE", "mercury", 1);
  ASSERT_TRUE(chosen_model().ok());
  EXPECT_EQ(chosen_model().value()->name, "mercury");
  setenv("WEIR_MACHINE", "none_of_these", 1);
  EXPECT_FALSE(chosen_model().ok());
}

}  // namespace
}  // namespace weir::driver

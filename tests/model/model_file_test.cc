// Machine models as JSON: what is written is read again; what is wrong is named; the shipped ones are whole.
#include "model/model_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "model/built_in.h"
#include "model/fields.h"

namespace weir::model {
namespace {

using Json = nlohmann::ordered_json;

Json local() { return Json::parse(write_model(shipped_model("local").value())); }

std::string complaint(const Json& json) {
  const Result<ModelFile> read = read_model(json.dump());
  return read.ok() ? "" : read.status().text();
}

void expect_complaint(const Json& json, const std::string& words) {
  EXPECT_NE(complaint(json).find(words), std::string::npos) << complaint(json) << " lacks " << words;
}

TEST(ShippedModels, AreWholeAndSayWhereEveryNumberIsFrom) {
  EXPECT_EQ(shipped_names().size(), 6U);
  for (const std::string& name : shipped_names()) {
    const Result<ModelFile> read = shipped_model(name);
    ASSERT_TRUE(read.ok()) << name << ": " << read.status().text();
    EXPECT_EQ(read.value().name, name);
    EXPECT_FALSE(read.value().text.empty());
    for (const Field& field : fields()) {
      const std::string path = std::string(field.part) + "." + std::string(field.name);
      ASSERT_TRUE(read.value().sources.contains(path)) << name << " does not say where " << path << " is from";
      EXPECT_FALSE(read.value().sources.at(path).empty());
    }
  }
}

TEST(ShippedModels, LocalIsWhatIsBuiltInForLocalFileSystems) {
  EXPECT_EQ(shipped_model("local").value().machine, built_in(false, LockProtocol::kNone));
}

TEST(BuiltIn, ModelsArePossible) {
  for (const LockProtocol protocol : {LockProtocol::kNone, LockProtocol::kServer, LockProtocol::kToken}) {
    EXPECT_EQ(impossible(built_in(true, protocol)), "");
    EXPECT_EQ(built_in(true, protocol).locks.protocol, protocol);
  }
  EXPECT_EQ(impossible(built_in(false, LockProtocol::kNone)), "");
}

TEST(ShippedModels, AnUnknownNameIsToldWithThoseThereAre) {
  const Result<ModelFile> read = shipped_model("thetta");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().text().find("theta"), std::string::npos);
}

TEST(ModelFile, IsReadAsItWasWritten) {
  for (const std::string& name : shipped_names()) {
    const ModelFile file = shipped_model(name).value();
    EXPECT_EQ(read_model(write_model(file)).value(), file);
  }
}

TEST(ModelFile, AFieldThatIsMissingIsNamed) {
  for (const Field& field : fields()) {
    Json json = local();
    json[std::string(field.part)].erase(std::string(field.name));
    expect_complaint(json, std::string(field.part) + "." + std::string(field.name) + " is missing");
  }
  Json json = local();
  json.erase("memory");
  expect_complaint(json, "memory.copy_mb_s is missing");
}

TEST(ModelFile, AFieldOfAnotherKindIsNamed) {
  for (const Field& field : fields()) {
    for (const Json& value : {Json(nullptr), Json(Json::array()), Json("many"), Json(-1), Json(1e300)}) {
      Json json = local();
      json[std::string(field.part)][std::string(field.name)] = value;
      expect_complaint(json, std::string(field.part) + "." + std::string(field.name) + " is ");
    }
  }
  Json json = local();
  json["storage"]["servers"] = 1.5;
  expect_complaint(json, "storage.servers is 1.5, but has to be a whole number");
}

TEST(ModelFile, AnUnknownFieldIsNamedWithTheOneThatWasProbablyMeant) {
  Json json = local();
  json["netwrk"] = Json::object();
  expect_complaint(json, "unknown field netwrk (did you mean network?)");
  json = local();
  json["network"]["latency"] = 3;
  expect_complaint(json, "unknown field network.latency (did you mean latency_us?)");
  json = local();
  json["sources"]["network.latency"] = "guessed";
  expect_complaint(json, "network.latency_us");
  json = local();
  json["memory"] = 7;
  expect_complaint(json, "memory has to be an object");
}

TEST(ModelFile, SourcesAreNotNeeded) {
  Json json = local();
  json.erase("sources");
  json.erase("text");
  EXPECT_EQ(complaint(json), "");
}

TEST(ModelFile, TheManualHasEveryField) {
  std::ifstream manual(WEIR_MACHINE_MANUAL);
  const std::string text((std::istreambuf_iterator<char>(manual)), std::istreambuf_iterator<char>());
  for (const Field& field : fields()) {
    const std::string row =
        "| `" + std::string(field.part) + "." + std::string(field.name) + "` | " + std::string(field.text) + " |\n";
    EXPECT_NE(text.find(row), std::string::npos) << "docs/machine.md lacks " << row;
  }
}

TEST(ModelFile, WhatIsNoModelIsRefused) {
  for (const char* text : {"", "{", "[]", "7", "{}", "{\"nodes\":", "\xff\xfe"}) {
    EXPECT_FALSE(read_model(text).ok()) << text;
  }
  const std::string whole = write_model(shipped_model("local").value());
  for (std::size_t bytes = 0; bytes + 2 < whole.size(); bytes += 7) {
    EXPECT_FALSE(read_model(whole.substr(0, bytes)).ok()) << bytes;
  }
}

}  // namespace
}  // namespace weir::model

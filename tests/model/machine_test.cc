// The machine model: every field is in the table once, and what is impossible is named.
#include "model/machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "model/fields.h"

namespace weir::model {
namespace {

// Every field at a value of its own that is possible.
MachineModel filled() {
  MachineModel machine;
  double value = 2;
  for (const Field& field : fields()) {
    const bool small = field.kind == FieldKind::kYesNo || field.kind == FieldKind::kProtocol;
    field.set(machine, small ? 1 : value++);
  }
  return machine;
}

TEST(Fields, AreReadAsTheyAreSetEachApart) {
  const MachineModel machine = filled();
  std::set<double> values;
  std::size_t numbers = 0;
  for (const Field& field : fields()) {
    if (field.kind == FieldKind::kYesNo || field.kind == FieldKind::kProtocol) {
      EXPECT_EQ(field.get(machine), 1) << field.name;
      continue;
    }
    values.insert(field.get(machine));
    ++numbers;
  }
  EXPECT_EQ(values.size(), numbers) << "two rows are the same member";
  EXPECT_EQ(impossible(machine), "");
}

// A member that no row sets stays as it is in an empty model.
TEST(Fields, CoverTheWholeModel) {
  const MachineModel machine = filled();
  EXPECT_EQ(machine.nodes.count, 2);
  EXPECT_EQ(machine.locks.protocol, LockProtocol::kServer);
  EXPECT_TRUE(machine.storage.behind_network);
  MachineModel again;
  for (const Field& field : fields()) field.set(again, field.get(machine));
  EXPECT_EQ(again, machine);
}

TEST(Fields, AreFoundByTheirNamesOnly) {
  for (const Field& field : fields()) EXPECT_EQ(find_field(field.part, field.name), &field);
  EXPECT_EQ(find_field("network", "servers"), nullptr);
}

TEST(MachineModel, WhatIsImpossibleIsNamed) {
  for (const Field& field : fields()) {
    for (const double wrong : {field.least - 1, field.most * 2 + 1}) {
      if (field.kind == FieldKind::kYesNo || field.kind == FieldKind::kProtocol) continue;
      if (field.kind == FieldKind::kCount && wrong > field.least) continue;  // its member does not hold that
      MachineModel machine = filled();
      field.set(machine, wrong);
      const std::string name = std::string(field.part) + "." + std::string(field.name);
      EXPECT_NE(impossible(machine).find(name), std::string::npos) << impossible(machine);
    }
  }
}

TEST(MachineModel, NumbersThatAreNoneAreImpossible) {
  MachineModel machine = filled();
  machine.network.latency_us = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(impossible(machine), "");
  machine.network.latency_us = std::numeric_limits<double>::infinity();
  EXPECT_NE(impossible(machine), "");
}

TEST(MachineModel, AWholeNodeCopiesNoSlowerThanOneCore) {
  MachineModel machine = filled();
  machine.memory.copy_mb_s = machine.memory.node_copy_mb_s + 1;
  EXPECT_NE(impossible(machine).find("node_copy_mb_s"), std::string::npos);
}

TEST(MachineModel, LocksBetweenNodesNeedANetwork) {
  MachineModel machine = filled();
  machine.storage.behind_network = false;
  EXPECT_NE(impossible(machine).find("locks.protocol"), std::string::npos);
  machine.locks.protocol = LockProtocol::kNone;
  EXPECT_EQ(impossible(machine), "");
}

}  // namespace
}  // namespace weir::model

#include "model/machine.h"

#include <fmt/format.h>

#include "model/fields.h"

namespace weir::model {

namespace {

std::string out_of_range(const Field& field, double value) {
  const char* whole = field.kind == FieldKind::kAmount ? "" : "whole ";
  return fmt::format("{}.{} is {}, but has to be a {}number from {} to {} ({})", field.part, field.name, value, whole,
                     field.least, field.most, field.text);
}

}  // namespace

std::string impossible(const MachineModel& machine) {
  for (const Field& field : fields()) {
    const double value = field.get(machine);
    if (!possible(field, value)) return out_of_range(field, value);
  }
  if (machine.memory.node_copy_mb_s < machine.memory.copy_mb_s) {
    return fmt::format("memory.node_copy_mb_s is {}, but one core alone has {} (memory.copy_mb_s)",
                       machine.memory.node_copy_mb_s, machine.memory.copy_mb_s);
  }
  if (machine.locks.protocol != LockProtocol::kNone && !machine.storage.behind_network) {
    return "locks.protocol is for file systems behind a network, but storage.behind_network is false";
  }
  return {};
}

}  // namespace weir::model

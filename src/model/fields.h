// The table of a machine model's fields: whatever reads, writes, checks or explains a model goes by these rows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/machine.h"

namespace weir::model {

enum class FieldKind : std::uint8_t {
  kAmount,    // any number in the range
  kCount,     // a whole one
  kYesNo,     // 0 or 1
  kProtocol,  // a LockProtocol
};

struct Field {
  std::string_view part;  // of the model, e.g. "network"
  std::string_view name;  // in it, e.g. "latency_us"
  FieldKind kind = FieldKind::kAmount;
  double least = 0;
  double most = 0;
  std::string_view text;
  double (*get)(const MachineModel& machine) = nullptr;
  void (*set)(MachineModel& machine, double value) = nullptr;
};

// Those of a part stand together.
std::span<const Field> fields();

// Null where there is none of that name.
const Field* find_field(std::string_view part, std::string_view name);

// Whether the field may have that value.
bool possible(const Field& field, double value);

// "none", "server", "token".
std::string_view name(LockProtocol protocol);

}  // namespace weir::model

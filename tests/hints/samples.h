// A value that is not the default, for every row that takes values.
#pragma once

#include <string>

#include "base/text.h"
#include "hints/table.h"

namespace weir::hints {

inline std::string sample_value(const Row& row) {
  switch (row.type) {
    case Type::kBytes:
    case Type::kCount: return std::to_string(row.least + 12);
    case Type::kOctal: return "640";
    case Type::kBoolean: return row.default_text == "true" ? "false" : "true";
    case Type::kWord: return std::string(split(row.words, '|').back());
    case Type::kText: return "node01:2,node02:*";
  }
  return {};
}

}  // namespace weir::hints

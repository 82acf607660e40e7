// ModelFile: a machine model as people read and write it: JSON, with the source of every number.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/machine.h"

namespace weir::model {

struct ModelFile {
  std::string name;
  std::string text;  // what machine it is
  MachineModel machine;
  std::map<std::string, std::string, std::less<>> sources;  // of "network.latency_us" and the like

  bool operator==(const ModelFile&) const = default;
};

// Fails with kArgument on what is no JSON, on fields that are missing, unknown (with the name that was probably meant)
// or of another kind, and on numbers that are impossible; the text names the field and says what it is.
Result<ModelFile> read_model(std::string_view json);

// In the order of the table of fields.
std::string write_model(const ModelFile& file);

// The models that come with weir.
std::vector<std::string> shipped_names();
// Fails with kArgument where there is none of that name; the text names all.
Result<ModelFile> shipped_model(std::string_view name);

}  // namespace weir::model

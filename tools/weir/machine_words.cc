#include "machine_words.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "driver/machine_file.h"
#include "model/fields.h"
#include "model/model_file.h"

namespace weir::tool {

namespace {

std::string value_text(const model::Field& field, const model::MachineModel& machine) {
  const double value = field.get(machine);
  switch (field.kind) {
    case model::FieldKind::kYesNo: return value != 0 ? "true" : "false";
    case model::FieldKind::kProtocol: return std::string(model::name(machine.locks.protocol));
    case model::FieldKind::kCount:
    case model::FieldKind::kAmount: break;
  }
  return fmt::format("{}", value);
}

}  // namespace

int list_machines() {
  for (const std::string& name : model::shipped_names()) {
    fmt::print("{:<10}{}\n", name, model::shipped_model(name).value().text);
  }
  fmt::print("\nThe site's own: {}; WEIR_MACHINE names another, or a file.\n", driver::site_model_path());
  return 0;
}

int show_machine(const std::string& word) {
  const Result<model::ModelFile> found = driver::find_model(word);
  if (!found.ok()) {
    fmt::print(stderr, "weir machine: {}\n", found.status().text());
    return 2;
  }
  const model::ModelFile& file = found.value();
  fmt::print("{}: {}\n", file.name.empty() ? word : file.name, file.text);
  std::string_view part;
  for (const model::Field& field : model::fields()) {
    if (field.part != part) fmt::print("\n{}\n", field.part);
    part = field.part;
    fmt::print("  {:<18}{:>12}  {}\n", field.name, value_text(field, file.machine), field.text);
    const auto source = file.sources.find(fmt::format("{}.{}", field.part, field.name));
    if (source != file.sources.end()) fmt::print("{:34}{}\n", "", source->second);
  }
  return 0;
}

}  // namespace weir::tool

// Where the machine model comes from: a name or a file, the environment, or what the site installed.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "model/model_file.h"

namespace weir::driver {

// The model in the file at that path, or, where the word has no '/' and no file is there, the shipped one of that name.
// A failure says what is wrong, and names the file.
Result<model::ModelFile> find_model(const std::string& word);

// What WEIR_MACHINE names; else the site's model, where it is installed; else nothing.
Result<std::optional<model::ModelFile>> chosen_model();

// Where a site puts its model.
std::string site_model_path();

}  // namespace weir::driver

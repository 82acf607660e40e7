#include "driver/machine_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "hints/suggest.h"
#include "sys/environment.h"

namespace weir::driver {

namespace {

Status wrong(std::string text) { return Status(ErrorClass::kArgument, std::move(text)); }

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

Result<model::ModelFile> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) return wrong(fmt::format("{}: cannot be read", path));
  Result<model::ModelFile> read = model::read_model(text);
  if (!read.ok()) return wrong(fmt::format("{}: {}", path, read.status().text()));
  return read;
}

Status unknown(const std::string& word) {
  const std::vector<std::string> known = model::shipped_names();
  const std::string near = hints::nearest(word, known);
  return wrong(fmt::format("there is no machine model and no file {}{}; models that come with weir: {}", word,
                           near.empty() ? "" : fmt::format(" (did you mean {}?)", near), fmt::join(known, ", ")));
}

}  // namespace

Result<model::ModelFile> find_model(const std::string& word) {
  if (is_file(word)) return read_file(word);
  Result<model::ModelFile> shipped = model::shipped_model(word);
  if (shipped.ok()) return shipped;
  return unknown(word);
}

Result<std::optional<model::ModelFile>> chosen_model() {
  const char* word = sys::environment("WEIR_MACHINE");
  const std::string site = site_model_path();
  if (word == nullptr && !is_file(site)) return std::optional<model::ModelFile>();
  Result<model::ModelFile> found = find_model(word == nullptr ? site : word);
  if (!found.ok()) return found.status();
  return std::optional<model::ModelFile>(found.value());
}

std::string site_model_path() { return WEIR_SITE_MACHINE; }

}  // namespace weir::driver

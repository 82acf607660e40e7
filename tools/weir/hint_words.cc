#include "hint_words.h"

#include <fmt/format.h>

#include <cstdio>

#include "hints/lookup.h"
#include "hints/suggest.h"
#include "hints/table.h"
#include "hints/value.h"

namespace weir::tool {

namespace {

const char* name_of(hints::Effect effect) {
  switch (effect) {
    case hints::Effect::kInForce: return "in force";
    case hints::Effect::kAccepted: return "accepted, without effect yet";
    case hints::Effect::kIgnored: return "ignored";
  }
  return "";
}

const char* name_of(hints::Settable settable) {
  switch (settable) {
    case hints::Settable::kNever: return "never: weir sets it, to inform you";
    case hints::Settable::kAtOpen: return "MPI_File_open";
    case hints::Settable::kAnytime: return "MPI_File_open, MPI_File_set_view, MPI_File_set_info";
    case hints::Settable::kIfSwitchable:
      return "MPI_File_open; also later if that was given IBM_largeblock_io=switchable";
  }
  return "";
}

std::string unknown_text(const std::string& key) {
  if (const auto owner = hints::foreign_owner(key))
    return fmt::format("{} is a key of {}, not a hint for files", key, *owner);
  const std::string_view near = hints::suggestion(key);
  return fmt::format("there is no hint {}{}; `weir hints` lists them all", key,
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

Status check_hint(const std::string& hint) {
  const auto equals = hint.find('=');
  if (equals == std::string::npos || equals == 0) return cannot(fmt::format("--hint {}: write it as key=value", hint));
  if (hint.find(';') != std::string::npos) return cannot(fmt::format("--hint {}: a value may not contain ';'", hint));
  const std::string key = hint.substr(0, equals);
  const hints::Row* row = hints::find(key);
  if (row == nullptr) return cannot(unknown_text(key));
  if (row->settable == hints::Settable::kNever) return cannot(fmt::format("{} cannot be set; weir only tells it", key));
  if (row->effect == hints::Effect::kIgnored) {
    fmt::print(stderr, "weir run: {} will be ignored: {}\n", key, row->reason);
    return {};
  }
  const hints::Parsed parsed = hints::parse(*row, hint.substr(equals + 1));
  if (parsed.reading == hints::Reading::kBad) return cannot(fmt::format("--hint {}: {}", hint, parsed.note));
  if (!parsed.note.empty()) fmt::print(stderr, "weir run: --hint {}: {}\n", hint, parsed.note);
  return {};
}

}  // namespace

Status check_hints(const Words& hints) {
  for (const std::string& hint : hints)
    if (Status status = check_hint(hint); !status.ok()) return status;
  return {};
}

int explain_hint(const std::string& key) {
  const hints::Row* row = hints::find(key);
  if (row == nullptr) {
    fmt::print(stderr, "weir explain: {}\n", unknown_text(key));
    return 2;
  }
  fmt::print("{}\n", row->name);
  if (!row->aliases.empty()) fmt::print("  other names  {}\n", row->aliases);
  fmt::print("  what it does {}\n", row->text);
  if (row->effect != hints::Effect::kIgnored) {
    fmt::print("  values       {}\n", hints::allowed_values(*row));
    fmt::print("  default      {}\n", row->default_text.empty() ? "weir decides" : row->default_text);
    fmt::print("  may be set   {}\n", name_of(row->settable));
  }
  fmt::print("  this version {}{}\n", name_of(row->effect),
             row->reason.empty() ? "" : fmt::format(": {}", row->reason));
  return 0;
}

int list_hints() {
  constexpr const char* kLine = "{:<30} {:<16} {:<29} {}\n";
  fmt::print(kLine, "hint", "default", "this version", "what it does");
  for (const hints::Row& row : hints::table())
    fmt::print(kLine, row.name, row.default_text.empty() ? "-" : row.default_text, name_of(row.effect), row.text);
  return 0;
}

}  // namespace weir::tool

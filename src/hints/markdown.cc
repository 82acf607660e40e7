#include "hints/markdown.h"

#include <fmt/format.h>

#include "base/text.h"
#include "hints/value.h"

namespace weir::hints {

namespace {

constexpr std::string_view kHead = R"(# Hints

<!-- Made from the table in src/hints/table.cc: run the hints test with WEIR_UPDATE_GOLDEN=1 to renew. -->

A hint is a key and a value that steer weir. It comes, weakest first, from the file that `ROMIO_HINTS` names, from
the `MPI_Info` of `MPI_File_open`, `MPI_File_set_view` and `MPI_File_set_info`, and from `weir run --hint key=value`.
Rank 0's hints are used; a difference between ranks is reported. `MPI_File_get_info` returns every hint that has a
value and is not ignored, under its name and under the alias it was given by.

No hint makes a call fail and none is dropped in silence: what was adjusted, rejected, ignored or unknown is in the
report. A value that is not one of the hint's leaves the old one; a number that is too large becomes the largest
allowed, one that is too small the default. `auto` restores the default. Words may be written in either case, and
`true`, `yes`, `on`, `1` and `enable` mean the same, as do their opposites.
)";

constexpr std::string_view kTakenHead = R"(
## Hints that weir takes

*in force*: this version acts on it. *accepted*: checked, kept and returned, for parts of the collective engine that
do not act on it yet. Without a default weir decides, unless the meaning says otherwise.

| hint | other names | values | default | set | meaning | status |
|---|---|---|---|---|---|---|
)";

constexpr std::string_view kIgnoredHead = R"(
## Hints that weir knows and ignores

| hint | other names | meaning | why ignored |
|---|---|---|---|
)";

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string code_list(std::string_view words) {
  std::string text;
  for (std::string_view word : split(words, ' ')) text += (text.empty() ? "" : ", ") + code(word);
  return text;
}

std::string_view when_set(Settable settable) {
  switch (settable) {
    case Settable::kNever: return "by weir";
    case Settable::kAtOpen: return "at open";
    case Settable::kAnytime: return "any time";
    case Settable::kIfSwitchable: return "at open; later if switchable";
  }
  return {};
}

std::string taken_line(const Row& row) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", code(row.name), code_list(row.aliases),
                     allowed_values(row), code(row.default_text), when_set(row.settable), row.text,
                     row.effect == Effect::kInForce ? "in force" : "accepted");
}

std::string ignored_line(const Row& row) {
  return fmt::format("| {} | {} | {} | {} |\n", code(row.name), code_list(row.aliases), row.text, row.reason);
}

}  // namespace

std::string markdown() {
  std::string taken(kTakenHead);
  std::string ignored(kIgnoredHead);
  for (const Row& row : table()) {
    if (row.effect == Effect::kIgnored) {
      ignored += ignored_line(row);
    } else {
      taken += taken_line(row);
    }
  }
  return std::string(kHead) + taken + ignored;
}

}  // namespace weir::hints

#include "explain/explain.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "explain/captured.h"
#include "explain/choices.h"
#include "explain/measured.h"
#include "explain/picture.h"
#include "explain/question.h"
#include "hint_words.h"
#include "hints/lookup.h"
#include "hints/table.h"
#include "whole_file.h"
#include "workloads/workload.h"

namespace weir::tool::explain {

namespace {

constexpr int kRefused = 2;

int refuse(const std::string& text) {
  fmt::print(stderr, "weir explain: {}\n", text);
  return kRefused;
}

std::string name_in(const std::string& what) { return what.substr(0, what.find(':')); }

// What comes nearest, of hints and workloads.
std::string unknown_text(const std::string& what) {
  Words names;
  for (const hints::Row& row : hints::table()) names.emplace_back(row.name);
  for (const bench::Workload& workload : bench::all_workloads()) names.emplace_back(workload.name);
  const std::string near = nearest(name_in(what), names);
  return fmt::format("{} is no hint, no workload and no file{}\n  `weir hints` and `weir bench --list` show them all",
                     what, near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

int show(const Result<Question>& question) {
  if (!question.ok()) return refuse(question.status().text());
  if (!question.value().collective) {
    fmt::print(
        "{}\n  Its calls are independent: every rank reaches the file for itself, and no plan is made.\n  Hints "
        "for them: IBM_largeblock_io=false (I/O agents), romio_ds_read, romio_ds_write\n",
        question.value().title);
    return 0;
  }
  const plan::Plan plan = answer(question.value());
  fmt::print("{}{}{}{}", words_of(question.value(), plan), owners_picture(question.value(), plan),
             senders_picture(question.value(), plan),
             choices_table(question.value(), choices_of(question.value(), plan)));
  return 0;
}

// Every case that was measured, its plan beside its time.
int explain_results(const ExplainOptions& options) {
  const auto all = measured_in(options.what, options.machine);
  if (!all.ok()) return refuse(all.status().text());
  for (const Measured& measured : all.value()) {
    const auto question = ask(measured.asked);
    if (!question.ok()) return refuse(question.status().text());
    if (!question.value().collective) continue;
    const plan::Plan plan = answer(question.value());
    fmt::print("{}  {:<18} {}\n\n", words_of(question.value(), plan), "measured",
               measured.seconds > 0 ? fmt::format("{:.3f} ms for all calls", measured.seconds * 1000) : "failed");
  }
  return 0;
}

// What the file says that a program did.
int explain_capture(const ExplainOptions& options, const std::string& bytes) {
  return show(ask_captured(options, std::as_bytes(std::span(bytes))));
}

}  // namespace

int explain(const ExplainOptions& options) {
  if (hints::find(options.what) != nullptr) return explain_hint(options.what);
  if (bench::find_workload(name_in(options.what)) != nullptr) return show(ask(options));
  if (hints::foreign_owner(options.what)) return explain_hint(options.what);
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.what, error)) return refuse(unknown_text(options.what));
  const auto text = read_file(options.what);
  if (!text.ok()) return refuse(text.status().text());
  return text.value().starts_with("{") ? explain_results(options) : explain_capture(options, text.value());
}

}  // namespace weir::tool::explain

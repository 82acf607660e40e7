#include "workloads/program/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

using weir::Status;

// Says what the option takes unless `is_good(word)`.
template <typename IsGood>
CLI::Validator takes(const std::string& what, IsGood is_good) {
  return CLI::Validator(
      [=](std::string& word) { return is_good(word) ? "" : "takes " + what + ", not '" + word + "'"; }, "");
}

CLI::Validator takes_count(int least) {
  return takes("a whole number of " + std::to_string(least) + " or more", [=](const std::string& word) {
    int number = 0;
    return CLI::detail::lexical_cast(word, number) && number >= least;
  });
}

CLI::Validator takes_bytes() {
  return takes("a number of bytes above zero", [](const std::string& word) {
    const std::optional<std::int64_t> number = whole_number(word);
    return number && *number > 0;
  });
}

CLI::Validator takes_seconds() {
  return takes("a number of seconds", [](const std::string& word) {
    double number = 0;
    return CLI::detail::lexical_cast(word, number) && std::isfinite(number) && number >= 0;
  });
}

CLI::Validator takes_either(const std::string& one, const std::string& other) {
  return takes(one + " or " + other, [=](const std::string& word) { return word == one || word == other; });
}

// The words of options that become something else.
struct Words {
  std::string workload;
  std::string direction = "write";
  std::string hints;
};

void add_what(CLI::App& app, Options& options, Words& words) {
  app.add_option("--workload", words.workload, "What is measured; see below")
      ->type_name("NAME[:key=value]...")
      ->required();
  app.add_option("--dir", options.directory, "Where files are made")->type_name("DIR")->required();
  app.add_option("--direction", words.direction, "(write)")
      ->type_name("write|read")
      ->check(takes_either("write", "read"));
  app.add_option("--size", options.bytes, "Of data in all; default: one that suits the workload")
      ->type_name("BYTES")
      ->check(takes_bytes());
  app.add_option("--hints", words.hints, "For MPI_File_open")->type_name("\"key=value;...\"");
}

void add_how(CLI::App& app, Options& options) {
  app.add_option("--repeats", options.repeats, "Timed repeats (5)")->type_name("N")->check(takes_count(1));
  app.add_option("--warmups", options.warmups, "Repeats before them that are not timed (1)")
      ->type_name("N")
      ->check(takes_count(0));
  app.add_option("--seconds", options.seconds, "No repeat begins after this time, but there is one (20)")
      ->type_name("S")
      ->check(takes_seconds());
  app.add_option("--verify", options.verify, "Every byte, after every repeat, outside of the timed part (yes)")
      ->type_name("yes|no")
      ->check(takes_either("yes", "no"));
  app.add_option("--block", options.block, "Measure Block I/O too (yes)")
      ->type_name("yes|no")
      ->check(takes_either("yes", "no"));
  app.add_option("--json", options.json, "Append the result; default: print it")->type_name("FILE");
}

std::string parameter_line(const Parameter& parameter) {
  const std::string fallback = parameter.fallback == kFromSize ? "" : "=" + std::to_string(parameter.fallback);
  return "      :" + std::string(parameter.name) + fallback + "  " + std::string(parameter.text) + "\n";
}

std::string workload_lines() {
  std::string text = "exit code: 0; 1: wrong data; 2: bad input; 3: a call failed\n\nWorkloads:\n";
  for (const Workload& workload : all_workloads()) {
    text += "  " + std::string(workload.name) + "  " + std::string(workload.text) + "\n";
    for (const Parameter& parameter : workload.parameters) text += parameter_line(parameter);
  }
  return text;
}

// The parser of the command line. What it finds goes to `options` and `words`.
void set_up(CLI::App& app, Options& options, Words& words) {
  app.name("mpirun ... workloads");
  app.description(
      "Measures one workload, in turn with Block I/O of the same bytes. Files 'subject' and 'block' are made in DIR,\n"
      "in place of any that are there, and removed.");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_flag("--help", "This text");
  add_what(app, options, words);
  add_how(app, options);
}

Status take_hints(const std::string& text, Options& options) {
  for (const std::string_view hint : weir::split(text, ';')) {
    const std::size_t sign = hint.find('=');
    if (sign == 0 || sign == hint.npos)
      return refused("--hints: takes hints of the form key=value, not '" + std::string(hint) + "'");
    options.hints[std::string(hint.substr(0, sign))] = hint.substr(sign + 1);
  }
  return {};
}

}  // namespace

const char* name_of(Direction direction) { return direction == Direction::kWrite ? "write" : "read"; }

std::string usage() {
  Options options;
  Words words;
  CLI::App app;
  set_up(app, options, words);
  return app.help() + "\n" + workload_lines();
}

weir::Result<Options> parse_options(std::vector<std::string> words) {
  Options options;
  Words found;
  CLI::App app;
  set_up(app, options, found);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return refused(std::string(error.what()) + "; --help shows all options");
  }
  auto spec = parse_spec(found.workload);
  if (!spec.ok()) return spec.status();
  options.spec = std::move(spec).value();
  options.direction = found.direction == "read" ? Direction::kRead : Direction::kWrite;
  if (Status status = take_hints(found.hints, options); !status.ok()) return status;
  return options;
}

}  // namespace bench

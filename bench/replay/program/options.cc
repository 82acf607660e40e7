#include "replay/program/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"

namespace bench {
namespace {

struct Words {
  std::string hints;
  std::string verify = "yes";
};

void set_up(CLI::App& app, ReplayOptions& options, Words& words) {
  app.name("mpirun ... replay");
  app.description(
      "Runs a captured program again, with data that follow from where they are in the file. Files 'replayed-N' are "
      "made\nin DIR, in place of any that are there, and removed.");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_flag("--help", "This text");
  app.add_option("--capture", options.capture, "What is run: a file that weir run --capture wrote")->required();
  app.add_option("--dir", options.directory, "Where files are made")->required();
  app.add_option("--repeats", options.repeats, "Timed repeats (5)")->check(CLI::Range(1, 1000000));
  app.add_option("--warmups", options.warmups, "Repeats before them that are not timed (1)")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--seconds", options.seconds, "No repeat begins after this time, but there is one (20)");
  app.add_option("--verify", words.verify, "All files and reads, after every repeat (yes)")
      ->check(CLI::IsMember({"yes", "no"}));
  app.add_option("--hints", words.hints, "For MPI_File_open, beside those captured: \"key=value;...\"");
  app.add_option("--json", options.json, "Append the result; default: print it");
}

}  // namespace

std::string replay_usage() {
  CLI::App app;
  ReplayOptions options;
  Words words;
  set_up(app, options, words);
  return app.help();
}

weir::Result<ReplayOptions> parse_replay_options(std::vector<std::string> words) {
  CLI::App app;
  ReplayOptions options;
  Words texts;
  set_up(app, options, texts);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return weir::Status(weir::ErrorClass::kArgument, error.what());
  }
  options.verify = texts.verify == "yes";
  for (const std::string_view hint : weir::split(texts.hints, ';')) {
    const std::size_t sign = hint.find('=');
    if (sign == 0 || sign == hint.npos) {
      return weir::Status(weir::ErrorClass::kArgument, "--hints: takes hints of the form key=value");
    }
    options.hints[std::string(hint.substr(0, sign))] = hint.substr(sign + 1);
  }
  return options;
}

}  // namespace bench

#include "options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/text.h"

namespace beffio {
namespace {

using weir::Result;
using weir::Status;

Status wrong(std::string text) { return {weir::ErrorClass::kArgument, std::move(text)}; }

// Says what the option takes unless `is_good(word)`.
template <typename IsGood>
CLI::Validator takes(const std::string& what, IsGood is_good) {
  return CLI::Validator(
      [=](std::string& word) { return is_good(word) ? "" : fmt::format("takes {}, not '{}'", what, word); }, "");
}

CLI::Validator takes_above_zero() {
  return takes("a number above 0", [](const std::string& word) {
    double number = 0;
    return CLI::detail::lexical_cast(word, number) && std::isfinite(number) && number > 0;
  });
}

CLI::Validator takes_one_of(const std::string& what, const std::set<std::string>& words) {
  return takes(what, [=](const std::string& word) { return words.count(word) > 0; });
}

CLI::Validator takes_yes_or_no() { return takes_one_of("yes or no", {"yes", "no"}); }

CLI::Validator takes_chunk_size() {
  const std::int64_t most = mpart_bytes(INT64_MAX);
  return takes(fmt::format("{} to {} bytes: MPI moves at most 2047 MB in one call", kKilobyte, most),
               [=](const std::string& word) {
                 std::int64_t bytes = 0;
                 return CLI::detail::lexical_cast(word, bytes) && bytes >= kKilobyte && bytes <= most;
               });
}

std::vector<std::string> parts_of(const std::string& list) {
  const auto parts = weir::split(list, ',');
  return {parts.begin(), parts.end()};
}

// A list divided by commas of some of these words.
CLI::Validator takes_list_of(const std::string& what, const std::set<std::string>& words) {
  return takes(what, [=](const std::string& list) {
    const auto parts = parts_of(list);
    return !parts.empty() && std::ranges::all_of(parts, [&](const std::string& word) { return words.count(word) > 0; });
  });
}

CLI::Validator takes_partitions(int ranks) {
  const auto is_size = [=](const std::string& word) {
    int size = 0;
    return CLI::detail::lexical_cast(word, size) && size >= 1 && size <= ranks;
  };
  const auto is_good = [=](const std::string& list) {
    const auto parts = parts_of(list);
    return list == "auto" || (!parts.empty() && std::ranges::all_of(parts, is_size));
  };
  return takes(fmt::format("auto, or numbers of ranks from 1 to {}", ranks), is_good);
}

// The words of options that become something else.
struct Words {
  std::string release = "2";
  std::string partitions = "auto";
  std::string types = "0,1,2,3,4";
  std::string methods = "write,rewrite,read";
};

void add_what(CLI::App& app, Options& options, Words& words, int ranks) {
  app.add_option("--release", words.release, "The definition that is followed (2)")
      ->type_name("1|2")
      ->check(takes_one_of("1 or 2", {"1", "2"}));
  app.add_option("--time", options.seconds,
                 "T: of a partition in release 1, of the whole in release 2 (the least comparable)")
      ->type_name("SECONDS")
      ->check(takes_above_zero());
  app.add_option("--partitions", words.partitions, "Numbers of ranks (release 1: all; release 2: small, medium, large)")
      ->type_name("auto|LIST")
      ->check(takes_partitions(ranks));
  app.add_option("--types", words.types, "Pattern types (0,1,2,3,4)")
      ->type_name("LIST")
      ->check(takes_list_of("numbers from 0 to 4", {"0", "1", "2", "3", "4"}));
  app.add_option("--methods", words.methods, "Access methods (write,rewrite,read)")
      ->type_name("LIST")
      ->check(takes_list_of("write, rewrite and read", {"write", "rewrite", "read"}));
}

void add_how(CLI::App& app, Options& options) {
  app.add_option("--dir", options.directory, "Where a directory for the files is made, and removed (.)");
  app.add_option("--hints", options.hints_path, "MPI-IO hints by type, method and chunk size")->type_name("FILE");
  app.add_option("--sync", options.sync, "MPI_File_sync after each written pattern, in the timed part (no)")
      ->type_name("yes|no")
      ->check(takes_yes_or_no());
  app.add_option("--rewrite-all", options.rewrite_all, "Release 2: rewrite all types, not type 0 alone (no)")
      ->type_name("yes|no")
      ->check(takes_yes_or_no());
  app.add_option("--mpart", options.mpart_bytes, "The largest chunk size (memory of a node / 128)")
      ->type_name("BYTES")
      ->check(takes_chunk_size());
  app.add_option("--space", options.space_bytes,
                 "What the files may take together (half of what is free; in memory: a quarter)")
      ->type_name("BYTES")
      ->check(takes_above_zero());
  app.add_option("--verify", options.verify,
                 "Compare the last data read by each pattern, outside of the timed part (yes)")
      ->type_name("yes|no")
      ->check(takes_yes_or_no());
  app.add_option("--json", options.json_path, "Write the result there")->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "No tables");
  app.add_flag("--progress", options.progress, "A line on stderr for each step, also where that is no terminal");
}

// The parser of the command line. What it finds goes to `options` and `words`.
void set_up(CLI::App& app, Options& options, Words& words, int ranks) {
  app.name("mpirun ... b_eff_io");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_flag("--help", "This text");
  add_what(app, options, words, ranks);
  add_how(app, options);
}

Status take_partitions(const std::string& list, Options& options) {
  if (list == "auto") return {};
  for (const std::string& word : parts_of(list)) {
    const int size = std::stoi(word);
    if (std::ranges::find(options.partitions, size) != options.partitions.end())
      return wrong(fmt::format("--partitions has {} twice", size));
    options.partitions.push_back(size);
  }
  return {};
}

bool has(const std::string& list, std::string_view word) {
  const auto parts = parts_of(list);
  return std::ranges::find(parts, word) != parts.end();
}

Status take_words(const Words& words, Options& options) {
  options.release = words.release == "1" ? Release::kOne : Release::kTwo;
  std::erase_if(options.types, [&](Type type) { return !has(words.types, std::to_string(static_cast<int>(type))); });
  std::erase_if(options.methods, [&](Method method) { return !has(words.methods, name(method)); });
  if (!has(words.methods, name(Method::kWrite)))
    return wrong("--methods needs write: the others work on what it leaves");
  return take_partitions(words.partitions, options);
}

}  // namespace

Result<Options> parse_options(std::vector<std::string> words, int ranks) {
  Options options;
  Words found;
  CLI::App app;
  set_up(app, options, found, ranks);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    options.help = true;
  } catch (const CLI::ExtrasError&) {
    const auto rest = app.remaining();
    const auto option = std::ranges::find_if(rest, [](const std::string& word) { return word.starts_with('-'); });
    return wrong(
        fmt::format("no option '{}'; --help lists all options", option != rest.end() ? *option : rest.front()));
  } catch (const CLI::ParseError& error) {
    return wrong(fmt::format("{}; --help lists all options", error.what()));
  }
  if (Status status = take_words(found, options); !status.ok()) return status;
  if (options.seconds == 0) options.seconds = least_seconds(options.release, options.rewrite_all);
  return options;
}

std::string usage() {
  Options options;
  Words words;
  CLI::App app;
  set_up(app, options, words, 1);
  return app.help();
}

}  // namespace beffio

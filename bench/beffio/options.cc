#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>

namespace beffio {
namespace {

using weir::Result;
using weir::Status;

Status wrong(std::string text) { return {weir::ErrorClass::kArgument, std::move(text)}; }

// The whole word as a number; nothing if it is none, or negative.
template <typename Number>
std::optional<Number> number_in(const std::string& word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (!(number >= 0) || number > std::numeric_limits<Number>::max()) return std::nullopt;
  return number;
}

Status take_yes_no(const std::string& word, bool& value) {
  if (word != "yes" && word != "no") return wrong("takes yes or no");
  value = word == "yes";
  return {};
}

template <typename Number>
Status take_positive(const std::string& word, Number& value) {
  const auto number = number_in<Number>(word);
  if (!number || *number == Number{0}) return wrong("takes a number above 0");
  value = *number;
  return {};
}

Status take_release(const std::string& word, Options& options) {
  if (word != "1" && word != "2") return wrong("takes 1 or 2");
  options.release = word == "1" ? Release::kOne : Release::kTwo;
  return {};
}

Status take_mpart(const std::string& word, Options& options) {
  Status status = take_positive(word, options.mpart_bytes);
  if (!status.ok()) return status;
  if (options.mpart_bytes > mpart_bytes(INT64_MAX)) return wrong("is more than MPI takes in one call, 2047 MB");
  if (options.mpart_bytes < kKilobyte) return wrong("is at least 1024");
  return {};
}

// Calls take(word) for each word between commas.
Status for_each_word(const std::string& list, const std::function<Status(const std::string&)>& take) {
  std::istringstream stream(list);
  Status status = list.empty() ? wrong("takes a list divided by commas") : Status();
  for (std::string word; status.ok() && std::getline(stream, word, ',');) status = take(word);
  return status;
}

Status take_partitions(const std::string& list, int ranks, Options& options) {
  options.partitions.clear();
  if (list == "auto") return {};
  return for_each_word(list, [&](const std::string& word) {
    const auto size = number_in<int>(word);
    if (!size || *size < 1 || *size > ranks) {
      return wrong(fmt::format("takes auto, or numbers of ranks from 1 to {}", ranks));
    }
    const auto same = std::find(options.partitions.begin(), options.partitions.end(), *size);
    if (same != options.partitions.end()) return wrong(fmt::format("has {} twice", word));
    options.partitions.push_back(*size);
    return Status();
  });
}

Status take_types(const std::string& list, Options& options) {
  std::vector<Type>& types = options.types;
  types.clear();
  const Status status = for_each_word(list, [&](const std::string& word) {
    const auto number = number_in<std::size_t>(word);
    if (!number || *number >= kAllTypes.size()) return wrong("takes numbers from 0 to 4");
    types.push_back(kAllTypes[*number]);
    return Status();
  });
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return status;
}

Status take_methods(const std::string& list, Options& options) {
  std::vector<Method>& methods = options.methods;
  methods.clear();
  const Status status = for_each_word(list, [&](const std::string& word) {
    const auto found =
        std::find_if(kAllMethods.begin(), kAllMethods.end(), [&](Method method) { return word == name(method); });
    if (found == kAllMethods.end()) return wrong("takes write, rewrite and read");
    methods.push_back(*found);
    return Status();
  });
  if (!status.ok()) return status;
  std::sort(methods.begin(), methods.end());
  methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
  if (methods.front() != Method::kWrite) return wrong("needs write: the others work on what it leaves");
  return {};
}

struct Option {
  std::string_view name;
  std::string_view value;  // its name in the usage; empty: takes none
  std::string_view text;
  std::function<Status(const std::string&, Options&, int ranks)> take;
};

const std::vector<Option>& all_options() {
  static const std::vector<Option> options = {
      {"--release", "1|2", "the definition that is followed (2)",
       [](const auto& word, Options& o, int) { return take_release(word, o); }},
      {"--time", "SECONDS", "T: of a partition in release 1, of the whole in release 2 (the least comparable)",
       [](const auto& word, Options& o, int) { return take_positive(word, o.seconds); }},
      {"--dir", "DIR", "where a directory for the files is made, and removed (.)",
       [](const auto& word, Options& o, int) { return o.directory = word, Status(); }},
      {"--partitions", "auto|LIST", "numbers of ranks (release 1: all; release 2: small, medium, large)",
       [](const auto& word, Options& o, int ranks) { return take_partitions(word, ranks, o); }},
      {"--types", "LIST", "pattern types (0,1,2,3,4)",
       [](const auto& word, Options& o, int) { return take_types(word, o); }},
      {"--methods", "LIST", "access methods (write,rewrite,read)",
       [](const auto& word, Options& o, int) { return take_methods(word, o); }},
      {"--hints", "FILE", "MPI-IO hints by type, method and chunk size",
       [](const auto& word, Options& o, int) { return o.hints_path = word, Status(); }},
      {"--sync", "yes|no", "MPI_File_sync after each written pattern, in the timed part (no)",
       [](const auto& word, Options& o, int) { return take_yes_no(word, o.sync); }},
      {"--rewrite-all", "yes|no", "release 2: rewrite all types, not type 0 alone (no)",
       [](const auto& word, Options& o, int) { return take_yes_no(word, o.rewrite_all); }},
      {"--mpart", "BYTES", "the largest chunk size (memory of a node, by its ranks, by 128)",
       [](const auto& word, Options& o, int) { return take_mpart(word, o); }},
      {"--space", "BYTES", "what the files may take together (half of what is free; in memory: a quarter)",
       [](const auto& word, Options& o, int) { return take_positive(word, o.space_bytes); }},
      {"--verify", "yes|no", "compare the last data read by each pattern, outside of the timed part (yes)",
       [](const auto& word, Options& o, int) { return take_yes_no(word, o.verify); }},
      {"--json", "FILE", "write the result there",
       [](const auto& word, Options& o, int) { return o.json_path = word, Status(); }},
      {"--quiet", "", "no tables", [](const auto&, Options& o, int) { return o.quiet = true, Status(); }},
      {"--progress", "", "a line on stderr for each step, also where that is no terminal",
       [](const auto&, Options& o, int) { return o.progress = true, Status(); }},
      {"--help", "", "this text", [](const auto&, Options& o, int) { return o.help = true, Status(); }},
  };
  return options;
}

}  // namespace

Result<Options> parse_options(const std::vector<std::string>& words, int ranks) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto& known = all_options();
    const auto found = std::find_if(known.begin(), known.end(), [&](const Option& o) { return o.name == word; });
    if (found == known.end()) return wrong(fmt::format("no option called '{}'; --help lists them", word));
    const bool takes_value = !found->value.empty();
    if (takes_value && i + 1 == words.size()) return wrong(fmt::format("{} needs a value: {}", word, found->value));
    const std::string value = takes_value ? words[++i] : "";
    const Status status = found->take(value, options, ranks);
    if (!status.ok()) return wrong(fmt::format("{} {}, not '{}'", word, status.text(), value));
  }
  if (options.seconds == 0) options.seconds = least_seconds(options.release, options.rewrite_all);
  return options;
}

std::string usage() {
  std::string text = "usage: mpirun ... b_eff_io [OPTION]...\n";
  for (const Option& option : all_options()) {
    text += fmt::format("  {:<24}{}\n", fmt::format("{} {}", option.name, option.value), option.text);
  }
  return text;
}

}  // namespace beffio

#include "workloads/program/options.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include "workloads/sizes.h"

namespace bench {
namespace {

using weir::Status;

Status not_understood(const std::string& name, const std::string& value, const std::string& wanted) {
  return refused(name + " '" + value + "': " + wanted);
}

// A number of `least` or more.
Status take_count(const std::string& name, const std::string& value, int least, int& count) {
  const std::optional<std::int64_t> number = whole_number(value);
  if (!number || *number < least || *number > std::numeric_limits<int>::max()) {
    return not_understood(name, value, "a whole number of " + std::to_string(least) + " or more is needed");
  }
  count = static_cast<int>(*number);
  return {};
}

Status take_answer(const std::string& name, const std::string& value, bool& answer) {
  if (value != "yes" && value != "no") return not_understood(name, value, "yes or no is needed");
  answer = value == "yes";
  return {};
}

Status take_direction(const std::string& value, Direction& direction) {
  if (value != "write" && value != "read") return not_understood("--direction", value, "write or read is needed");
  direction = value == "write" ? Direction::kWrite : Direction::kRead;
  return {};
}

Status take_size(const std::string& value, std::int64_t& bytes) {
  const std::optional<std::int64_t> number = whole_number(value);
  if (!number || *number < 1) return not_understood("--size", value, "a number of bytes above zero is needed");
  bytes = *number;
  return {};
}

Status take_seconds(const std::string& value, double& seconds) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !std::isfinite(number) || number < 0) {
    return not_understood("--seconds", value, "a number of seconds is needed");
  }
  seconds = number;
  return {};
}

Status take_hints(const std::string& value, std::map<std::string, std::string>& hints) {
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find(';', begin), value.size());
    const std::string hint = value.substr(begin, end - begin);
    const std::size_t sign = hint.find('=');
    if (sign == 0 || sign == hint.npos) return not_understood("--hints", hint, "a hint is KEY=VALUE");
    hints[hint.substr(0, sign)] = hint.substr(sign + 1);
    begin = end + 1;
  }
  return {};
}

Status take_workload(const std::string& value, WorkloadSpec& spec) {
  auto parsed = parse_spec(value);
  if (parsed.ok()) spec = std::move(parsed).value();
  return parsed.status();
}

Status take_text(const std::string& value, std::string& text) {
  text = value;
  return {};
}

Status take_option(const std::string& name, const std::string& value, Options& options) {
  if (name == "--workload") return take_workload(value, options.spec);
  if (name == "--direction") return take_direction(value, options.direction);
  if (name == "--size") return take_size(value, options.bytes);
  if (name == "--repeats") return take_count(name, value, 1, options.repeats);
  if (name == "--warmups") return take_count(name, value, 0, options.warmups);
  if (name == "--seconds") return take_seconds(value, options.seconds);
  if (name == "--dir") return take_text(value, options.directory);
  if (name == "--verify") return take_answer(name, value, options.verify);
  if (name == "--block") return take_answer(name, value, options.block);
  if (name == "--hints") return take_hints(value, options.hints);
  if (name == "--json") return take_text(value, options.json);
  return refused("no option '" + name + "'; --help shows all");
}

std::string parameter_line(const Parameter& parameter) {
  const std::string fallback = parameter.fallback == kFromSize ? "" : "=" + std::to_string(parameter.fallback);
  return "      :" + std::string(parameter.name) + fallback + "  " + std::string(parameter.text) + "\n";
}

}  // namespace

const char* name_of(Direction direction) { return direction == Direction::kWrite ? "write" : "read"; }

std::string usage() {
  std::string text =
      "usage: mpirun ... workloads --workload NAME[:key=value]... --dir DIR [options]\n\n"
      "Measures one workload, in turn with Block I/O of the same bytes. Files 'subject' and 'block' are made in DIR,\n"
      "in place of any that are there, and removed.\n\n"
      "  --direction write|read   (write)\n"
      "  --size BYTES             of data in all; default: one that suits the workload\n"
      "  --repeats N --warmups N --seconds S    (5, 1, 20) no repeat begins after S seconds, but there is one\n"
      "  --verify yes|no          (yes) every byte, after every repeat, outside of the timed part\n"
      "  --block yes|no           (yes) measure Block I/O too\n"
      "  --hints \"key=value;...\"  for MPI_File_open\n"
      "  --json FILE              append the result; default: print it\n\n"
      "exit code: 0; 1: wrong data; 2: bad input; 3: a call failed\n\n";
  for (const Workload& workload : all_workloads()) {
    text += "  " + std::string(workload.name) + "  " + std::string(workload.text) + "\n";
    for (const Parameter& parameter : workload.parameters) text += parameter_line(parameter);
  }
  return text;
}

weir::Result<Options> parse_options(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return refused("'" + words[i] + "' has no value; --help shows all options");
    if (Status status = take_option(words[i], words[i + 1], options); !status.ok()) return status;
  }
  if (options.spec.workload == nullptr) return refused("--workload is missing");
  if (options.directory.empty()) return refused("--dir is missing");
  return options;
}

}  // namespace bench

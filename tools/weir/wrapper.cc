#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "launcher.h"

namespace weir::tool {

namespace {

struct Wrapper {
  std::string_view name;
  std::string_view value_options;  // options whose value is the next word
  std::string_view flags;          // options without a value; any --option=value is accepted too
  int positionals;                 // words between the options and the command
};

constexpr Wrapper kWrappers[] = {
    {"env", "-u --unset -C --chdir", "-0 --null -v --debug", 0},
    {"timeout", "-k --kill-after -s --signal", "-v --verbose --foreground --preserve-status", 1},
    {"nice", "-n --adjustment", "", 0},
    {"ionice", "-c --class -n --classdata", "-t --ignore", 0},
    {"nohup", "", "", 0},
    {"setsid", "", "-c --ctty -f --fork -w --wait", 0},
    {"stdbuf", "-i --input -o --output -e --error", "", 0},
    {"time", "-f --format -o --output", "-a --append -p --portability -v --verbose -q --quiet", 0},
    {"taskset", "", "-a --all-tasks -c --cpu-list", 1},
    {"chrt", "-T --sched-runtime -P --sched-period -D --sched-deadline",
     "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork -v "
     "--verbose",
     1},
    {"numactl",
     "-i --interleave -w --weighted-interleave -m --membind -P --preferred-many -p --preferred -N "
     "--cpunodebind "
     "-C --physcpubind",
     "-l --localalloc -a --all -b --balancing", 0},
    {"strace", "-e -o -s -a -E -u -p -P -S -X -b -I --trace --output",
     "-f -ff -F -c -C -d -q -qq -r -t -tt -ttt -T -v -x -xx -y -yy -k -w -n -i --follow-forks", 0},
    {"ltrace", "-e -o -s -a -u -l -x -n -A -D -F", "-f -c -C -i -L -r -S -t -tt -ttt -T", 0},
    {"valgrind", "", "-q -v -d --quiet --verbose", 0},
};

const Wrapper* find_wrapper(const std::string& word) {
  const std::string name = base_name(word);
  const auto* found = std::find_if(std::begin(kWrappers), std::end(kWrappers),
                                   [&](const Wrapper& wrapper) { return wrapper.name == name; });
  return found == std::end(kWrappers) ? nullptr : found;
}

bool lists(std::string_view options, const std::string& option) {
  const Words all = split(options, ' ');
  return std::find(all.begin(), all.end(), option) != all.end();
}

bool is_assignment(const std::string& word) { return word.find('=') != std::string::npos; }

// env may take away or replace what weir sets.
Status check_env(const std::string& word, const std::string& value) {
  if (word == "-i" || word == "-" || word == "--ignore-environment")
    return cannot("env -i takes weir's settings away from the program; leave -i out");
  if ((word == "-u" || word == "--unset") && (value == "LD_PRELOAD" || value == "WEIR_HINTS"))
    return cannot(fmt::format("env -u {} takes weir away from the program; leave it out", value));
  if (word == "--unset=LD_PRELOAD" || word == "--unset=WEIR_HINTS")
    return cannot(fmt::format("env {} takes weir away from the program; leave it out", word));
  if (word.starts_with("-S") || word.starts_with("--split-string"))
    return cannot("weir does not look into env -S; write the words separately");
  if (word.starts_with("LD_PRELOAD=") || word.starts_with("WEIR_HINTS=")) {
    return cannot(
        fmt::format("env {} would replace weir's own setting; set it in front of weir run instead: "
                    "{} weir run ...",
                    word, word));
  }
  return {};
}

// The number of words that the option at the front takes, itself included; 0: not an option.
Result<std::size_t> option_words(const Wrapper& wrapper, std::span<const std::string> words) {
  const std::string& word = words.front();
  if (word.size() < 2 || word[0] != '-') return std::size_t{0};
  if (word == "--" || lists(wrapper.flags, word)) return std::size_t{1};
  if (lists(wrapper.value_options, word)) return std::size_t{2};
  const bool has_value = word.starts_with("--") && is_assignment(word);
  const bool attached = word[1] != '-' && (lists(wrapper.value_options, word.substr(0, 2)) ||
                                           (wrapper.name == "nice" && word[1] >= '0' && word[1] <= '9'));
  if (has_value || attached) return std::size_t{1};
  return cannot(
      fmt::format("weir does not know {}'s option {}, so it cannot tell where the program's name "
                  "stands.\n  Say which MPI it uses: weir run --mpi openmpi|mpich -- ...",
                  wrapper.name, word));
}

// The index behind the wrapper at `at` and its own arguments.
Result<std::size_t> skip_one(const Wrapper& wrapper, const Words& words, std::size_t at, std::size_t end) {
  const bool is_env = wrapper.name == "env";
  for (++at; at < end;) {
    const std::string value = at + 1 < end ? words[at + 1] : "";
    if (is_env)
      if (Status status = check_env(words[at], value); !status.ok()) return status;
    const auto taken = option_words(wrapper, std::span(words).subspan(at, end - at));
    if (!taken.ok()) return taken.status();
    if (taken.value() == 0) break;
    const bool last_option = words[at] == "--";
    at += taken.value();  // may lead past the end, when an option lacks its value
    if (last_option) break;
  }
  for (; is_env && at < end && is_assignment(words[at]); ++at)
    if (Status status = check_env(words[at], ""); !status.ok()) return status;
  return at + static_cast<std::size_t>(wrapper.positionals);
}

}  // namespace

Result<std::size_t> skip_wrappers(const Words& words, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const Wrapper* wrapper = find_wrapper(words[begin]);
    if (wrapper == nullptr) return begin;
    const auto behind = skip_one(*wrapper, words, begin, end);
    if (!behind.ok()) return behind.status();
    if (behind.value() >= end) return cannot(fmt::format("{} is given no program to start", words[begin]));
    begin = behind.value();
  }
  return cannot("there is no program to start");
}

}  // namespace weir::tool

#include <sstream>

#include "programs/names.h"
#include "programs/text.h"

namespace weir::programs {

namespace {

// Reads a program line by line; stops at the first line that is not understood.
class Parser {
 public:
  Parsed run(const std::string& text) {
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line) && good_;) {
      ++number;
      if (line.empty() || line[0] == '#') continue;
      line_ = std::istringstream(line);
      line[0] == ' ' ? part() : item();
      if (!good_) parsed_.error = "line " + std::to_string(number) + ": " + line;
    }
    return parsed_;
  }

 private:
  Program& program() { return parsed_.program; }
  Step& step() { return program().steps.back(); }

  template <typename T = std::int64_t>
  T number() {
    T value = {};
    if (!(line_ >> value)) good_ = false;
    return value;
  }
  RankSet ranks() {
    expect("ranks");
    RankSet set = 0;
    if (!(line_ >> std::hex >> set >> std::dec)) good_ = false;
    return set;
  }
  std::string text() { return number<std::string>(); }
  void expect(std::string_view word) { good_ &= text() == word; }
  template <typename Enum, typename Words>
  Enum one_of(const Words& words) {
    const auto found = find_word<Enum>(words, text());
    good_ &= found.has_value();
    return found.value_or(Enum{});
  }

  void item() {
    const std::string word = text();
    if (word == "program") return head();
    if (word == "comm") return communicator();
    if (word == "file") {
      FileSpec file;
      file.communicator = number<int>();
      file.initial_bytes = number();
      program().files.push_back(file);
      return;
    }
    if (word == "message") {
      Message message;
      message.from = number<int>();
      message.to = number<int>();
      message.bytes = number();
      program().messages.push_back(message);
      return;
    }
    if (word == "fault") return fault();
    const auto kind = find_word<StepKind>(kStepWords, word);
    good_ &= kind.has_value();
    if (!good_) return;
    program().steps.push_back({.kind = *kind});
    rest_of_step();
  }

  void head() {
    expect("seed");
    program().seed = number<std::uint64_t>();
    expect("ranks");
    program().ranks = number<int>();
    expect("ranks_per_node");
    program().ranks_per_node = number<int>();
    program().eager = text() == "eager";
    program().level = one_of<Level>(kLevelWords);
    good_ &= program().ranks >= 1 && program().ranks < kMostRanks;
  }

  void communicator() {
    Communicator communicator;
    communicator.kind = one_of<Communicator::Kind>(kCommunicatorWords);
    for (int rank = 0; rank < program().ranks; ++rank) communicator.colours.push_back(number<int>());
    program().communicators.push_back(communicator);
  }

  void fault() {
    PlannedFault fault;
    fault.rank = number<int>();
    fault.on_write = text() == "write";
    fault.call = number();
    fault.error_number = number<int>();
    program().faults.push_back(fault);
  }

  void open() {
    step().file = number<int>();
    const std::string letters = text();
    Mode& mode = step().mode;
    bool* const members[] = {&mode.reads,           &mode.writes,      &mode.create, &mode.exclusive,
                             &mode.delete_on_close, &mode.unique_open, &mode.append};
    for (std::size_t i = 0; i < kModeLetters.size(); ++i) {
      *members[i] = letters.find(kModeLetters[i]) != std::string::npos;
    }
    for (std::string pair; line_ >> pair;) {
      const std::size_t middle = pair.find('=');
      good_ &= middle != std::string::npos;
      if (good_) step().hints.emplace_back(pair.substr(0, middle), pair.substr(middle + 1));
    }
  }

  void access() {
    step().id = number<int>();
    expect("file");
    step().file = number<int>();
    step().direction = one_of<Direction>(kDirectionWords);
    step().pointer = one_of<Pointer>(kPointerWords);
    step().collective = text() == "all";
    step().manner = one_of<Manner>(kMannerWords);
    step().overlaps = text() == "overlaps";
    step().ranks = ranks();
    step().shares.resize(static_cast<std::size_t>(program().ranks));
  }

  void complete() {
    step().way = one_of<Way>(kWayWords);
    step().ranks = ranks();
    expect("accesses");
    std::vector<int>* list = &step().accesses;
    for (std::string word; line_ >> word;) {
      if (word == "messages") {
        list = &step().messages;
      } else {
        list->push_back(std::atoi(word.c_str()));
      }
    }
  }

  void rest_of_step() {
    switch (step().kind) {
      case StepKind::kOpen: return open();
      case StepKind::kAccess: return access();
      case StepKind::kComplete: return complete();
      case StepKind::kView:
        step().file = number<int>();
        step().views.resize(static_cast<std::size_t>(program().ranks));
        return;
      case StepKind::kSeek:
        step().file = number<int>();
        step().whence = one_of<Whence>(kWhenceWords);
        step().ranks = ranks();
        step().shares.resize(static_cast<std::size_t>(program().ranks));
        return;
      case StepKind::kJoin:
        step().id = number<int>();
        step().ranks = ranks();
        return;
      case StepKind::kEnd:
      case StepKind::kIsend:
      case StepKind::kIrecv:
      case StepKind::kSend:
      case StepKind::kRecv:
      case StepKind::kExchange: step().id = number<int>(); return;
      case StepKind::kBarrier: step().number = number(); return;
      case StepKind::kClose:
      case StepKind::kSync:
      case StepKind::kAsk: step().file = number<int>(); return;
      default: step().file = number<int>(); step().number = number();
    }
  }

  // What one rank, or all, do in the last step.
  void part() {
    const std::string who = text();
    good_ &= !program().steps.empty();
    if (!good_) return;
    const auto last = static_cast<std::size_t>(program().ranks) - 1;
    const std::size_t first_rank = who == "*" ? 0 : static_cast<std::size_t>(std::atoi(who.c_str()));
    const std::size_t last_rank = who == "*" ? last : first_rank;
    good_ &= last_rank <= last;
    if (!good_) return;
    if (step().kind == StepKind::kView) {
      const View view = this->view();
      for (std::size_t rank = first_rank; rank <= last_rank; ++rank) step().views[rank] = view;
    } else {
      const Share share = this->share();
      good_ &= step().shares.size() == last + 1;
      for (std::size_t rank = first_rank; good_ && rank <= last_rank; ++rank) step().shares[rank] = share;
    }
  }

  View view() {
    View view;
    view.displacement = number();
    expect("etype");
    view.etype_bytes = number();
    expect("extent");
    view.extent = number();
    view.kind = one_of<View::Kind>(kViewWords);
    for (std::int64_t value = 0; line_ >> value;) view.numbers.push_back(value);
    return view;
  }

  Share share() {
    Share share;
    share.offset = number();
    share.count = number();
    share.memory.kind = one_of<Memory::Kind>(kMemoryWords);
    share.memory.block = number();
    share.memory.gap = number();
    return share;
  }

  Parsed parsed_;
  std::istringstream line_;
  bool good_ = true;
};

}  // namespace

Parsed parse(const std::string& text) { return Parser().run(text); }

}  // namespace weir::programs

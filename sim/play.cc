#include "sim/play.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hints/apply.h"
#include "plan/exchange.h"
#include "plan/plan.h"
#include "plan/wishes.h"
#include "sim/agents.h"
#include "sim/alone.h"
#include "sim/inspection.h"
#include "sim/program.h"
#include "sim/rounds.h"

namespace weir::sim {

namespace {

// Events of a message with data, about.
constexpr std::int64_t kEventsOfMessage = 4;
// A call is not cut to fewer rounds.
constexpr std::int64_t kLeastRounds = 8;
// Between two questions whether to go on.
constexpr std::int64_t kEventsBetweenLooks = 1 << 16;
// What a rank tells the others in a call, and in one like the call before.
constexpr std::int64_t kSummaryBytes = 88;
constexpr std::int64_t kAgainBytes = 8;

constexpr double kMicrosPerSecond = 1e6;

Status refused(std::string text) { return {ErrorClass::kArgument, std::move(text)}; }

Result<hints::HintSet> hints_of(const Scenario& scenario) {
  hints::HintSet set;
  for (const hints::Change& change : hints::apply(set, scenario.hints, hints::When::kOpen)) {
    if (change.outcome == hints::Outcome::kUnknown || change.outcome == hints::Outcome::kRejected)
      return refused(hints::sentence(change));
  }
  return set;
}

plan::Facts facts_of(const Scenario& scenario, const hints::HintSet& hints) {
  const model::MachineModel& machine = scenario.machine;
  plan::Facts facts;
  facts.direction = scenario.direction;
  facts.machine = plan::Machine::evenly(scenario.workload.shape.ranks, scenario.ranks_per_node);
  facts.machine.cores_per_node = machine.nodes.cores_per_node;
  facts.storage = {machine.storage.block_bytes, machine.storage.servers, machine.locks.protocol,
                   machine.storage.behind_network};
  facts.wishes = plan::wishes_of(hints, scenario.direction);
  facts.model = machine;
  return facts;
}

class Player {
 public:
  Player(const Scenario& scenario, plan::Facts facts, AgentShape agents)
      : scenario_(scenario),
        agents_(agents),
        facts_(std::move(facts)),
        program_(scenario.workload),
        network_(scenario.machine, program_.ranks(), scenario.ranks_per_node, events_),
        store_(scenario.machine, facts_.machine.nodes(), events_),
        stage_{scenario.machine, events_, network_, store_} {}

  Result<Outcome> run() {
    outcome_.calls = program_.calls();
    const Status status = program_.collective() ? play_calls() : play_alone();
    if (!status.ok()) return status;
    finish();
    return outcome_;
  }

 private:
  // Lets events happen until there are none.
  Status drain() {
    while (events_.step()) {
      if (events_.happened() % kEventsBetweenLooks == 0 && !goes_on()) return stopped();
    }
    return {};
  }
  bool goes_on() const {
    return !scenario_.go_on || scenario_.go_on({outcome_.calls, outcome_.calls_played, events_.happened()});
  }
  Status stopped() const {
    return refused(fmt::format("stopped after {} of {} calls and {} events", outcome_.calls_played, outcome_.calls,
                               events_.happened()));
  }
  void pass(Micros time) {
    events_.after(time, [] {});
    while (events_.step()) {
    }
  }

  // Also with what has been written and is on its way: what takes long has it on its way all the time.
  Micros busy_until() const { return std::max(events_.now(), store_.clean_at()); }

  bool enough() const {
    const int least = last_events_ > scenario_.most_events ? 1 : 2;
    return outcome_.calls_played >= least && events_.happened() + last_events_ > scenario_.most_events;
  }

  Status play_calls() {
    for (std::int64_t call = 0; call < outcome_.calls; ++call) {
      if (!goes_on()) return stopped();
      if (enough()) break;
      const std::int64_t before = events_.happened();
      if (Status status = play_call(call); !status.ok()) return status;
      last_events_ = events_.happened() - before;
      ++outcome_.calls_played;
    }
    return {};
  }

  Status play_call(std::int64_t call) {
    const auto distance = program_.moved_by(call);
    const bool again = distance && plan_ &&
                       (plan_->method == plan::Method::kIndependent || plan::moves_by(*plan_, distance_ + *distance));
    distance_ = again ? distance_ + *distance : 0;
    meet(again ? kAgainBytes : kSummaryBytes);
    if (!again) {
      if (Status status = make_plan(call); !status.ok()) return status;
    }
    if (plan_->method == plan::Method::kTwoPhase) return play_rounds(!again || scenario_.lists);
    if (plan_->method == plan::Method::kIndependent) return play_alone_call(call);
    return {};
  }

  void meet(std::int64_t bytes_of_rank) {
    const Micros time = meeting_time(scenario_.machine, program_.ranks(), scenario_.ranks_per_node, bytes_of_rank) +
                        meeting_time(scenario_.machine, program_.ranks(), scenario_.ranks_per_node, kAgainBytes);
    meetings_ += time;
    pass(time);
  }

  Status make_plan(std::int64_t call) {
    std::vector<plan::AccessSummary> summaries;
    for (int rank = 0; rank < program_.ranks(); ++rank) {
      if (rank % 256 == 0 && !goes_on()) return stopped();
      summaries.push_back(plan::summary_of(program_.request(call, rank)));
    }
    plan_ = plan::make_plan(facts_, summaries);
    call_bytes_ = plan_->bytes;
    if (outcome_.plan.empty()) outcome_.plan = plan::print(*plan_);
    if (plan_->method != plan::Method::kTwoPhase) return {};
    const auto parties = static_cast<std::int64_t>(plan::parties_of(*plan_).size());
    const std::int64_t of_round = parties * static_cast<std::int64_t>(plan_->aggregators.size()) * kEventsOfMessage;
    const std::int64_t most = std::max(kLeastRounds, scenario_.most_events / std::max<std::int64_t>(of_round, 1));
    bool going = true;
    traffic_ = traffic_of(
        *plan_,
        [&](int rank) {
          going = going && (rank % 256 != 0 || goes_on());
          return going ? program_.request(call, rank) : layout::Layout();
        },
        most);
    if (outcome_.calls_played == 0) {
      outcome_.rounds = traffic_.rounds;
      outcome_.rounds_played = static_cast<std::int64_t>(traffic_.of_round.size());
      outcome_.plan = plan::print(*plan_);
    }
    return going ? Status() : stopped();
  }

  Status play_rounds(bool inspect) {
    if (inspect) {
      const Micros begin = events_.now();
      Inspection inspection(stage_, *plan_, traffic_, scenario_.lists);
      inspection.start();
      if (Status status = drain(); !status.ok()) return status;
      (scenario_.lists ? meetings_ : inspected_) += events_.now() - begin;
    }
    const Micros begin = busy_until();
    const std::int64_t messages = network_.sent();
    RoundPlayer rounds(stage_, *plan_, traffic_, distance_);
    rounds.start();
    if (Status status = drain(); !status.ok()) return status;
    const double share = static_cast<double>(traffic_.rounds) / static_cast<double>(traffic_.of_round.size());
    const CallTimes times = rounds.times();
    gather_ += share * times.gather;
    receive_ += share * times.receive;
    exchange_ += share * times.exchange;
    file_ += share * times.file;
    left_out_ += (share - 1) * (busy_until() - begin);
    data_messages_ += share * static_cast<double>(network_.sent() - messages);
    outcome_.most_receives = std::max(outcome_.most_receives, rounds.most_receives());
    played_bytes_ += call_bytes_;
    return {};
  }

  Status play_alone_call(std::int64_t call) {
    Alone alone(stage_, program_, scenario_.direction, prefetch());
    const Micros begin = events_.now();
    alone.start(call, call + 1, scenario_.most_events / kEventsOfMessage / std::max<std::int64_t>(outcome_.calls, 1));
    if (Status status = drain(); !status.ok()) return status;
    add_alone(alone, begin);
    return {};
  }

  // All calls, by ranks that do not meet.
  Status play_alone() {
    std::unique_ptr<Agents> agents;
    if (agents_.block_bytes > 0)
      agents = std::make_unique<Agents>(stage_, agents_, program_.ranks(), facts_.machine.nodes());
    Alone alone(stage_, program_, scenario_.direction, prefetch(), agents.get());
    const Micros begin = events_.now();
    alone.start(0, outcome_.calls, scenario_.most_events / kEventsOfMessage);
    outcome_.calls_played = outcome_.calls;
    outcome_.plan = agents == nullptr ? "every rank accesses the file itself, call by call"
                                      : "every rank accesses the file through I/O agents, call by call";
    if (Status status = drain(); !status.ok()) return status;
    if (agents != nullptr) {
      agents->flush();
      if (Status status = drain(); !status.ok()) return status;
    }
    add_alone(alone, begin);
    return {};
  }

  plan::Prefetch prefetch() const { return {facts_.wishes.max_acc, facts_.storage.lock_bytes}; }

  void add_alone(const Alone& alone, Micros begin) {
    file_ += alone.share() * (events_.now() - begin);
    left_out_ += (alone.share() - 1) * (events_.now() - begin);
    played_bytes_ += alone.bytes();
    if (alone.share() > 1) pieces_sampled_ = true;
  }

  void finish() {
    const double clean = std::max(events_.now(), store_.clean_at());
    file_ += clean - events_.now();
    const Micros fixed = inspected_;
    std::int64_t all = played_bytes_;
    if (outcome_.calls_played < outcome_.calls && outcome_.calls_played > 0) {
      all = static_cast<std::int64_t>(static_cast<double>(played_bytes_) * static_cast<double>(outcome_.calls) /
                                      static_cast<double>(outcome_.calls_played));
    }
    const double scale = played_bytes_ > 0 ? static_cast<double>(all) / static_cast<double>(played_bytes_) : 1;
    const auto seconds = [&](Micros time) { return scale * time / kMicrosPerSecond; };
    outcome_.bytes = all;
    outcome_.seconds.inspect = seconds(meetings_) + fixed / kMicrosPerSecond;
    outcome_.seconds.gather = seconds(gather_);
    outcome_.seconds.receive = seconds(receive_);
    outcome_.seconds.exchange = seconds(exchange_);
    outcome_.seconds.file = seconds(file_);
    outcome_.seconds.total = seconds(clean + left_out_ - fixed) + fixed / kMicrosPerSecond;
    outcome_.bytes_per_second = static_cast<double>(all) / std::max(outcome_.seconds.total, 1e-12);
    outcome_.messages = static_cast<std::int64_t>(scale * data_messages_);
    outcome_.lock_requests = store_.counts().asked;
    outcome_.lock_callbacks = store_.counts().called_back;
    outcome_.events = events_.happened();
    outcome_.sampled = sampled_text();
  }

  std::string sampled_text() const {
    std::vector<std::string> parts;
    if (outcome_.calls_played < outcome_.calls)
      parts.push_back(fmt::format("{} of {} calls", outcome_.calls_played, outcome_.calls));
    if (outcome_.rounds_played < outcome_.rounds)
      parts.push_back(fmt::format("{} of {} rounds", outcome_.rounds_played, outcome_.rounds));
    if (pieces_sampled_) parts.emplace_back("the first pieces of each rank");
    if (parts.empty()) return {};
    return fmt::format("played: {}; the others are taken to be alike", fmt::join(parts, ", "));
  }

  const Scenario& scenario_;
  AgentShape agents_;
  plan::Facts facts_;
  Program program_;
  EventQueue events_;
  Network network_;
  Store store_;
  Stage stage_;
  Outcome outcome_;
  std::optional<plan::Plan> plan_;
  Traffic traffic_;
  std::int64_t distance_ = 0;  // of the call from the one that was planned
  std::int64_t call_bytes_ = 0;
  std::int64_t played_bytes_ = 0;
  std::int64_t last_events_ = 0;
  bool pieces_sampled_ = false;
  Micros meetings_ = 0;   // and what else every call does before data move
  Micros inspected_ = 0;  // in the first of calls that repeat
  Micros gather_ = 0;
  Micros receive_ = 0;
  Micros exchange_ = 0;
  Micros file_ = 0;
  Micros left_out_ = 0;  // that rounds would have taken which were not played
  double data_messages_ = 0;
};

Status check(const Scenario& scenario) {
  const int ranks = scenario.workload.shape.ranks;
  const int nodes = (ranks + scenario.ranks_per_node - 1) / scenario.ranks_per_node;
  if (nodes > scenario.machine.nodes.count) {
    return refused(fmt::format("{} ranks, {} a node, need {} nodes; the machine has {}", ranks, scenario.ranks_per_node,
                               nodes, scenario.machine.nodes.count));
  }
  return {};
}

}  // namespace

Result<Outcome> play(const Scenario& scenario) {
  if (Status status = check(scenario); !status.ok()) return status;
  const auto hints = hints_of(scenario);
  if (!hints.ok()) return hints.status();
  const plan::Facts facts = facts_of(scenario, hints.value());
  const AgentShape agents =
      agent_shape(hints.value(), facts.storage.lock_bytes, facts.machine.nodes(), scenario.ranks_per_node);
  return Player(scenario, facts, agents).run();
}

}  // namespace weir::sim

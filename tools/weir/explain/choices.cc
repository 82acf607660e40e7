#include "explain/choices.h"

#include <fmt/format.h>

#include <utility>

#include "plan/aggregators.h"
#include "plan/local_aggregators.h"
#include "plan/steps.h"

namespace weir::tool::explain {

namespace {

constexpr const char* kTwoPhase = "weir_method=two_phase";

// 1, 2, 4, ... up to `most`, which is the last.
std::vector<int> doublings(int most) {
  std::vector<int> numbers;
  for (int number = 1; number < most; number *= 2) numbers.push_back(number);
  numbers.push_back(most);
  return numbers;
}

// Collects the choices of one question.
class Collector {
 public:
  Collector(const Question& question, const plan::Plan& taken) : question_(question), taken_(taken) {}

  void add(std::string kind, std::string name, Words hints, bool taken) {
    plan::Plan plan = answer(question_, hints);
    if (!plan.replaced.empty()) return;
    all_.push_back({std::move(kind), std::move(name), std::move(hints), std::move(plan), taken});
  }

  void add_methods() {
    for (const plan::Method method : {plan::Method::kTwoPhase, plan::Method::kIndependent}) {
      const std::string name = plan::name(method);
      add("method", name, {"weir_method=" + name}, taken_.method == method);
    }
  }

  void add_domains() {
    for (const plan::DomainKind kind : {plan::DomainKind::kEven, plan::DomainKind::kAligned,
                                        plan::DomainKind::kStaticCyclic, plan::DomainKind::kGroupCyclic}) {
      const std::string name = plan::name(kind);
      add("domains", name, {kTwoPhase, "weir_domains=" + name}, aggregated() && taken_.domain_kind == kind);
    }
  }

  void add_exchanges() {
    for (const plan::Exchange exchange :
         {plan::Exchange::kShared, plan::Exchange::kDirect, plan::Exchange::kPairwise}) {
      const std::string name = plan::name(exchange);
      add("exchange", name, {kTwoPhase, "weir_exchange=" + name}, aggregated() && taken_.exchange == exchange);
    }
  }

  void add_numbers() {
    const plan::Machine& machine = question_.facts.machine;
    for (const int count : doublings(machine.ranks())) {
      if (count > kMostAggregators) break;
      add("aggregators", std::to_string(count), {kTwoPhase, fmt::format("cb_nodes={}", count)},
          aggregated() && std::ssize(taken_.aggregators) == count);
    }
    if (machine.nodes() == 1) return;
    for (const int count : doublings(plan::largest_group(machine.node_of))) {
      add("local aggregators", std::to_string(count),
          {kTwoPhase, "weir_exchange=shared", fmt::format("weir_local_aggregators={}", count)},
          aggregated() && taken_.local_aggregators == count);
    }
  }

  std::vector<Choice> collected() && { return std::move(all_); }

 private:
  static constexpr int kMostAggregators = 256;

  bool aggregated() const { return taken_.method == plan::Method::kTwoPhase; }

  const Question& question_;
  const plan::Plan& taken_;
  std::vector<Choice> all_;
};

}  // namespace

std::vector<Choice> choices_of(const Question& question, const plan::Plan& taken) {
  Collector collector(question, taken);
  collector.add_methods();
  collector.add_domains();
  collector.add_exchanges();
  collector.add_numbers();
  return std::move(collector).collected();
}

std::string choices_table(const Question&, const std::vector<Choice>& choices) {
  constexpr const char* kLine = "  {:<1} {:<18} {:<14} {:>10} {:>8} {:>10} {:>14}  {}\n";
  std::string text = "\nWhat else it could do (* as it does)\n";
  text += fmt::format(kLine, "", "decision", "choice", "predicted", "rounds", "receives", "between nodes",
                      "hints that force it");
  for (const Choice& choice : choices) {
    const bool aggregated = choice.plan.method == plan::Method::kTwoPhase;
    text += fmt::format(
        kLine, choice.taken ? "*" : "", choice.kind, choice.name, plan::time_text(choice.plan.predicted.total_us()),
        aggregated ? std::to_string(choice.plan.rounds) : "-",
        aggregated ? std::to_string(plan::receives_of_a_round(choice.plan)) : "-",
        aggregated ? fmt::format("{:.1f} MB", static_cast<double>(choice.plan.traffic.between_nodes) / 1e6) : "-",
        join(choice.hints, " "));
  }
  return text;
}

}  // namespace weir::tool::explain

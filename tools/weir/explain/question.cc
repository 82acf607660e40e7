#include "explain/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compare/numbers.h"
#include "explain/place.h"
#include "hint_words.h"
#include "hints/apply.h"
#include "hints/pairs.h"
#include "plan/aggregators.h"
#include "plan/wishes.h"
#include "workloads/views.h"
#include "workloads/workload.h"

namespace weir::tool::explain {

namespace {

// The names of nodes that cb_config_list may speak of.
std::vector<std::string> host_names(int nodes) {
  std::vector<std::string> names;
  for (int node = 0; node < nodes; ++node) names.push_back(fmt::format("node{}", node));
  return names;
}

std::string places_text(const plan::Machine& machine) {
  return fmt::format("{} ranks on {} node{}", machine.ranks(), machine.nodes(), machine.nodes() == 1 ? "" : "s");
}

Result<bench::Settled> settle(const ExplainOptions& options, int ranks) {
  auto spec = bench::parse_spec(options.what);
  if (!spec.ok()) return spec.status();
  std::int64_t bytes = bench::default_bytes(spec.value(), ranks);
  if (!options.size.empty()) {
    const auto size = compare::parse_bytes(options.size);
    if (!size.ok()) return size.status();
    bytes = size.value();
  }
  return bench::settle(spec.value(), {.ranks = ranks, .bytes = bytes});
}

void add_requests(const bench::Settled& workload, Question& question) {
  for (int rank = 0; rank < workload.shape.ranks; ++rank) {
    const bench::Share share = bench::share_of(workload, rank);
    if (rank == 0) {
      question.calls = static_cast<int>(bench::call_count(share));
      question.collective = share.collective;
    }
    question.requests.push_back(bench::request_of(share.accesses.front(), 0));
    question.summaries.push_back(plan::summary_of(question.requests.back()));
  }
}

}  // namespace

void add_hints(hints::HintSet& hints, const Words& words) {
  hints::Pairs pairs;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  hints::apply(hints, pairs, hints::When::kOpen);
}

Result<Question> prepared(const ExplainOptions& options) {
  if (options.direction != "write" && options.direction != "read") {
    return cannot(fmt::format("--op {}: say write or read", options.direction));
  }
  if (Status status = check_hints(options.hints); !status.ok()) return status;
  const auto place = find_place(options);
  if (!place.ok()) return place.status();
  Question question;
  question.facts.direction = options.direction == "write" ? Direction::kWrite : Direction::kRead;
  question.facts.machine = place.value().machine;
  question.facts.storage = place.value().storage;
  question.facts.model = place.value().model;
  add_hints(question.hints, options.hints);
  question.title = fmt::format("{}: {}, {}, {}", options.what, options.direction, places_text(question.facts.machine),
                               place.value().name);
  return question;
}

Result<Question> ask(const ExplainOptions& options) {
  auto question = prepared(options);
  if (!question.ok()) return question.status();
  const auto workload = settle(options, question.value().facts.machine.ranks());
  if (!workload.ok()) return workload.status();
  add_requests(workload.value(), question.value());
  return question;
}

plan::Plan answer(const Question& question, const Words& more_hints) {
  hints::HintSet hints = question.hints;
  add_hints(hints, more_hints);
  plan::Facts facts = question.facts;
  facts.wishes = plan::wishes_of(hints, facts.direction);
  if (hints.has(hints::Id::kCbConfigList)) {
    auto most = plan::read_config_list(hints.text(hints::Id::kCbConfigList), host_names(facts.machine.nodes()));
    if (most.ok()) {
      facts.machine.most_per_node = std::move(most).value();
    } else {
      facts.wishes.unreadable.push_back(most.status().text());
    }
  }
  return plan::make_plan(facts, question.summaries);
}

}  // namespace weir::tool::explain

#include "trace/report_json.h"

#include <nlohmann/json.hpp>

#include "plan/steps.h"

namespace weir::trace {

namespace {

using Json = nlohmann::ordered_json;

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

Json json_of(const CounterValues& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kCounters; ++i) {
    const auto counter = static_cast<Counter>(i);
    const std::string key(name(counter));
    if (is_time(counter)) {
      json[key] = seconds(values[i]);
    } else {
      json[key] = values[i];
    }
  }
  return json;
}

std::vector<int> nodes_of(const std::vector<int>& ranks, const std::vector<int>& node_of) {
  std::vector<int> nodes;
  if (node_of.empty()) return nodes;
  for (const int rank : ranks) nodes.push_back(node_of[static_cast<std::size_t>(rank)]);
  return nodes;
}

void add_prediction(const plan::Steps& steps, Json& json) {
  constexpr double kSecond = 1e6;
  json.update(Json{
      {"predicted_seconds", steps.total_us() / kSecond},
      {"predicted_inspect_seconds", steps.inspect_us / kSecond},
      {"predicted_copy_seconds", steps.copy_us / kSecond},
      {"predicted_exchange_seconds", steps.exchange_us / kSecond},
      {"predicted_file_seconds", steps.file_us / kSecond},
  });
}

Json json_of(const plan::Plan& plan, const std::vector<int>& node_of) {
  Json json = {
      {"method", name(plan.method)},
      {"reason", plan.reason},
      {"region_begin_bytes", plan.region.begin},
      {"region_end_bytes", plan.region.end},
      {"asked_bytes", plan.bytes},
      {"pieces", plan.pieces},
      {"active_ranks", plan.active_ranks},
      {"replaced_wishes", plan.replaced},
  };
  add_prediction(plan.predicted, json);
  if (plan.method != plan::Method::kTwoPhase) return json;
  json.update(Json{
      {"aggregator_ranks", plan.aggregators},
      {"aggregator_nodes", nodes_of(plan.aggregators, node_of)},
      {"aggregators_reason", plan.aggregators_reason},
      {"domains", name(plan.domain_kind)},
      {"domains_reason", plan.domains_reason},
      {"estimated_between_nodes_bytes", plan.traffic.between_nodes},
      {"estimated_in_rank_order_bytes", plan.traffic.in_rank_order},
      {"rounds", plan.rounds},
      {"window_bytes", plan.round_size.window_bytes},
      {"window_reason", plan.window_reason},
      {"rounds_in_flight", plan.depth},
      {"exchange", name(plan.exchange)},
      {"exchange_reason", plan.exchange_reason},
      {"local_aggregators_per_node", plan.local_aggregators},
      {"local_aggregators_reason", plan.local_aggregators_reason},
      {"merging", name(plan.merging)},
      {"merging_reason", plan.merging_reason},
      {"sparse", plan.sparse ? Json(*plan.sparse) : Json()},
      {"possible_pairs", plan.pairs.possible},
      {"pairs_with_bytes", plan.pairs.with_bytes},
      {"possible_turns", plan.pairs.possible_turns},
      {"turns_with_bytes", plan.pairs.turns_with_bytes},
  });
  return json;
}

Json json_of(const DirectionTally& tally, const std::vector<int>& node_of) {
  return {
      {"collective_calls", tally.calls()},
      {"two_phase_calls", tally.calls(plan::Method::kTwoPhase)},
      {"independent_calls", tally.calls(plan::Method::kIndependent)},
      {"nothing_calls", tally.calls(plan::Method::kNothing)},
      {"reused_plans", tally.plans_reused},
      {"last_plan", tally.last ? json_of(*tally.last_plan(), node_of) : Json()},
  };
}

Json json_of(const CallRecord& call) {
  Json json = {
      {"number", call.number},
      {"direction", call.direction == Direction::kRead ? "read" : "write"},
      {"method", name(call.method)},
      {"reason", call.reason},
      {"asked_bytes", call.bytes},
      {"rounds", call.rounds},
      {"plan_reused", call.plan_reused},
      {"failed", call.failed},
      {"total_seconds", seconds(call.times.total)},
      {"agree_seconds", seconds(call.times.agree)},
      {"inspect_seconds", seconds(call.times.inspect)},
      {"copy_seconds", seconds(call.times.copy)},
      {"exchange_seconds", seconds(call.times.exchange)},
      {"wait_seconds", seconds(call.times.wait)},
      {"file_seconds", seconds(call.times.file)},
      {"overlapped_seconds", seconds(call.times.overlapped())},
  };
  add_prediction(call.predicted, json);
  return json;
}

Json hints_of(const FileReport& report) {
  Json json = Json::array();
  for (const HintValue& hint : report.hints) {
    json.push_back(Json{{"key", hint.key}, {"value", hint.value}, {"in_force", hint.in_force}});
  }
  return json;
}

Json hints_not_followed(const FileReport& report) {
  Json json = Json::array();
  for (const hints::Change& change : report.hints_not_followed) {
    json.push_back(Json{
        {"key", change.key}, {"value", change.value}, {"outcome", hints::name(change.outcome)}, {"note", change.note}});
  }
  return json;
}

Json calls_of(const CallLog& log) {
  Json json = Json::array();
  for (const CallRecord& call : log.records()) json.push_back(json_of(call));
  return json;
}

}  // namespace

std::string to_json(const FileReport& report) {
  const Json json = {
      {"path", report.path},
      {"file_system", report.file_system},
      {"driver", report.driver},
      {"stripe_bytes", report.stripe_bytes},
      {"servers", report.servers},
      {"io_replaced", report.io_replaced},
      {"ranks", report.ranks},
      {"nodes", report.nodes},
      {"hosts", report.hosts},
      {"thread_level", report.thread_level.level},
      {"thread_level_reason", report.thread_level.reason},
      {"nonblocking_messages", report.thread_level.messages},
      {"hints", hints_of(report)},
      {"hints_not_followed", hints_not_followed(report)},
      {"totals", json_of(report.totals)},
      {"most_of_a_rank", json_of(report.most)},
      {"writing", json_of(report.calls.of(Direction::kWrite), report.node_of)},
      {"reading", json_of(report.calls.of(Direction::kRead), report.node_of)},
      {"last_independent_access", report.last_access},
      {"calls", calls_of(report.calls)},
      {"calls_left_out", report.calls.left_out()},
  };
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weir::trace

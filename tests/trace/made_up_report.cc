#include "trace/made_up_report.h"

namespace weir::trace {

plan::Plan made_up_plan(Direction direction) {
  plan::Plan plan;
  plan.method = plan::Method::kTwoPhase;
  plan.reason = "it pays";
  plan.direction = direction;
  plan.region = {4096, 12288};
  plan.bytes = 8000;
  plan.pieces = 100;
  plan.active_ranks = 3;
  plan.predicted = {.inspect_us = 10, .copy_us = 2000, .exchange_us = 3000, .file_us = 4000, .overlap = 0.5};
  plan.aggregators = {0, 2};
  plan.aggregators_reason = "2 nodes";
  plan.domain_kind = plan::DomainKind::kAligned;
  plan.domains_reason = "no two share a block";
  plan.traffic = {6000, 2000};
  plan.rounds = 2;
  plan.round_size = {4096, 4096};
  plan.window_reason = "caches hold no more";
  plan.depth = 2;
  plan.exchange_reason = "ranks of a node share memory";
  plan.local_aggregators = 1;
  plan.local_aggregators_reason = "little leaves a node";
  plan.merging = plan::Merging::kOn;
  plan.merging_reason = "100 pieces become 10";
  plan.sparse = true;
  plan.pairs = {6, 5, 12, 8};
  plan.replaced = {"5 aggregators asked for, 2 can be had"};
  return plan;
}

FileReport made_up_report() {
  FileReport report;
  report.path = "/data/out";
  report.file_system = "lustre";
  report.driver = "lustre";
  report.stripe_bytes = 1 << 20;
  report.servers = 4;
  report.io_replaced = "weir_io=uring: forbidden";
  report.ranks = 4;
  report.nodes = 2;
  report.node_of = {0, 0, 1, 1};
  report.hosts = {"first", "second"};
  report.thread_level = {"single", "as asked", "move inside the host's progress"};
  for (std::size_t i = 0; i < kCounters; ++i) {
    const std::int64_t unit = is_time(static_cast<Counter>(i)) ? 1'000'000 : 1;
    report.totals[i] = unit * static_cast<std::int64_t>(4 * (i + 1));
    report.most[i] = unit * static_cast<std::int64_t>(i + 2);
  }
  report.hints = {{"cb_nodes", "5", true}, {"striping_unit", "65536", false}};
  report.hints_not_followed = {{"cb_node", "5", {}, hints::Outcome::kUnknown, "did you mean cb_nodes?"}};
  CallEnd end;
  report.calls.add(std::make_shared<plan::Plan>(made_up_plan(Direction::kWrite)), end);
  at(end.after, Counter::kPlansReused) = 1;
  at(end.after, Counter::kCollectiveTime) = 10'000'000;
  at(end.after, Counter::kCopyTime) = 8'000'000;
  at(end.after, Counter::kFileTime) = 5'000'000;
  report.calls.add(std::make_shared<plan::Plan>(made_up_plan(Direction::kWrite)), end);
  plan::Plan alone;
  alone.method = plan::Method::kIndependent;
  alone.reason = "the pieces are large";
  alone.bytes = 20480;
  alone.pieces = 1;
  alone.active_ranks = 1;
  alone.region = {0, 20480};
  report.calls.add(std::make_shared<plan::Plan>(alone), {{}, {}, true});
  report.last_access = "list: 3 pieces in the file";
  return report;
}

}  // namespace weir::trace

#include "explain/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/request_list.h"
#include "plan/local_aggregators.h"
#include "plan/steps.h"

namespace weir::tool::explain {

namespace {

constexpr std::int64_t kStrip = 64;    // characters
constexpr std::size_t kMostShown = 8;  // aggregators or nodes, in tables

char letter(std::size_t number) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return kLetters[number % kLetters.size()];
}

std::string amount(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", value / 1e3);
  if (bytes < 10'000'000'000) return fmt::format("{:.1f} MB", value / 1e6);
  return fmt::format("{:.1f} GB", value / 1e9);
}

// The aggregator whose domain has the byte; as many as there are if none has.
std::size_t owner_of(const plan::Plan& plan, std::int64_t offset) {
  for (std::size_t number = 0; number < plan.domains.size(); ++number) {
    const plan::Domain& domain = plan.domains[number];
    if (!domain.extent.contains(offset)) continue;
    if (domain.block_bytes == 0) return number;
    const std::int64_t ahead = offset - domain.first_block;
    if (ahead >= 0 && ahead % domain.stride_bytes < domain.block_bytes) return number;
  }
  return plan.domains.size();
}

std::string line(std::string_view what, const std::string& chosen, const std::string& reason, std::string_view hint) {
  return fmt::format("  {:<18} {}{}\n{}", what, chosen, reason.empty() ? "" : ": " + reason,
                     hint.empty() ? "" : fmt::format("  {:<18} by hint: {}\n", "", hint));
}

std::string two_phase_words(const plan::Plan& plan) {
  std::string text = line("aggregators", std::to_string(plan.aggregators.size()), plan.aggregators_reason,
                          "cb_nodes=N, cb_config_list");
  text += line("domains", plan::name(plan.domain_kind), plan.domains_reason, "weir_domains=KIND");
  text +=
      line("rounds",
           fmt::format("{} of {} at most, {} in flight", plan.rounds, amount(plan.round_size.window_bytes), plan.depth),
           plan.window_reason, "cb_buffer_size=BYTES, weir_pipeline_depth=N");
  text += line("exchange", plan::name(plan.exchange), plan.exchange_reason, "weir_exchange=KIND");
  text += line("local aggregators", fmt::format("{} a node", plan.local_aggregators), plan.local_aggregators_reason,
               "weir_local_aggregators=N");
  if (!plan.merging_reason.empty()) {
    text += line("merging", plan::name(plan.merging), plan.merging_reason, "weir_merge=enable|disable");
  }
  return text;
}

// Steps go on at the same time in part: they may be more together than the call.
std::string predicted_words(const plan::Steps& steps) {
  if (steps.total_us() <= 0) return "";
  const auto text = [](double us) { return plan::time_text(us); };
  return fmt::format("\nWhat it takes, predicted: {} a call\n  {:<18} {}\n  {:<18} {}\n  {:<18} {}\n  {:<18} {}\n",
                     text(steps.total_us()), "inspect", text(steps.inspect_us), "copy inside nodes",
                     text(steps.copy_us), "between nodes", text(steps.exchange_us), "file", text(steps.file_us));
}

// Bytes of the request in the domain.
std::int64_t bytes_in(const layout::RequestList& request, const plan::Domain& domain) {
  const Extent mine = request.file_extent();
  if (domain.block_bytes == 0) return request.positions_within(domain.extent).bytes();
  std::int64_t bytes = 0;
  const std::int64_t skipped =
      std::max<std::int64_t>(0, (mine.begin - domain.first_block) / domain.stride_bytes) * domain.stride_bytes;
  for (std::int64_t block = domain.first_block + skipped; block < std::min(mine.end, domain.extent.end);
       block += domain.stride_bytes) {
    const Extent part = intersection({block, block + domain.block_bytes}, domain.extent);
    if (!part.empty()) bytes += request.positions_within(part).bytes();
  }
  return bytes;
}

layout::RequestList request_for(const layout::Layout& wanted) {
  return layout::RequestList::in_file(wanted, layout::Memory::of(nullptr, wanted.data_bytes()));
}

// By node, then by aggregator, of the first ones.
std::vector<std::vector<std::int64_t>> bytes_by_node(const Question& question, const plan::Plan& plan,
                                                     std::size_t nodes, std::size_t aggregators) {
  std::vector<std::vector<std::int64_t>> bytes(nodes, std::vector<std::int64_t>(aggregators));
  for (std::size_t rank = 0; rank < question.requests.size(); ++rank) {
    const auto node = static_cast<std::size_t>(question.facts.machine.node_of[rank]);
    if (node >= nodes) continue;
    const layout::RequestList request = request_for(question.requests[rank]);
    if (request.bytes() == 0) continue;
    for (std::size_t a = 0; a < aggregators; ++a) bytes[node][a] += bytes_in(request, plan.domains[a]);
  }
  return bytes;
}

}  // namespace

std::string words_of(const Question& question, const plan::Plan& plan) {
  const std::int64_t mean = plan.bytes / std::max<std::int64_t>(plan.pieces, 1);
  std::string text = fmt::format("{}\n", question.title);
  text += fmt::format("  {} in {} pieces of {} in the mean, by {} ranks; {}\n\nWhat weir does\n", amount(plan.bytes),
                      plan.pieces, amount(mean), plan.active_ranks,
                      question.calls == 1 ? "one call" : fmt::format("one of {} calls", question.calls));
  text += line("method", plan::name(plan.method), plan.reason, "weir_method=two_phase|independent");
  if (plan.method == plan::Method::kTwoPhase) text += two_phase_words(plan);
  for (const std::string& what : plan.replaced) text += fmt::format("  {:<18} {}\n", "not as wished", what);
  return text + predicted_words(plan.predicted);
}

std::string owners_picture(const Question& question, const plan::Plan& plan) {
  if (plan.method != plan::Method::kTwoPhase) return "";
  std::string strip;
  for (std::int64_t i = 0; i < kStrip; ++i) {
    const std::int64_t middle = plan.region.begin + plan.region.bytes() / kStrip * i + plan.region.bytes() / kStrip / 2;
    const std::size_t owner = owner_of(plan, middle);
    strip += owner == plan.domains.size() ? '.' : letter(owner);
  }
  std::string text =
      fmt::format("\nWho owns which bytes: the file from {} to {}, by the middle of each {}th part\n  |{}|\n",
                  plan.region.begin, plan.region.end, kStrip, strip);
  for (std::size_t a = 0; a < std::min(kMostShown, plan.aggregators.size()); ++a) {
    const plan::Domain& domain = plan.domains[a];
    const int rank = plan.aggregators[a];
    const std::string blocks = domain.block_bytes == 0 ? ""
                                                       : fmt::format(", {} of every {}", amount(domain.block_bytes),
                                                                     amount(domain.stride_bytes));
    text += fmt::format("   {}  rank {} on node {}: {} to {}{}, {} rounds\n", letter(a), rank,
                        question.facts.machine.node_of[static_cast<std::size_t>(rank)], domain.extent.begin,
                        domain.extent.end, blocks, plan::round_count(domain, plan.round_size));
  }
  if (plan.aggregators.size() > kMostShown) {
    text += fmt::format("   and {} more\n", plan.aggregators.size() - kMostShown);
  }
  return text;
}

std::string senders_picture(const Question& question, const plan::Plan& plan) {
  if (plan.method != plan::Method::kTwoPhase) return "";
  const std::size_t nodes = std::min(kMostShown, static_cast<std::size_t>(question.facts.machine.nodes()));
  const std::size_t aggregators = std::min(kMostShown, plan.aggregators.size());
  const char* way = plan.direction == Direction::kWrite ? "sends" : "gets";
  std::string text = fmt::format(
      "\nWho {} how much: nodes beside, aggregators above; {} messages at most reach an "
      "aggregator in a round\n  {:>8}",
      way, plan::receives_of_a_round(plan), "");
  for (std::size_t a = 0; a < aggregators; ++a) text += fmt::format(" {:>10}", letter(a));
  text += aggregators < plan.aggregators.size() ? "  ...\n" : "\n";
  const auto bytes = bytes_by_node(question, plan, nodes, aggregators);
  for (std::size_t node = 0; node < nodes; ++node) {
    text += fmt::format("  node {:>3}", node);
    for (const std::int64_t each : bytes[node]) text += fmt::format(" {:>10}", each == 0 ? "-" : amount(each));
    text += "\n";
  }
  if (nodes < static_cast<std::size_t>(question.facts.machine.nodes())) text += "  ...\n";
  return text;
}

}  // namespace weir::tool::explain

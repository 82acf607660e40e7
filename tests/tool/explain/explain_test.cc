#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "explain/choices.h"
#include "explain/measured.h"
#include "explain/picture.h"
#include "explain/question.h"

namespace weir::tool::explain {
namespace {

ExplainOptions options_of(const std::string& what, int ranks, int nodes, Words hints = {}) {
  ExplainOptions options;
  options.what = what;
  options.ranks = ranks;
  options.nodes = nodes;
  options.size = "4M";
  options.hints = std::move(hints);
  return options;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Question, IsTheWorkloadsFirstCall) {
  const auto question = ask(options_of("btio:side=16:arrays=3", 16, 4));
  ASSERT_TRUE(question.ok()) << question.status().text();
  EXPECT_EQ(question.value().requests.size(), 16U);
  EXPECT_EQ(question.value().calls, 3);
  EXPECT_EQ(question.value().facts.machine.nodes(), 4);
  const plan::Plan plan = answer(question.value());
  EXPECT_EQ(plan.bytes, 16 * 16 * 16 * 40);
  EXPECT_EQ(plan.region, (Extent{0, 16 * 16 * 16 * 40}));
}

TEST(Question, RefusesWhatCannotBe) {
  EXPECT_TRUE(has(ask(options_of("btio", 6, 1)).status().text(), "btio"));
  EXPECT_TRUE(has(ask(options_of("coll_perf", 6, 4)).status().text(), "4 or 8 ranks"));
  EXPECT_TRUE(has(ask(options_of("coll_perf", 4, 1, {"cb_node=3"})).status().text(), "did you mean cb_nodes"));
  EXPECT_TRUE(has(ask(options_of("coll_perf:sid=3", 4, 1)).status().text(), "side"));
}

TEST(Question, MachinesSayWhatTheFileSystemIs) {
  ExplainOptions options = options_of("coll_perf", 0, 8);
  options.machine = "jaguar";
  const auto question = ask(options);
  ASSERT_TRUE(question.ok()) << question.status().text();
  EXPECT_EQ(question.value().facts.machine.ranks(), 32);
  EXPECT_EQ(question.value().facts.storage.servers, 64);
  EXPECT_EQ(question.value().facts.storage.protocol, LockProtocol::kServer);
  options.nodes = 1'000'000;
  EXPECT_TRUE(has(ask(options).status().text(), "jaguar has"));
  options.machine = "jagua";
  EXPECT_FALSE(ask(options).ok());
}

TEST(Question, HintsDecideThePlan) {
  const auto question = ask(options_of("cyclic:block=64", 8, 2, {"weir_method=two_phase", "cb_nodes=3"}));
  ASSERT_TRUE(question.ok());
  EXPECT_EQ(answer(question.value()).aggregators.size(), 3U);
  EXPECT_EQ(answer(question.value(), {"cb_nodes=1"}).aggregators.size(), 1U);
}

TEST(MeasuredCases, AreThoseOfWeirEachOnce) {
  const std::string path = testing::TempDir() + "/weir_explain_results.json";
  std::ofstream(path) << R"({"schema": "weir-bench/1", "cells": [
    {"workload": "cyclic:block=64", "direction": "write", "mpi": "openmpi", "peer": "weir", "ranks": 4, "nodes": 1,
     "bytes": 1048576, "hints": "cb_nodes=2", "median": 0.25, "seconds": [0.25]},
    {"workload": "cyclic:block=64", "direction": "write", "mpi": "mpich", "peer": "weir", "ranks": 4, "nodes": 1,
     "bytes": 1048576, "hints": "cb_nodes=2", "median": 0.5, "seconds": [0.5]},
    {"workload": "cyclic:block=64", "direction": "write", "mpi": "mpich", "peer": "host", "ranks": 4}],
    "b_eff_io": []})";
  const auto all = measured_in(path, "");
  ASSERT_TRUE(all.ok()) << all.status().text();
  ASSERT_EQ(all.value().size(), 1U);
  EXPECT_EQ(all.value()[0].seconds, 0.25);
  EXPECT_EQ(all.value()[0].asked.hints, Words{"cb_nodes=2"});
  EXPECT_TRUE(ask(all.value()[0].asked).ok());
  EXPECT_FALSE(measured_in(path + "-not-there", "").ok());
  std::remove(path.c_str());
}

// Four even domains of a quarter each: 16 letters of each in a row.
TEST(Pictures, ShowWhoOwnsWhat) {
  const auto question =
      ask(options_of("cyclic:block=64", 8, 4, {"weir_method=two_phase", "cb_nodes=4", "weir_domains=even"}));
  ASSERT_TRUE(question.ok());
  const plan::Plan plan = answer(question.value());
  const std::string owners = owners_picture(question.value(), plan);
  const std::string strip =
      "|" + std::string(16, 'a') + std::string(16, 'b') + std::string(16, 'c') + std::string(16, 'd') + "|";
  EXPECT_TRUE(has(owners, strip)) << owners;
  EXPECT_TRUE(has(owners, "d  rank")) << owners;
}

// Blocks are dealt in turn: every node has as much for every aggregator, a sixteenth of 4 MiB.
TEST(Pictures, ShowWhoSendsHowMuch) {
  const auto question =
      ask(options_of("cyclic:block=64", 8, 4, {"weir_method=two_phase", "cb_nodes=4", "weir_domains=even"}));
  ASSERT_TRUE(question.ok());
  const std::string senders = senders_picture(question.value(), answer(question.value()));
  std::size_t found = 0;
  for (std::size_t at = senders.find("262.1 kB"); at != std::string::npos; at = senders.find("262.1 kB", at + 1))
    ++found;
  EXPECT_EQ(found, 16U) << senders;
}

TEST(Words, NameDecisionsReasonsAndHints) {
  const auto question = ask(options_of("cyclic:block=64", 8, 2, {"weir_method=two_phase"}));
  ASSERT_TRUE(question.ok());
  const std::string words = words_of(question.value(), answer(question.value()));
  for (const char* part : {"two_phase: asked for by hint", "aggregators", "weir_domains=KIND", "cb_buffer_size",
                           "weir_local_aggregators=N"}) {
    EXPECT_TRUE(has(words, part)) << part << " in\n" << words;
  }
}

// Every choice is what its hints make of the question, and one of each kind is the one taken.
TEST(Choices, AreForcedByTheirHints) {
  const auto question = ask(options_of("cyclic:block=64", 8, 2, {"weir_method=two_phase"}));
  ASSERT_TRUE(question.ok());
  const auto choices = choices_of(question.value(), answer(question.value()));
  EXPECT_GE(choices.size(), 12U);
  for (const Choice& choice : choices) {
    const plan::Plan& plan = choice.plan;
    const std::map<std::string, std::string> decided = {{"method", plan::name(plan.method)},
                                                        {"domains", plan::name(plan.domain_kind)},
                                                        {"exchange", plan::name(plan.exchange)},
                                                        {"aggregators", std::to_string(plan.aggregators.size())},
                                                        {"local aggregators", std::to_string(plan.local_aggregators)}};
    EXPECT_EQ(decided.at(choice.kind), choice.name);
  }
  for (const char* kind : {"method", "domains", "exchange", "local aggregators"}) {
    EXPECT_EQ(std::ranges::count_if(choices, [&](const Choice& each) { return each.taken && each.kind == kind; }), 1)
        << kind;
  }
}

}  // namespace
}  // namespace weir::tool::explain

#include "compare/comparisons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weir::tool::compare {

namespace {

constexpr const char* kTwoPhase = "weir_method=two_phase";

Variant variant(const char* comparison, std::string label, Words hints, std::optional<double> x = std::nullopt) {
  return {.comparison = comparison,
          .label = std::move(label),
          .x = x,
          .hints = std::move(hints),
          .parameters = {},
          .ranks_per_node = 0};
}

// A way for each number, which is the value of `key`.
std::vector<Variant> numbered(const char* comparison, const char* key, const std::vector<int>& numbers,
                              const Words& hints) {
  std::vector<Variant> variants;
  for (const int number : numbers) {
    Words all = hints;
    all.push_back(fmt::format("{}={}", key, number));
    variants.push_back(variant(comparison, std::to_string(number), all, number));
  }
  return variants;
}

// 1, 2, 4, ... and `last` itself.
std::vector<int> doublings(int last) {
  std::vector<int> numbers;
  for (int number = 1; number < last; number *= 2) numbers.push_back(number);
  numbers.push_back(last);
  return numbers;
}

std::vector<Variant> domains(int) {
  std::vector<Variant> variants;
  for (const char* name : {"even", "aligned", "static_cyclic", "group_cyclic"})
    variants.push_back(variant("domains", name, {kTwoPhase, std::string("weir_domains=") + name}));
  return variants;
}

std::vector<Variant> access(int) {
  return {variant("access", "list_io", {"weir_method=independent", "romio_ds_read=disable", "romio_ds_write=disable"}),
          variant("access", "two_phase", {kTwoPhase, "weir_exchange=direct"}),
          variant("access", "iec", {kTwoPhase, "weir_exchange=pairwise"}),
          variant("access", "shared", {kTwoPhase, "weir_exchange=shared"})};
}

std::vector<Variant> aggregators(int ranks_per_node) {
  return numbered("aggregators", "cb_nodes", doublings(ranks_per_node), {kTwoPhase});
}

std::vector<Variant> local_aggregators(int ranks_per_node) {
  return numbered("local_aggregators", "weir_local_aggregators", doublings(ranks_per_node), {kTwoPhase});
}

std::vector<Variant> depth(int) { return numbered("depth", "weir_pipeline_depth", {1, 2}, {kTwoPhase}); }

std::vector<Variant> max_acc(int) { return numbered("max_acc", "weir_max_acc", {0, 1, 2, 4, 8}, {}); }

// Off; who the agents are, with blocks of the size that weir gives them; and the size of blocks, of all agents.
std::vector<Variant> shipping(int ranks) {
  const std::string on = "IBM_largeblock_io=false";
  std::vector<Variant> variants = {variant("shipping", "off", {"IBM_largeblock_io=true"}),
                                   variant("shipping", "all ranks", {on}),
                                   variant("shipping", "one a node", {on, "cb_config_list=*:1"})};
  if (ranks > 2)
    variants.push_back(variant("shipping", "half the ranks", {on, fmt::format("weir_agents={}", ranks / 2)}));
  variants.push_back(variant("shipping", "one rank", {on, "weir_agents=1"}));
  for (const char* block : {"16k", "64k", "256k", "1m"}) {
    variants.push_back(
        variant("shipping", std::string("blocks of ") + block, {on, std::string("IBM_io_buffer_size=") + block}));
  }
  return variants;
}

std::vector<Variant> sparse(int) {
  std::vector<Variant> variants;
  for (const int sparsity : {5, 10, 25, 50, 100}) {
    for (const char* value : {"true", "false"}) {
      Variant one = variant("sparse", std::string("sparse access ") + value,
                            {kTwoPhase, std::string("weir_sparse=") + value}, sparsity);
      one.parameters = {fmt::format("sparsity={}", sparsity)};
      variants.push_back(one);
    }
  }
  return variants;
}

std::vector<Variant> tasks_per_node(int ranks_per_node) {
  std::vector<Variant> variants;
  for (const int tasks : doublings(ranks_per_node)) {
    variants.push_back(variant("tasks_per_node", std::to_string(tasks), {}, tasks));
    variants.back().ranks_per_node = tasks;
  }
  return variants;
}

constexpr std::array kComparisons = {
    Comparison{"access", "List I/O, two-phase by messages, pairwise (IEC), shared memory", "", false, access},
    Comparison{"domains", "the four ways to divide the file among aggregators", "", false, domains},
    Comparison{"aggregators", "cb_nodes = 1, 2, 4, ... ranks of a node", "", false, aggregators},
    Comparison{"local_aggregators", "c = 1, 2, 4, ... q local aggregators a node", "", false, local_aggregators},
    Comparison{"sparse", "sparse access on and off, by sparsity (per cent of the stripes in which a rank has a block)",
               "sparse", false, sparse},
    Comparison{"shipping",
               "data shipping: off, and through I/O agents: who they are, blocks of 16 KiB to 1 MiB; b_eff_io: its "
               "paper's three sets of hints",
               "", false, shipping},
    Comparison{"depth", "rounds in flight: 1 and 2", "", false, depth},
    Comparison{"max_acc", "controlled prefetching: 0 (off), 1, 2, 4, 8", "", true, max_acc},
    Comparison{"tasks_per_node", "ranks on a node: 1, 2, 4, ...; needs several nodes", "", false, tasks_per_node},
};

}  // namespace

std::span<const Comparison> all_comparisons() { return kComparisons; }

const Comparison* find_comparison(std::string_view name) {
  const auto found = std::ranges::find(kComparisons, name, &Comparison::name);
  return found == kComparisons.end() ? nullptr : &*found;
}

}  // namespace weir::tool::compare

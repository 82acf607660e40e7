// What the tests with ranks as threads have in common.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/line_groups.h"
#include "comm/thread_comm.h"
#include "comm/watchdog.h"

namespace weir::comm {

// Every size up to 17, and two large ones.
inline std::vector<int> tested_sizes() {
  std::vector<int> sizes;
  for (int ranks = 1; ranks <= 17; ++ranks) sizes.push_back(ranks);
  sizes.push_back(32);
  sizes.push_back(64);
  return sizes;
}

// How messages move in this run of the program: CTest runs it once for each way, as WEIR_TEST_DELIVERY says.
inline Delivery tested_delivery() {
  const char* name = std::getenv("WEIR_TEST_DELIVERY");
  if (name == nullptr || std::string_view(name) == "eager") return Delivery::kEager;
  if (std::string_view(name) == "rendezvous") return Delivery::kRendezvous;
  std::fprintf(stderr, "WEIR_TEST_DELIVERY=%s: neither eager nor rendezvous\n", name);
  std::abort();
}

inline std::string name_of(Delivery delivery) { return delivery == Delivery::kEager ? "eager" : "rendezvous"; }

inline ThreadGroup tested_group(int ranks, int ranks_per_node = 0) {
  return ThreadGroup(ranks, ranks_per_node, tested_delivery());
}

inline LineGroups tested_line(int ranks, int ranks_per_node = 0) {
  return {tested_group(ranks, ranks_per_node), tested_group(ranks, ranks_per_node)};
}

// run_ranks() as this run of the program says; ends the program when it hangs.
inline void run_tested_ranks(int ranks, int ranks_per_node, const std::function<void(ThreadComm&)>& body) {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const HangGuard watchdog(std::string(test->test_suite_name()) + "." + test->name() + " with " +
                           std::to_string(ranks) + " ranks, " + name_of(tested_delivery()));
  run_ranks(ranks, ranks_per_node, body, tested_delivery());
}
inline void run_tested_ranks(int ranks, const std::function<void(ThreadComm&)>& body) {
  run_tested_ranks(ranks, 0, body);
}

}  // namespace weir::comm

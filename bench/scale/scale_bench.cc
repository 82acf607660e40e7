// scale_bench: tables of what calls cost as ranks grow. Counts, and time on a core; see docs/scaling.md.
//   scale_bench engine RANKS RANKS_PER_NODE ...    calls on a file, ranks as threads
//   scale_bench plan RANKS RANKS_PER_NODE ...      the pure code
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "scale/engine_costs.h"
#include "scale/plan_costs.h"

namespace {

using weir::scale::Shape;

double microseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

void print_engine(const Shape& shape) {
  std::printf("\n%d ranks, %d nodes of %d\n", shape.ranks, shape.nodes(), shape.ranks_per_node);
  std::printf("%-18s %9s %10s %9s %9s %7s %12s %12s %9s\n", "call", "between", "B a node", "inside", "data", "allocs",
              "B allocated", "B, median", "us, core");
  for (const weir::scale::CallCost& cost : engine_costs(shape)) {
    std::printf("%-18s %9lld %10lld %9lld %9lld %7lld %12lld %12lld %9.1f\n", cost.call.c_str(),
                static_cast<long long>(cost.messages_between),
                static_cast<long long>(cost.bytes_between / shape.nodes()),
                static_cast<long long>(cost.messages_inside), static_cast<long long>(cost.data_messages),
                static_cast<long long>(cost.most_allocations), static_cast<long long>(cost.most_allocated_bytes),
                static_cast<long long>(cost.median_allocated_bytes), microseconds(cost.median_time));
  }
}

void print_plan(const Shape& shape) {
  const weir::scale::PlanCost cost = plan_cost(shape);
  std::printf("%6d ranks %5d aggregators: make %9.1f us, %9lld B; look up %6.2f us, %lld allocations\n", shape.ranks,
              cost.aggregators, microseconds(cost.make), static_cast<long long>(cost.make_allocated_bytes),
              microseconds(cost.look_up), static_cast<long long>(cost.look_up_allocations));
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if ((what != "engine" && what != "plan") || count < 4 || count % 2 != 0) {
    std::fprintf(stderr, "usage: scale_bench engine|plan RANKS RANKS_PER_NODE ...\n");
    return 2;
  }
  for (int i = 2; i < count; i += 2) {
    const Shape shape{std::atoi(arguments[i]), std::atoi(arguments[i + 1])};
    if (what == "engine") {
      print_engine(shape);
    } else {
      print_plan(shape);
    }
  }
  return 0;
}

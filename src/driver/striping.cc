#include "driver/striping.h"

#include <algorithm>

namespace weir::driver {

namespace {

constexpr int kMostServers = 64;
constexpr int kServersOfANode = 4;  // that one node can feed

}  // namespace

int servers_that_pay(const Sharers& sharers, int available) {
  int most = std::min(kMostServers, sharers.ranks);
  if (available > 0) most = std::min(most, available);
  if (sharers.nodes <= most) return std::max(std::min(std::max(sharers.nodes, kServersOfANode), most), 1);
  // Not at any price: a divisor less than half of what there is would leave too much unused.
  for (int servers = most; servers > most / 2; --servers) {
    if (sharers.nodes % servers == 0) return servers;
  }
  return std::max(most, 1);
}

}  // namespace weir::driver

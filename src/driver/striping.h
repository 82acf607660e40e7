// Striping: over how many servers a file is spread, and how; wished for, or found.
#pragma once

#include <cstdint>

namespace weir::driver {

struct Striping {
  std::int64_t unit_bytes = 0;  // on one server before the next; 0: not said
  int servers = 0;              // 0: not said
  int first_server = -1;        // its number; -1: not said

  bool says_anything() const { return unit_bytes > 0 || servers > 0 || first_server >= 0; }
  bool operator==(const Striping&) const = default;
};

// Who will use a file that is created.
struct Sharers {
  int ranks = 1;
  int nodes = 1;
};

// How a new file is to be striped.
struct StripingWish {
  Striping asked;       // by hints
  Sharers sharers;      // several ranks, and nothing asked: as many servers as pay for them, where weir may choose
  bool choose = false;  // weir may

  bool automatic() const { return choose && !asked.says_anything() && sharers.ranks > 1; }
  bool wants_anything() const { return asked.says_anything() || automatic(); }
};

// As many servers as pay for a file that these ranks write together: one for each node, and some for a node alone,
// because a node can feed several; no more than ranks, than there are (`available`; 0: unknown) and than a limit beyond
// which opening the file costs more than a further server gives. Where the limits leave fewer servers than nodes, a
// number that divides the nodes is preferred: then a node for each aggregator fits the servers. At least 1.
int servers_that_pay(const Sharers& sharers, int available);

}  // namespace weir::driver

// Locality: which aggregator owns which domain, so that most bytes stay on the nodes that have them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/domains.h"
#include "plan/summary.h"

namespace weir::plan {

// Bytes that pass between nodes, as far as extents tell: a rank's bytes are taken to lie evenly in its extent.
struct Traffic {
  std::int64_t in_rank_order = 0;  // were domains given to aggregators in the order of their ranks
  std::int64_t between_nodes = 0;  // as they are given

  bool operator==(const Traffic&) const = default;
};

// Bytes that places (aggregators' nodes) have in domains.
class Holdings {
 public:
  Holdings(std::size_t domains, std::size_t places) : domains_(domains), bytes_(domains * places) {}

  std::size_t domains() const { return domains_; }
  std::size_t places() const { return domains_ == 0 ? 0 : bytes_.size() / domains_; }
  std::int64_t& at(std::size_t domain, std::size_t place) { return bytes_[place * domains_ + domain]; }
  std::int64_t at(std::size_t domain, std::size_t place) const { return bytes_[place * domains_ + domain]; }
  // Of the place that has most of each domain.
  std::vector<std::int64_t> most() const;
  // What stays where it is, with domain i given to place_of[i].
  std::int64_t kept(std::span<const std::size_t> place_of) const;

 private:
  std::size_t domains_;
  std::vector<std::int64_t> bytes_;  // place after place
};

// The place of every domain, where place p takes as many domains as `order` names it, which has a place for every
// domain: the order in which domains are given away when nothing speaks against it. The greatest holdings are served
// first, then places are swapped where that keeps more. What is kept is at least half of what can be, and `order` is
// returned where it keeps as much. With D domains: O(D P log(D P) + D^2).
std::vector<std::size_t> assign_domains(const Holdings& holdings, std::span<const std::size_t> order);

struct LocalityInput {
  std::span<const AccessSummary> summaries;
  std::span<const int> node_of;  // of each rank
  std::span<const Domain> domains;
};

// Orders the aggregators so that number i is on a node that has bytes of domain i, as assign_domains() says; in rank
// order unless that keeps the sixty-fourth part of what passes between nodes. Aggregators of a node own ascending
// domains. Returns what passes between nodes. With ranks R and aggregators A: O(R log A + A^2 log A).
// REQUIRES aggregators in rank order; domains without blocks.
Traffic bring_domains_home(const LocalityInput& input, std::vector<int>& aggregators);

// What passes between nodes with the aggregators as they are; domains of any kind.
std::int64_t between_nodes(const LocalityInput& input, std::span<const int> aggregators);

}  // namespace weir::plan

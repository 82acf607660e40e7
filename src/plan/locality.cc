#include "plan/locality.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace weir::plan {

namespace {

// A rank's bytes lie evenly in its extent: so many 2^-kDensityBits of a byte at every offset.
__extension__ using Wide = __int128;
constexpr int kDensityBits = 40;

// Swaps that are found after so many passes over all domains are not worth the time.
constexpr int kMostPasses = 4;

// The offsets at which domains begin and end, ascending, each once; and where among them those of each domain are.
class Boundaries {
 public:
  explicit Boundaries(std::span<const Domain> domains) {
    for (const Domain& domain : domains) {
      offsets_.push_back(domain.extent.begin);
      offsets_.push_back(domain.extent.end);
    }
    std::ranges::sort(offsets_);
    offsets_.erase(std::unique(offsets_.begin(), offsets_.end()), offsets_.end());
    for (const Domain& domain : domains) places_.push_back({find(domain.extent.begin), find(domain.extent.end)});
  }
  struct Places {
    std::size_t begin;
    std::size_t end;
  };
  std::span<const std::int64_t> offsets() const { return offsets_; }
  Places of(std::size_t domain) const { return places_[domain]; }
  // The first that is not before `offset`; looked for at `near` first.
  std::size_t find(std::int64_t offset, std::size_t near = 0) const {
    const bool is_near =
        (near == 0 || offsets_[near - 1] < offset) && (near == offsets_.size() || offset <= offsets_[near]);
    return is_near ? near : static_cast<std::size_t>(std::ranges::lower_bound(offsets_, offset) - offsets_.begin());
  }

 private:
  std::vector<std::int64_t> offsets_;
  std::vector<Places> places_;
};

// The bytes that some ranks have before each boundary.
class BytesBefore {
 public:
  // The boundaries outlive it.
  explicit BytesBefore(const Boundaries& boundaries)
      : boundaries_(boundaries), steps_(boundaries.offsets().size() + 1), before_(boundaries.offsets().size()) {}

  void add(const AccessSummary& summary) {
    if (summary.bytes == 0) return;
    const std::int64_t extent_bytes = summary.file_extent.bytes();
    if (summary.bytes != bytes_ || extent_bytes != extent_bytes_) {
      bytes_ = summary.bytes;
      extent_bytes_ = extent_bytes;
      density_ = (Wide{bytes_} << kDensityBits) / extent_bytes_;
    }
    begin_ = add_from(summary.file_extent.begin, density_, begin_);
    end_ = add_from(summary.file_extent.end, -density_, end_);
  }

  // Of the ranks that were added since the last time.
  std::span<const std::int64_t> take() {
    constexpr Wide kHalf = Wide{1} << (kDensityBits - 1);
    Step all;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      all.density += steps_[i].density;
      all.excess += steps_[i].excess;
      const Wide bytes = all.density * (boundaries_.offsets()[i] - boundaries_.offsets().front()) - all.excess;
      before_[i] = static_cast<std::int64_t>((bytes + kHalf) >> kDensityBits);
    }
    std::ranges::fill(steps_, Step());
    return before_;
  }

 private:
  // What is added from a boundary on: density, and what that counts too much, between the first boundary and where an
  // extent begins or ends.
  struct Step {
    Wide density = 0;
    Wide excess = 0;
  };
  std::size_t add_from(std::int64_t offset, Wide density, std::size_t near) {
    const std::size_t found = boundaries_.find(offset, near);
    steps_[found].density += density;
    steps_[found].excess += density * (offset - boundaries_.offsets().front());
    return found;
  }

  const Boundaries& boundaries_;
  std::vector<Step> steps_;  // one more than boundaries
  std::vector<std::int64_t> before_;
  // Of the rank that was added last: the next is often like it.
  std::int64_t bytes_ = 0;
  std::int64_t extent_bytes_ = 0;
  Wide density_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The nodes of aggregators, and what they hold of domains.
class Homes {
 public:
  Homes(const LocalityInput& input, std::span<const int> aggregators)
      : input_(input), holdings_(find_places(aggregators)) {
    fill();
  }
  const Holdings& holdings() const { return holdings_; }
  std::size_t place_of(int rank) const { return place_of_node_[node(rank)]; }
  std::int64_t between(std::span<const std::size_t> place_of) const { return all_bytes_ - holdings_.kept(place_of); }
  // With room for every domain everywhere.
  std::int64_t least_between() const {
    std::int64_t bytes = all_bytes_;
    for (const std::int64_t most : holdings_.most()) bytes -= most;
    return bytes;
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  std::size_t node(int rank) const { return static_cast<std::size_t>(input_.node_of[static_cast<std::size_t>(rank)]); }

  Holdings find_places(std::span<const int> aggregators) {
    const int nodes = input_.node_of.empty() ? 0 : std::ranges::max(input_.node_of) + 1;
    place_of_node_.assign(static_cast<std::size_t>(nodes), kNowhere);
    std::size_t places = 0;
    for (const int rank : aggregators) {
      if (place_of_node_[node(rank)] == kNowhere) place_of_node_[node(rank)] = places++;
    }
    return {input_.domains.size(), places};
  }

  void fill() {
    std::vector<std::vector<std::size_t>> ranks_of(holdings_.places());
    for (auto& ranks : ranks_of) ranks.reserve(input_.summaries.size() / ranks_of.size() + 1);
    for (std::size_t rank = 0; rank < input_.summaries.size(); ++rank) {
      all_bytes_ += input_.summaries[rank].bytes;
      const std::size_t place = place_of_node_[static_cast<std::size_t>(input_.node_of[rank])];
      if (place != kNowhere) ranks_of[place].push_back(rank);
    }
    const Boundaries boundaries(input_.domains);
    BytesBefore bytes_before(boundaries);
    for (std::size_t place = 0; place < ranks_of.size(); ++place) {
      for (const std::size_t rank : ranks_of[place]) bytes_before.add(input_.summaries[rank]);
      fill_place(place, bytes_before.take(), boundaries);
    }
  }

  void fill_place(std::size_t place, std::span<const std::int64_t> before, const Boundaries& boundaries) {
    for (std::size_t i = 0; i < input_.domains.size(); ++i) {
      const Domain& domain = input_.domains[i];
      const std::int64_t bytes = before[boundaries.of(i).end] - before[boundaries.of(i).begin];
      holdings_.at(i, place) = domain.block_bytes == 0 ? bytes : bytes / (domain.stride_bytes / domain.block_bytes);
    }
  }

  const LocalityInput& input_;
  std::vector<std::size_t> place_of_node_;
  Holdings holdings_;
  std::int64_t all_bytes_ = 0;
};

std::vector<std::size_t> places_of(const Homes& homes, std::span<const int> aggregators) {
  std::vector<std::size_t> places;
  for (const int rank : aggregators) places.push_back(homes.place_of(rank));
  return places;
}

// Swaps the places of two domains where more is kept then. Returns whether there were any.
bool swap_places(const Holdings& holdings, std::vector<std::size_t>& place_of) {
  bool swapped = false;
  for (std::size_t i = 0; i < place_of.size(); ++i) {
    for (std::size_t j = i + 1; j < place_of.size(); ++j) {
      const std::int64_t now = holdings.at(i, place_of[i]) + holdings.at(j, place_of[j]);
      if (holdings.at(i, place_of[j]) + holdings.at(j, place_of[i]) <= now) continue;
      std::swap(place_of[i], place_of[j]);
      swapped = true;
    }
  }
  return swapped;
}

}  // namespace

std::int64_t Holdings::kept(std::span<const std::size_t> place_of) const {
  std::int64_t bytes = 0;
  for (std::size_t domain = 0; domain < place_of.size(); ++domain) bytes += at(domain, place_of[domain]);
  return bytes;
}

std::vector<std::int64_t> Holdings::most() const {
  std::vector<std::int64_t> most(domains_, 0);
  for (std::size_t place = 0; place < places(); ++place) {
    for (std::size_t domain = 0; domain < domains_; ++domain) most[domain] = std::max(most[domain], at(domain, place));
  }
  return most;
}

std::vector<std::size_t> assign_domains(const Holdings& holdings, std::span<const std::size_t> order) {
  std::vector<std::size_t> room(holdings.places());
  for (const std::size_t place : order) ++room[place];
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> wishes;  // the greatest first
  for (std::size_t domain = 0; domain < order.size(); ++domain) {
    for (std::size_t place = 0; place < room.size(); ++place) {
      if (holdings.at(domain, place) > 0) wishes.emplace_back(-holdings.at(domain, place), domain, place);
    }
  }
  std::ranges::sort(wishes);
  const std::size_t nowhere = room.size();
  std::vector<std::size_t> place_of(order.size(), nowhere);
  const auto give = [&](std::size_t domain, std::size_t place) {
    if (place_of[domain] != nowhere || room[place] == 0) return;
    place_of[domain] = place;
    --room[place];
  };
  for (const auto& [bytes, domain, place] : wishes) give(domain, place);
  for (std::size_t domain = 0; domain < order.size(); ++domain) give(domain, order[domain]);
  for (std::size_t domain = 0, place = 0; domain < order.size(); ++domain) {
    while (place_of[domain] == nowhere && room[place] == 0) ++place;
    if (place_of[domain] == nowhere) give(domain, place);
  }
  for (int pass = 0; pass < kMostPasses && swap_places(holdings, place_of); ++pass) continue;
  const std::vector<std::size_t> as_ordered(order.begin(), order.end());
  return holdings.kept(place_of) > holdings.kept(order) ? place_of : as_ordered;
}

Traffic bring_domains_home(const LocalityInput& input, std::vector<int>& aggregators) {
  const Homes homes(input, aggregators);
  const std::vector<std::size_t> order = places_of(homes, aggregators);
  const std::int64_t in_rank_order = homes.between(order);
  const std::int64_t least_gain = in_rank_order / 64 + 1;
  if (in_rank_order - homes.least_between() < least_gain) return {in_rank_order, in_rank_order};
  const std::vector<std::size_t> place_of = assign_domains(homes.holdings(), order);
  const std::int64_t at_home = homes.between(place_of);
  if (in_rank_order - at_home < least_gain) return {in_rank_order, in_rank_order};
  std::vector<std::vector<int>> ranks_of(homes.holdings().places());
  for (std::size_t i = aggregators.size(); i-- > 0;) ranks_of[order[i]].push_back(aggregators[i]);
  for (std::size_t i = 0; i < aggregators.size(); ++i) {
    aggregators[i] = ranks_of[place_of[i]].back();
    ranks_of[place_of[i]].pop_back();
  }
  return {in_rank_order, at_home};
}

std::int64_t between_nodes(const LocalityInput& input, std::span<const int> aggregators) {
  const Homes homes(input, aggregators);
  return homes.between(places_of(homes, aggregators));
}

}  // namespace weir::plan

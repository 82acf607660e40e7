#include "plan/locality.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace weir::plan {

namespace {

// A rank's bytes lie evenly in its extent: so many 2^-kDensityBits of a byte at every offset.
__extension__ using Wide = __int128;
constexpr int kDensityBits = 40;

// Swaps that are found after so many passes over all domains are not worth the time.
constexpr int kMostPasses = 4;

// Where a rank's extent begins or ends.
struct Event {
  std::int64_t offset = 0;
  Wide density = 0;  // that is added from here on
};

void add_events(const AccessSummary& summary, std::vector<Event>& events) {
  if (summary.bytes == 0) return;
  const Wide density = (Wide{summary.bytes} << kDensityBits) / summary.file_extent.bytes();
  events.push_back({summary.file_extent.begin, density});
  events.push_back({summary.file_extent.end, -density});
}

// The bytes that some ranks have before an offset; to be asked with ascending offsets.
class BytesBefore {
 public:
  explicit BytesBefore(std::vector<Event> events) : events_(std::move(events)) {
    std::ranges::sort(events_, {}, &Event::offset);
    origin_ = events_.empty() ? 0 : events_.front().offset;
  }
  std::int64_t operator()(std::int64_t offset) {
    for (; next_ < events_.size() && events_[next_].offset <= offset; ++next_) {
      const Event& event = events_[next_];
      density_ += event.density;
      before_ += event.density * (event.offset - origin_);
    }
    constexpr Wide kHalf = Wide{1} << (kDensityBits - 1);
    return static_cast<std::int64_t>((density_ * (offset - origin_) - before_ + kHalf) >> kDensityBits);
  }

 private:
  std::vector<Event> events_;
  std::int64_t origin_ = 0;
  std::size_t next_ = 0;
  Wide density_ = 0;
  Wide before_ = 0;  // what density_ counts too much: between the origin and where it was added
};

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

 private:
  std::size_t find(std::int64_t offset) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(offsets_, offset) - offsets_.begin());
  }
  std::vector<std::int64_t> offsets_;
  std::vector<Places> places_;
};

// The nodes of aggregators, and what they hold of domains.
class Homes {
 public:
  Homes(const LocalityInput& input, std::span<const int> aggregators)
      : input_(input), holdings_(find_places(aggregators)) {
    fill();
  }
  const Holdings& holdings() const { return holdings_; }
  std::size_t place_of(int rank) const { return place_of_node_.at(node(rank)); }
  std::int64_t between(std::span<const std::size_t> place_of) const { return all_bytes_ - holdings_.kept(place_of); }
  // With room for every domain everywhere.
  std::int64_t least_between() const {
    std::int64_t bytes = all_bytes_;
    for (std::size_t i = 0; i < holdings_.domains(); ++i) bytes -= holdings_.most(i);
    return bytes;
  }

 private:
  int node(int rank) const { return input_.node_of[static_cast<std::size_t>(rank)]; }

  Holdings find_places(std::span<const int> aggregators) {
    for (const int rank : aggregators) place_of_node_.try_emplace(node(rank), place_of_node_.size());
    return {input_.domains.size(), place_of_node_.size()};
  }

  void fill() {
    std::vector<std::vector<Event>> events(holdings_.places());
    for (std::size_t rank = 0; rank < input_.summaries.size(); ++rank) {
      all_bytes_ += input_.summaries[rank].bytes;
      const auto place = place_of_node_.find(input_.node_of[rank]);
      if (place != place_of_node_.end()) add_events(input_.summaries[rank], events[place->second]);
    }
    const Boundaries boundaries(input_.domains);
    for (std::size_t place = 0; place < events.size(); ++place) fill_place(place, std::move(events[place]), boundaries);
  }

  void fill_place(std::size_t place, std::vector<Event> events, const Boundaries& boundaries) {
    BytesBefore bytes_before(std::move(events));
    std::vector<std::int64_t> before;
    for (const std::int64_t offset : boundaries.offsets()) before.push_back(bytes_before(offset));
    for (std::size_t i = 0; i < input_.domains.size(); ++i) {
      const Domain& domain = input_.domains[i];
      const std::int64_t turn = domain.block_bytes == 0 ? 1 : domain.stride_bytes / domain.block_bytes;
      holdings_.at(i, place) = (before[boundaries.of(i).end] - before[boundaries.of(i).begin]) / turn;
    }
  }

  const LocalityInput& input_;
  std::map<int, std::size_t> place_of_node_;
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

std::int64_t Holdings::most(std::size_t domain) const {
  return std::ranges::max(std::span(bytes_).subspan(domain * places_, places_));
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

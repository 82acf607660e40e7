#include "exec/call/inspected.h"

#include <set>
#include <utility>

#include "comm/ranks.h"

namespace weir::exec {

std::int64_t Inspected::together(int local_aggregator, std::size_t a, std::int64_t round) const {
  std::set<std::pair<int, std::int64_t>> bytes;  // by who sends them
  for (int rank = 0; rank < planned.ranks(); ++rank) {
    if (planned.local_aggregator_of(rank) != local_aggregator) continue;
    for (const std::int64_t offset : planned.offsets(rank)) {
      const Landing& landing = planned.landing(offset);
      if (landing.aggregator == a && landing.round == round) bytes.emplace(planned.sender_of(rank), offset);
    }
  }
  return std::ssize(bytes);
}

namespace {

void inspect_all(const Nodes& nodes, std::vector<Inspected>& all) {
  const std::size_t first = all.size();
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (SmallPlan& planned : small_plans(nodes, direction)) {
      const auto ranks = static_cast<std::size_t>(nodes.ranks);
      all.push_back({std::move(planned), std::vector<Schedule>(ranks), std::vector<std::int64_t>(ranks)});
    }
  }
  comm::run_tested_ranks(nodes.ranks, nodes.ranks_per_node, [&](comm::ThreadComm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    for (std::size_t i = first; i < all.size(); ++i) {
      SmallRank small(comm, all[i].planned);
      Result<Schedule> schedule = small.inspect();
      EXPECT_TRUE(schedule.ok()) << schedule.status().text() << "\n" << all[i].planned.text();
      if (schedule.ok()) all[i].schedules[rank] = std::move(schedule).value();
      all[i].freight_on_hand[rank] = std::ssize(small.stores.freight);
    }
  });
}

}  // namespace

const std::vector<Inspected>& all_inspected() {
  static const std::vector<Inspected> made = [] {
    std::vector<Inspected> all;
    for (const Nodes& nodes : small_nodes()) inspect_all(nodes, all);
    return all;
  }();
  return made;
}

void expect_apart(const std::vector<Parcel>& parcels, std::int64_t buffer_bytes) {
  std::int64_t end = 0;
  for (const Parcel& parcel : parcels) {
    EXPECT_GE(parcel.begin, end);
    end = parcel.begin + Parcel::kHeaderBytes + parcel.bytes;
  }
  EXPECT_LE(end, buffer_bytes);
}

}  // namespace weir::exec

#include "sim/program.h"

#include "workloads/views.h"

namespace weir::sim {

namespace {

// What kept layouts may take.
constexpr std::size_t kMostKept = std::size_t{2} << 30;

}  // namespace

Program::Program(const bench::Settled& workload) : workload_(workload) {
  const bench::Share share = bench::share_of(workload, 0);
  collective_ = share.collective;
  for (std::size_t access = 0; access < share.accesses.size(); ++access) {
    const bench::Access& one = share.accesses[access];
    for (int number = 0; number < one.calls; ++number) {
      calls_.push_back({access, number});
      const bool regular = number > 0 && one.offsets.empty();
      distances_.push_back(regular ? std::optional(one.stride_bytes) : std::nullopt);
    }
  }
  first_.resize(static_cast<std::size_t>(workload.shape.ranks));
}

std::optional<std::int64_t> Program::moved_by(std::int64_t call) const {
  return distances_[static_cast<std::size_t>(call)];
}

const bench::Share& Program::share_of(int rank) {
  if (last_rank_ != rank) {
    last_share_ = bench::share_of(workload_, rank);
    last_rank_ = rank;
  }
  return last_share_;
}

layout::Layout Program::request(std::int64_t call, int rank) {
  const Call& which = calls_[static_cast<std::size_t>(call)];
  std::vector<layout::Layout>& kept = first_[static_cast<std::size_t>(rank)];
  const bool regular = which.number == 0 || distances_[static_cast<std::size_t>(call)].has_value();
  if (!regular || kept.empty()) {
    const bench::Share& share = share_of(rank);
    if (!regular) return bench::request_of(share.accesses[which.access], which.number);
    if (kept_bytes_ >= kMostKept) return bench::request_of(share.accesses[which.access], which.number);
    for (const bench::Access& access : share.accesses) {
      kept.push_back(bench::request_of(access, 0));
      kept_bytes_ += kept.back().memory_bytes();
    }
    kept.shrink_to_fit();
  }
  const std::int64_t distance = which.number == 0 ? 0 : which.number * *distances_[static_cast<std::size_t>(call)];
  return kept[which.access].shifted(distance);
}

}  // namespace weir::sim

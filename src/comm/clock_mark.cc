#include "comm/clock_mark.h"

#include <limits>
#include <span>

#include "comm/collectives.h"

namespace weir::comm {

namespace {

constexpr int kQuestions = 8;

template <typename T>
Status send_one(Comm& comm, int to, const T& value) {
  return send_now(comm, to, std::as_bytes(std::span(&value, 1)));
}

template <typename T>
Status receive_one(Comm& comm, int from, T& value) {
  return receive_now(comm, from, std::as_writable_bytes(std::span(&value, 1)));
}

Status ask(Comm& comm, const std::function<std::int64_t()>& clock, ClockPair& found) {
  std::int64_t fastest = std::numeric_limits<std::int64_t>::max();
  Status status;
  for (int i = 0; i < kQuestions; ++i) {
    const std::int64_t asked = clock();
    std::int64_t there = 0;
    status = std::move(status).or_else(send_one(comm, 0, asked));
    status = std::move(status).or_else(receive_one(comm, 0, there));
    const std::int64_t took = clock() - asked;
    if (took >= fastest) continue;
    fastest = took;
    found = {asked + took / 2, there};
  }
  return status;
}

Status answer(Comm& comm, const std::function<std::int64_t()>& clock, int from) {
  Status status;
  for (int i = 0; i < kQuestions; ++i) {
    std::int64_t asked = 0;
    status = std::move(status).or_else(receive_one(comm, from, asked));
    status = std::move(status).or_else(send_one(comm, from, clock()));
  }
  return status;
}

}  // namespace

Result<ClockPair> mark_clock(Comm& comm, const std::function<std::int64_t()>& clock) {
  const Topology& topology = comm.topology();
  const int first = topology.ranks_beside(comm.rank()).front();
  const std::int64_t mine = clock();
  ClockPair found{mine, mine};
  Status status;
  for (int node = 1; node < topology.node_count(); ++node) {
    const int asker = topology.ranks_of(node).front();
    if (comm.rank() == 0) status = std::move(status).or_else(answer(comm, clock, asker));
    if (comm.rank() == asker) status = std::move(status).or_else(ask(comm, clock, found));
  }
  Result<std::vector<ClockPair>> all = all_gather_values(comm, found);
  status = std::move(status).or_else(all.status());
  if (!status.ok()) return status;
  return all.value()[static_cast<std::size_t>(first)];
}

}  // namespace weir::comm

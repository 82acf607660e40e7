// Messages between rank 0 and a partner, on another node where there is one.
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "machine/findings.h"

namespace machine {

namespace {

constexpr int kRounds = 200;
constexpr int kMany = 512;  // messages that wait at once
constexpr int kLarge = 4 << 20;
constexpr int kRepeats = 5;  // as least_time() has them

struct Pair {
  int rank;
  int partner;
  bool first() const { return rank == 0; }
  int other() const { return first() ? partner : 0; }
};

// Half of a round trip.
double half_round_trip(const Pair& pair, int bytes) {
  std::vector<char> data(static_cast<std::size_t>(std::max(bytes, 1)));
  const int rounds = bytes > 0 ? kRounds / 20 : kRounds;
  const double took = least_time([&] {
    for (int i = 0; i < rounds; ++i) {
      if (pair.first()) MPI_Send(data.data(), bytes, MPI_CHAR, pair.other(), 0, MPI_COMM_WORLD);
      MPI_Recv(data.data(), bytes, MPI_CHAR, pair.other(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!pair.first()) MPI_Send(data.data(), bytes, MPI_CHAR, pair.other(), 0, MPI_COMM_WORLD);
    }
  });
  return took / rounds / 2;
}

// What `kMany` short messages take of their sender, and of a receiver at which all of them wait: received in the order
// they came, or the last first, which makes it pass by all others.
struct ManyCosts {
  double send = 0;
  double in_order = 0;
  double last_first = 0;
};

double receive_all(int from, bool last_first) {
  int value = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < kMany; ++i) {
    const int tag = last_first ? kMany - 1 - i : i;
    MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (MPI_Wtime() - begin) * 1e6 / kMany;
}

double send_all(int to) {
  std::vector<MPI_Request> requests(kMany);
  const int value = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < kMany; ++i) {
    MPI_Isend(&value, 1, MPI_INT, to, i, MPI_COMM_WORLD, &requests[static_cast<std::size_t>(i)]);
  }
  const double took = (MPI_Wtime() - begin) * 1e6 / kMany;
  MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
  return took;
}

ManyCosts many_costs(const Pair& pair) {
  ManyCosts least{1e300, 1e300, 1e300};
  for (int i = 0; i < 2 * kRepeats; ++i) {
    const bool last_first = i % 2 == 1;
    double cost = 0;
    if (!pair.first()) cost = send_all(0);
    // The word that all have been sent comes behind them.
    char word = 0;
    if (!pair.first()) MPI_Send(&word, 1, MPI_CHAR, 0, kMany, MPI_COMM_WORLD);
    if (pair.first()) {
      MPI_Recv(&word, 1, MPI_CHAR, pair.other(), kMany, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      cost = receive_all(pair.other(), last_first);
      double& of = last_first ? least.last_first : least.in_order;
      of = std::min(of, cost);
      MPI_Recv(&cost, 1, MPI_DOUBLE, pair.other(), kMany, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      least.send = std::min(least.send, cost);
    } else {
      MPI_Send(&cost, 1, MPI_DOUBLE, 0, kMany, MPI_COMM_WORLD);
    }
  }
  return least;
}

void tell_messages(const Place& place, double latency, double rate, const ManyCosts& many) {
  const bool between = place.nodes > 1;
  const std::string where = between ? " between two nodes" : " between two ranks of a node: there is one node only";
  found("network.send_us", many.send, "measured: a short message" + where);
  found("network.receive_us", many.in_order, "measured: a short message" + where);
  found("network.waiting_us", std::max(many.last_first - many.in_order, 0.0) / (kMany / 2.0),
        "measured: 512 messages received the last first" + where);
  if (between) {
    found("network.latency_us", latency, "measured: half a round trip of an empty message" + where);
    found("network.core_mb_s", rate, "measured: messages of 4 MiB by one pair of ranks" + where);
    found("network.link_mb_s", rate, "measured with one pair of ranks only: the link may have more");
    return;
  }
  for (const char* field : {"network.latency_us", "network.core_mb_s", "network.link_mb_s"}) {
    not_found(field, "all ranks are on one node");
  }
}

}  // namespace

void measure_messages(const Place& place) {
  const Pair pair{place.rank, place.partner};
  const bool takes_part = place.partner > 0 && (place.rank == 0 || place.rank == place.partner);
  if (takes_part) {
    const double latency = half_round_trip(pair, 0);
    const double rate = kLarge / half_round_trip(pair, kLarge);
    const ManyCosts many = many_costs(pair);
    if (place.rank == 0) tell_messages(place, latency, rate, many);
  } else if (place.rank == 0) {
    for (const char* name : {"latency_us", "link_mb_s", "core_mb_s", "send_us", "receive_us", "waiting_us"}) {
      not_found(std::string("network.") + name, "there is one rank only");
    }
  }
  meet();
}

}  // namespace machine

// machine DIRECTORY local|network: measures what messages, copies, sleeping ranks and file accesses cost where it is
// started. `weir doctor --measure` starts it and makes a machine model of what it prints.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "machine/findings.h"

namespace machine {

namespace {

constexpr int kRepeats = 5;

double time_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

}  // namespace

void found(const std::string& field, double value, const std::string& how) {
  std::printf("%s %.6g %s\n", field.c_str(), value, how.c_str());
}

void not_found(const std::string& field, const std::string& why) {
  std::printf("%s - %s\n", field.c_str(), why.c_str());
}

double least_time(const std::function<void()>& work) {
  double least = time_of(work);
  for (int i = 1; i < kRepeats; ++i) least = std::min(least, time_of(work));
  return least;
}

double usual_time_together(const std::function<void()>& work) {
  constexpr int kTimes = 4;  // ranks that meet again may have slept for some of it
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    meet();
    times.push_back(time_of([&] {
      for (int time = 0; time < kTimes; ++time) work();
      meet();
    }));
  }
  std::ranges::sort(times);
  return times[kRepeats / 2] / kTimes;
}

void meet() {
  constexpr useconds_t kNap = 500;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) usleep(kNap);
  }
}

Place find_place() {
  Place place;
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.ranks);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place.node_rank);
  MPI_Comm_size(node, &place.ranks_of_node);
  int first = place.rank;  // of this node
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  const int is_first = place.node_rank == 0 ? 1 : 0;
  MPI_Allreduce(&is_first, &place.nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const int elsewhere = first == 0 ? place.ranks : place.rank;
  int nearest = place.ranks;
  MPI_Allreduce(&elsewhere, &nearest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  place.partner = nearest < place.ranks ? nearest : place.ranks > 1 ? 1 : -1;
  return place;
}

void measure_nodes(const Place& place) {
  if (place.rank != 0) return;
  found("nodes.count", place.nodes, "nodes of the job");
  found("nodes.ranks_per_node", place.ranks_of_node, "ranks of the first node");
  found("nodes.cores_per_node", static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)), "cores of the first node");
}

}  // namespace machine

int main(int count, char** words) {
  MPI_Init(&count, &words);
  const std::string kind = count == 3 ? words[2] : "";
  if (kind != "local" && kind != "network") {
    std::fprintf(stderr, "machine: a directory has to be named, and whether it is local or behind a network\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const machine::Place place = machine::find_place();
  machine::measure_nodes(place);
  machine::measure_memory(place);
  machine::measure_messages(place);
  machine::measure_files(place, {words[1], kind == "network"});
  MPI_Finalize();
  return 0;
}

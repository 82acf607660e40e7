#include "workloads/program/job.h"

#include <algorithm>
#include <array>
#include <limits>

namespace bench {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

int own_rank() { return rank_in(MPI_COMM_WORLD); }

int all_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

MPI_Comm ranks_of_node() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  return node;
}

int node_count() {
  MPI_Comm node = ranks_of_node();
  int nodes = rank_in(node) == 0 ? 1 : 0;
  MPI_Comm_free(&node);
  MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return nodes;
}

bool agreed(bool opinion) {
  int value = opinion ? 1 : 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value != 0;
}

std::int64_t sum_of(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

int first_refused(bool refused) {
  int first = refused ? own_rank() : all_ranks();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return first;
}

bool on_all_ranks(bool right) {
  int all = right ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

void check_mpi(int code, std::string_view what, std::string_view path) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::string line = std::string(what) + (path.empty() ? "" : " " + std::string(path)) + ": " + text.data();
  std::ranges::replace(line, '\n', ' ');
  throw JobFailure(line);
}

int to_int(std::int64_t value) {
  if (value >= 0 && value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
  throw JobFailure("a count of " + std::to_string(value) + " does not fit MPI's int: use a smaller --size");
}

}  // namespace bench

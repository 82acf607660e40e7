// The ranks of this job, and how it ends when something fails: as a whole, since a rank that left alone would keep the
// others waiting.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

inline constexpr int kExitWrongData = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitFailed = 3;

int own_rank();
int all_ranks();

// COLLECTIVE. On how many nodes the ranks run.
int node_count();

// COLLECTIVE. True if `right` is true on all ranks.
bool on_all_ranks(bool right);

// Why the job cannot go on. Thrown on one rank or on many.
class JobFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws unless `code` is MPI_SUCCESS. `what` names the call, `path` the file if there is one.
void check_mpi(int code, std::string_view what, std::string_view path = {});

// The int that MPI takes. Throws if `value` is none.
int to_int(std::int64_t value);

// How a job that failed is ended: one rank of every node removes the files and says why.
class Ending {
 public:
  // COLLECTIVE.
  explicit Ending(std::vector<std::string> files);
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  // COLLECTIVE.
  ~Ending();

  // LOCAL: the other ranks may be anywhere, and are ended too. The job exits with kExitFailed.
  [[noreturn]] void end_job(std::string_view message);

 private:
  std::vector<std::string> files_;
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  int* claimed_ = nullptr;  // shared by the ranks of a node: not 0 once one of them speaks for all
};

}  // namespace bench

// Program: the calls of a workload, and what every rank asks for in each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "layout/layout.h"
#include "workloads/share.h"
#include "workloads/workload.h"

namespace weir::sim {

// Shares of ranks are kept while they are small, else made again each time.
class Program {
 public:
  explicit Program(const bench::Settled& workload);

  int ranks() const { return workload_.shape.ranks; }
  bool collective() const { return collective_; }
  std::int64_t calls() const { return static_cast<std::int64_t>(calls_.size()); }
  // What `rank` asks for in a call.
  layout::Layout request(std::int64_t call, int rank);
  // How far behind the call before, of the same view, the call lies in the file; nothing where it may be different.
  std::optional<std::int64_t> moved_by(std::int64_t call) const;

 private:
  struct Call {
    std::size_t access;
    int number;
  };

  const bench::Share& share_of(int rank);

  bench::Settled workload_;
  bool collective_ = true;
  int last_rank_ = -1;  // whose share was asked for last
  bench::Share last_share_;
  std::vector<Call> calls_;
  std::vector<std::optional<std::int64_t>> distances_;
  std::vector<std::vector<layout::Layout>> first_;  // of each rank: the first call of each access; empty if not kept
  std::size_t kept_bytes_ = 0;
};

}  // namespace weir::sim

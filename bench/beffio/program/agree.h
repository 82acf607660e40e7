// Staying in step: what ranks have to know of each other. A rank that fails keeps its appointments until all have
// agreed that one did.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "base/status.h"

namespace beffio {

// LOCAL. Success, or the MPI library's text for `code`, after what was done to which file.
weir::Status status_of(int code, std::string_view what, const std::string& path);

struct Agreement {
  weir::Status status;  // success if all ranks succeeded, otherwise the failure of the lowest failed rank
  double largest = 0;   // of all ranks' values
};

// COLLECTIVE. Also a barrier. Equal on all ranks.
Agreement agree(const weir::Status& own, double value, MPI_Comm comm);
weir::Status agree(const weir::Status& own, MPI_Comm comm);

// COLLECTIVE. A barrier for long waits: leaves the core to ranks that work.
void wait_idly(MPI_Comm comm);

// COLLECTIVE. What rank 0 has.
std::string text_of_rank_0(std::string text, MPI_Comm comm);

}  // namespace beffio

// Recording: what is kept of all files of a job and written at its end: the timeline, and the capture.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "trace/clock_fit.h"
#include "trace/recorder.h"
#include "trace/timeline.h"

namespace weir::mpi {

// Does nothing where the environment does not ask for it (WEIR_TIMELINE and WEIR_CAPTURE name the files). REQUIRES
// that it asks for the same on all ranks.
class Recording {
 public:
  // COLLECTIVE over MPI_COMM_WORLD, when MPI has been started. Returns what the user should be told.
  std::vector<std::string> start();
  // COLLECTIVE over MPI_COMM_WORLD, when all files are closed and MPI is about to end. Likewise.
  std::vector<std::string> finish();

  // Null where none is wanted.
  trace::Timeline* timeline() const { return timeline_.get(); }
  trace::Recorder* recorder() const { return recorder_.get(); }

 private:
  Status start_together();
  Status write_timeline();
  Status write_capture();

  std::string timeline_path_;
  std::string capture_path_;
  std::unique_ptr<trace::Timeline> timeline_;
  std::unique_ptr<trace::Recorder> recorder_;
  std::unique_ptr<comm::Comm> world_;
  trace::ClockMark begin_;
};

}  // namespace weir::mpi

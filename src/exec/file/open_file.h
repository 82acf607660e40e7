// OpenFile: a file that a group of ranks has opened together. Everything of the MPI file chapter that is not about
// MPI's own objects happens here, so that ranks as threads can run it as well as processes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_file.h"
#include "driver/file_driver.h"
#include "exec/call/collective_call.h"
#include "exec/call/journal.h"
#include "exec/call/meeting.h"
#include "exec/file/access_mode.h"
#include "exec/file/facts.h"
#include "exec/file/file_pointers.h"
#include "exec/file/settle_hints.h"
#include "exec/file/split_call.h"
#include "exec/file/told_file.h"
#include "exec/file/wiring.h"
#include "exec/independent/access.h"
#include "exec/independent/independent_call.h"
#include "layout/file_view.h"
#include "model/machine.h"
#include "sys/strand.h"
#include "trace/counters.h"
#include "trace/recorder.h"
#include "trace/report.h"

namespace weir::exec {

struct OpenArguments {
  std::string path;
  AccessMode mode;
  hints::HintSet hints;                    // settled: equal on all ranks
  trace::ThreadLevel thread_level = {};    // for the report
  hints::Changes hints_not_followed = {};  // likewise
  Tell tell = {};
  std::string prefix = {};              // that stood before the path, and names a driver
  bool timed = true;                    // a report will be asked for: the seconds of every access are counted
  trace::Timeline* timeline = nullptr;  // where what is done is shown; outlives the file
  trace::Recorder* recorder = nullptr;  // who is told what is asked; likewise
  capture::Group job_ranks = {};        // for the recorder: of the file's ranks
  hints::Pairs given = {};              // for the recorder: hints of the program
};

// What a data access call asks for.
struct Transfer {
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  bool collective = false;
  std::int64_t offset = 0;  // in etypes, for kExplicit
  layout::Memory memory;
};

// The same for one contiguous buffer, outside of collective calls.
struct FlatTransfer {
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  std::int64_t offset = 0;  // as above
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
};

class OpenFile {
 public:
  // COLLECTIVE: all ranks get a file, or the same failure; then a file that this call created is removed again.
  static Result<std::unique_ptr<OpenFile>> open(driver::FileDriver& driver, Wiring wiring,
                                                const OpenArguments& arguments);
  // Closes this rank's descriptor where close() was not called: nothing is lost, nobody is waited for.
  ~OpenFile();

  // COLLECTIVE, all of them: same outcome on all ranks. They wait for all nonblocking accesses given before.
  // Where calls did not match before, this rank's file is closed all the same, and the failure is that one.
  Status close();
  Status set_size(std::int64_t bytes);
  Status preallocate(std::int64_t bytes);
  Status sync();
  Status set_atomic(bool atomic);
  Status settle_hints(const HintSources& mine, hints::When when);
  // `mine` is what this rank thinks of its own arguments; `signature` must be equal on all ranks.
  Status set_view(Status mine, const layout::FileView& view, std::int64_t signature, const HintSources& sources = {});
  // A whence that one rank could not read is a failure on all.
  Status seek_shared(std::int64_t offset, const Result<Whence>& whence);
  // One outcome for what each rank found out by itself.
  Status agree_on(Status mine);

  // LOCAL.
  Result<std::int64_t> size();
  Status seek(std::int64_t offset, Whence whence);
  Result<std::int64_t> position() const { return pointers_.position(); }  // of the individual pointer, in etypes
  Result<std::int64_t> shared_position() { return pointers_.shared_position(); }
  // Of a view offset in etypes.
  Result<std::int64_t> byte_offset(std::int64_t offset) const { return pointers_.byte_offset(offset); }
  // Where in the file, in bytes, the shared pointer stands: the only displacement a sequential file may be given.
  Result<std::int64_t> current_displacement() { return pointers_.current_displacement(); }
  bool atomic() const { return atomic_; }
  hints::HintSet hints() const;
  layout::FileView view() const { return pointers_.view(); }
  const AccessMode& mode() const { return mode_; }
  const std::string& path() const { return path_; }
  // Whom to keep moving while waiting for something of this file.
  sys::Company* company() const { return wiring_.collective.get(); }
  int rank() const { return wiring_.collective->rank(); }
  // LOCAL: this rank's last words when the program ends with the file open: finishes and closes without the others.
  Status abandon();

  // LOCAL: checks the transfer and takes its place in the file; pointers move now.
  Access prepare(const Transfer& transfer);
  // LOCAL, or COLLECTIVE when the access is: runs it and returns when it is done.
  driver::IoOutcome run(Access& access);
  // LOCAL: prepare() and run() in one step that allocates nothing, for what is one request to the file. Nothing, and
  // nothing was done, where it takes more than that or is to be refused.
  std::optional<driver::IoOutcome> run_flat(const FlatTransfer& transfer);
  // LOCAL: as run(), but on a thread of the file's; calls `done` there. Where no thread is to be had, it runs before
  // the call returns.
  void start(Access access, std::function<void(driver::IoOutcome)> done);

  // A split collective call: at most one at a time. REQUIRES a matching begin before end. COLLECTIVE.
  // Where a split call has begun already the access is a refused one; it takes part before this returns its failure.
  Status begin_split(SplitKind kind, Access access);
  driver::IoOutcome end_split(SplitKind kind);

  // COLLECTIVE: what all ranks did, on every rank; times of single calls are this rank's.
  Result<trace::FileReport> report();

 private:
  OpenFile(Wiring wiring, const OpenArguments& arguments, std::unique_ptr<driver::File> file);
  OpenFile(Wiring wiring, const OpenArguments& arguments, std::unique_ptr<agent::AgentFile> file);

  comm::Comm& comm() { return *wiring_.collective; }
  bool on_one_node() const { return wiring_.collective->topology().node_count() == 1; }
  static std::unique_ptr<OpenFile> make(Wiring wiring, const OpenArguments& arguments,
                                        std::unique_ptr<driver::File> file);
  // COLLECTIVE: engine, facts and pointers of a file that is open.
  Status start(const OpenArguments& arguments);
  std::optional<model::MachineModel> given_model();
  Status start_engine(const OpenArguments& arguments);
  Status start_pointers();
  void tell_io() const;  // where bytes do not go as wished
  // COLLECTIVE: meets the others after all accesses given before; `body` follows when all came well.
  Status together(const Appointment& appointment, const std::function<Status()>& body);
  Status together(const Appointment& appointment, const std::function<Status(int tasks)>& body);
  // COLLECTIVE: rank 0 acts, once everything written is in the file.
  Status change_size(const std::function<Status()>& action);
  // LOCAL. What other nodes wrote and synced is read from now on.
  void refresh();
  // LOCAL. The same, but for a size that is dear to ask for.
  void refresh_bytes();
  // LOCAL. In atomic mode a file is as long at once as other nodes have made it.
  void refresh_size();
  // LOCAL, where a file system keeps what ranks write from other nodes: others can read what this rank has written.
  Status flush_own();
  Status close_together();
  Status close_alone();
  Status leave_agents();
  Status set_size_together(std::int64_t bytes);
  Status sync_together();
  Status set_atomic_together(bool atomic);
  Status settle_hints_together(const HintSources& mine, hints::When when);
  // COLLECTIVE: agents do as hints and mode say, or there are none. No access runs meanwhile. Where a block cannot be
  // stored nothing has changed.
  Status use_agents();
  void use_hints();
  void use_plan_facts();
  Status check_transfer(const Transfer& transfer, const layout::FileView& view) const;
  driver::IoOutcome run_here(Access& access);
  driver::IoOutcome move(Access& access);
  trace::CounterValues counter_values() const;
  // Tells the recorder, where there is one, of a call that is no access, while it runs.
  Status recorded(capture::Op op, const std::function<Status()>& call, const layout::Layout* structure = nullptr,
                  const hints::Pairs* hints = nullptr);
  // `size_bytes` is that of the file before anybody could write; 0 but on rank 0.
  void record_open(const OpenArguments& arguments, std::int64_t size_bytes, std::int64_t begun);
  void record_begin(Access& access);
  void record_end(const Access& access, bool failed);
  void record_flat(const FlatTransfer& transfer, std::int64_t file_offset, std::int64_t begun);

  const std::string path_;
  const AccessMode mode_;
  const trace::ThreadLevel thread_level_;
  Wiring wiring_;
  std::unique_ptr<driver::File> file_;
  agent::AgentFile* agents_ = nullptr;  // file_, where it may have agents
  std::string agents_lack_;             // what they lack, as told
  std::unique_ptr<ToldFile> told_;      // file_, for aggregators; null where nodes need not be told
  std::int64_t flushed_bytes_ = 0;      // of those that this rank has written
  driver::FileDriver* driver_ = nullptr;
  OpenFacts facts_;
  std::atomic<bool> atomic_ = false;
  trace::Counters counters_;
  trace::FileRecord record_;
  Journal journal_;
  Meeting meeting_;
  FilePointers pointers_;
  SplitCall split_;
  IndependentCall independent_;
  std::unique_ptr<CollectiveCall> collective_;  // once the engine is there

  mutable std::mutex mutex_;  // guards what follows
  hints::HintSet hints_;

  // Last, so that their threads end before anything they use is destroyed.
  sys::Strand collective_strand_;
  sys::Strand background_strand_;
};

}  // namespace weir::exec

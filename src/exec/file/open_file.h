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

#include "comm/comm.h"
#include "comm/shared_counter.h"
#include "driver/file_driver.h"
#include "exec/call/arrival.h"
#include "exec/call/call_code.h"
#include "exec/call/watchdog.h"
#include "exec/file/access_mode.h"
#include "exec/file/facts.h"
#include "exec/file/node_engine.h"
#include "exec/file/settle_hints.h"
#include "layout/file_view.h"
#include "layout/request_list.h"
#include "plan/access_method.h"
#include "sys/strand.h"
#include "trace/call_log.h"
#include "trace/counters.h"
#include "trace/report.h"

namespace weir::exec {

// The two message channels a file needs, and the engine it uses; all belong to the same ranks.
struct Channels {
  std::unique_ptr<comm::Comm> collective;        // collective calls, one after the other
  std::unique_ptr<comm::Comm> agent;             // the shared file pointer's agent
  EngineLease engine = {};                       // the same of all ranks; without one, one is made
  std::unique_ptr<Watchdog> watchdog = nullptr;  // of `collective`, has entered the open; may be null
};

struct OpenArguments {
  std::string path;
  AccessMode mode;
  hints::HintSet hints;                    // settled: equal on all ranks
  trace::ThreadLevel thread_level = {};    // for the report
  hints::Changes hints_not_followed = {};  // likewise
  // Tells the user; may be called from any thread. May be empty.
  std::function<void(const std::vector<std::string>&)> tell = {};
};

enum class Whence : std::uint8_t { kSet, kCurrent, kEnd };

// What a data access call asks for.
struct Transfer {
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  bool collective = false;
  std::int64_t offset = 0;  // in etypes, for kExplicit
  layout::Memory memory;
};

// A data access whose place in the file is settled (in rank order: is settled while it runs). It can run later, on
// another thread. A refused one moves nothing, but takes part in a collective call.
struct Access {
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  Manner manner = Manner::kBlocking;
  bool collective = false;
  bool atomic = false;
  layout::FileView view;  // as it was when the call was made
  layout::Memory memory;
  layout::RequestList requests;  // of the two, once the place is settled
  Status refused;
  std::shared_ptr<HeldSchedule> held;  // of a persistent operation; may be null
  // Called once the data has moved (reading: to be converted), before the ranks agree on the outcome; it may call the
  // host. May be empty.
  std::function<driver::IoOutcome(driver::IoOutcome)> finish;

  bool ordered() const { return positioning == Positioning::kOrdered; }
  CallCode call() const { return {CallKind::kAccess, direction, positioning, manner}; }
};

// The outcome of an access that was started; who keeps it and who takes it both hold it. LOCAL; thread-safe.
class Promise {
 public:
  void keep(driver::IoOutcome outcome) {
    outcome_ = std::move(outcome);
    kept_.raise_to(1);
  }
  bool kept() const { return kept_.reached(1); }
  // Waits for it. To be called once.
  driver::IoOutcome take(sys::Company* company) {
    kept_.wait_for(1, {company, {"a call that this rank has started"}});
    return std::move(outcome_);
  }

 private:
  driver::IoOutcome outcome_;
  sys::Latch kept_{};
};

class OpenFile {
 public:
  // COLLECTIVE: all ranks get a file, or the same failure; then a file that this call created is removed again.
  static Result<std::unique_ptr<OpenFile>> open(driver::FileDriver& driver, Channels channels,
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
  // Returns what this rank should tell the user.
  Result<std::vector<std::string>> settle_hints(const HintSources& mine, hints::When when);
  // `mine` is what this rank thinks of its own arguments; `signature` must be equal on all ranks.
  Status set_view(Status mine, const layout::FileView& view, std::int64_t signature);
  // A whence that one rank could not read is a failure on all.
  Status seek_shared(std::int64_t offset, const Result<Whence>& whence);
  // One outcome for what each rank found out by itself.
  Status agree_on(Status mine);

  // LOCAL.
  Result<std::int64_t> size();
  Status seek(std::int64_t offset, Whence whence);
  Result<std::int64_t> position() const;  // of the individual pointer, in etypes
  Result<std::int64_t> shared_position();
  Result<std::int64_t> byte_offset(std::int64_t offset) const;  // of a view offset in etypes
  // Where in the file, in bytes, the shared pointer stands: the only displacement a sequential file may be given.
  Result<std::int64_t> current_displacement();
  bool atomic() const { return atomic_; }
  hints::HintSet hints() const;
  layout::FileView view() const;
  const AccessMode& mode() const { return mode_; }
  const std::string& path() const { return path_; }
  // Whom to keep moving while waiting for something of this file.
  sys::Company* company() const { return channels_.collective.get(); }
  int rank() const { return channels_.collective->rank(); }
  // LOCAL: this rank's last words when the program ends with the file open: finishes and closes without the others.
  Status abandon();

  // LOCAL: checks the transfer and takes its place in the file; pointers move now.
  Access prepare(const Transfer& transfer);
  // LOCAL, or COLLECTIVE when the access is: runs it and returns when it is done.
  driver::IoOutcome run(Access& access);
  // LOCAL: as run(), but on a thread of the file's; calls `done` there. Where no thread is to be had, it runs before
  // the call returns.
  void start(Access access, std::function<void(driver::IoOutcome)> done);

  // A split collective call: at most one at a time. REQUIRES a matching begin before end. COLLECTIVE.
  struct SplitKind {
    Direction direction;
    Positioning positioning;
    bool operator==(const SplitKind&) const = default;
  };
  // Where a split call has begun already the access is a refused one; it takes part before this returns its failure.
  Status begin_split(SplitKind kind, Access access);
  driver::IoOutcome end_split(SplitKind kind);

  // COLLECTIVE: what all ranks did, on every rank; times of single calls are this rank's.
  Result<trace::FileReport> report();

 private:
  OpenFile(Channels channels, const OpenArguments& arguments, std::unique_ptr<driver::File> file);

  comm::Comm& comm() { return *channels_.collective; }
  bool on_one_node() const { return channels_.collective->topology().node_count() == 1; }
  // A collective call that is no data access.
  struct Appointment {
    CallKind kind;
    // What this rank brings: a failure is everybody's. Runs after all accesses given before; may be empty.
    std::function<Status()> prepare = {};
    std::array<std::int64_t, 2> values = {};  // of its arguments
    const char* equal = nullptr;              // what they are, if all ranks must give the same
  };
  // Meets the others; `body` follows when all came well.
  Status together(const Appointment& appointment, const std::function<Status()>& body);
  Status meet_and(const Appointment& appointment, const std::function<Status()>& body);
  // The first exchange of every collective call. Ranks whose calls do not match all get the same failure, and nothing
  // collective is tried on this file again.
  Result<std::vector<Arrival>> meet(const Arrival& mine);
  Status lost_step() const;
  // Rank 0 acts, all ranks learn how it went.
  Status on_rank_0(const std::function<Status()>& action);
  Status start_engine();
  Status start_pointers();
  Status close_together();
  Status close_alone();
  Status set_atomic_together(bool atomic);
  Status probe_locks();
  Result<std::int64_t> end_position(const layout::FileView& view);
  bool split_active() const;
  Status check_transfer(const Transfer& transfer, const layout::FileView& view) const;
  Status settle_place(Access& access, std::int64_t place);
  Result<std::int64_t> take_place(const Transfer& transfer, std::int64_t etypes);
  Status place_ordered(Access& access);
  driver::IoOutcome run_collective(Access& access);
  // run_collective() without the counting; `plan` gets the plan.
  driver::IoOutcome run_in_step(Access& access, plan::Plan& plan);
  driver::IoOutcome run_planned(Access& access, const layout::RequestList& requests,
                                std::span<const plan::AccessSummary> summaries, plan::Plan& plan);
  driver::IoOutcome move_ahead(const Access& access, plan::AccessSummary& summary);
  Status stand_by(const Access& access, std::span<const plan::AccessSummary> summaries, plan::Plan& plan);
  bool large_pieces_before(Direction direction) const;
  Result<std::vector<plan::AccessSummary>> gather(const Access& access, const plan::AccessSummary& mine);
  plan::Facts plan_facts(const Access& access) const;
  driver::IoOutcome run_independent(const Access& access);
  driver::IoOutcome run_alone(const Access& access);  // without the counting
  driver::IoOutcome move(const Access& access);
  static driver::IoOutcome finished(const Access& access, driver::IoOutcome outcome);
  plan::AccessRules access_rules() const;
  void note(const Access& access, const driver::IoOutcome& outcome);
  void record(plan::Plan plan, const trace::CounterValues& before, bool failed);
  void tell_replaced(const plan::Plan& plan);
  trace::CounterValues counter_values() const;
  void keep_not_followed(const hints::Changes& changes);
  void set_watchdog();

  const std::string path_;
  const AccessMode mode_;
  const trace::ThreadLevel thread_level_;
  const std::function<void(const std::vector<std::string>&)> tell_;
  Channels channels_;
  std::unique_ptr<driver::File> file_;
  driver::FileDriver* driver_ = nullptr;
  std::unique_ptr<comm::SharedCounter> shared_pointer_;  // in etypes
  OpenFacts facts_;
  std::atomic<bool> atomic_ = false;
  std::atomic<bool> out_of_step_ = false;  // calls of the ranks did not match
  Status mismatch_;                        // then: which
  trace::Counters counters_;

  mutable std::mutex mutex_;  // guards what follows
  layout::FileView view_;
  std::int64_t position_ = 0;  // in etypes
  hints::HintSet hints_;
  hints::Changes hints_not_followed_;
  trace::CallLog calls_;
  std::array<bool, 2> large_pieces_ = {};          // by direction: the last collective call's, with the present hints
  std::optional<plan::AccessChoice> last_choice_;  // of a rank for itself
  std::vector<std::string> told_;                  // of wishes that plans have replaced
  struct Split {
    SplitKind kind;
    std::shared_ptr<Promise> promise;
  };
  std::optional<Split> split_;

  // Last, so that their threads end before anything they use is destroyed.
  sys::Strand collective_strand_;
  sys::Strand background_strand_;
};

}  // namespace weir::exec

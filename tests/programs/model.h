// Model: what a program must do, step by step, and which steps are legal MPI.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "programs/contents.h"
#include "programs/program.h"

namespace weir::programs {

// What one rank must get from an access.
struct Expected {
  std::int64_t requested = 0;  // bytes
  std::int64_t moved = 0;      // fewer when reading at the end of the file
  bool certain = true;         // whether `moved` is
  std::vector<Origin> data;    // when reading: of the bytes moved
  Alternatives alternatives;   // by position in `data`
};

// What one rank must be told; empty where that is not certain.
struct ExpectedAnswers {
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> position;
  std::optional<std::int64_t> shared_position;
};

// An access that failed, on the ranks of a colour.
using Failures = std::set<std::pair<int, int>>;  // id, colour

struct ModelOptions {
  bool keep_data = true;       // whether `Expected` gets the data
  Failures failures = {};      // the bytes of these accesses may be anything
  bool zero_holes = true;      // bytes that nobody wrote are 0; else anything, as the standard has it
  int longest_file = 1 << 26;  // bytes; beyond it steps are not legal
};

// A file of one colour.
struct FileState {
  bool exists = false;
  bool open = false;
  Mode mode;
  bool atomic = false;
  bool loose = false;  // an access failed: its size is not certain any more
  Contents contents;
  Touches touches;
  std::vector<View> views;                             // by rank
  std::vector<std::optional<std::int64_t>> positions;  // by rank, in etypes
  std::optional<std::int64_t> shared_position;         // likewise
  RankSet shared_users = 0;                            // since ranks last met
  std::int64_t epoch_size = 0;                         // when the epoch began
  RankSet extenders = 0;                               // ranks that wrote behind it since
  RankSet short_readers = 0;                           // ranks that read or seeked at the end of the file since
  int pending = 0;                                     // ranks' parts of accesses that are not completed
  int pending_extensions = 0;                          // of these, writes behind epoch_size
  int pending_short_reads = 0;                         // and reads at the end of the file
  bool unsettled = false;                              // the size was set: nothing may happen before ranks meet
  int split = -1;                                      // the split access that has begun
  int partial = -1;                                    // the nonblocking collective access that has begun on some ranks
};

class Model {
 public:
  // REQUIRES: `program` outlives the model; its steps may grow.
  explicit Model(const Program& program, ModelOptions options = {});

  // Why the step may not come next; "" when it may.
  std::string why_not(const Step& step) const;
  // REQUIRES: why_not(step) is "".
  void apply(const Step& step);
  // Why the program may not end here.
  std::string why_not_end() const;

  bool zero_holes() const { return options_.zero_holes; }
  const FileState& file(int file, int colour) const;
  const FileState& file_of(int file, int rank) const;
  // By access and rank.
  const std::map<std::pair<int, int>, Expected>& expected() const { return expected_; }
  // By number of the step and rank.
  const std::map<std::pair<int, int>, ExpectedAnswers>& answers() const { return answers_; }

  // Accesses of the file, or of all when -1, that some rank has started and not completed.
  std::vector<int> pending(int file = -1) const;
  RankSet pending_on(int id) const;  // the ranks that have started and not completed it
  RankSet missing_on(int id) const;  // the ranks of the groups that have still to start it
  // Of a message: how far it is.
  struct MessageState {
    bool sent = false;      // the send has started
    bool received = false;  // the receive has
    bool send_pending = false;
    bool receive_pending = false;
  };
  MessageState message_state(int id) const;

  // Where in the file each rank's part goes: by rank; REQUIRES positions that are known.
  struct Part {
    std::int64_t first = 0;  // byte of the view
    std::int64_t bytes = 0;
    std::vector<Extent> pieces;
  };
  std::map<int, Part> parts(const Step& access, RankSet ranks) const;

 private:
  struct Pending {
    Step step;
    RankSet all = 0;  // who has to start it
    RankSet started = 0;
    RankSet done = 0;
    std::map<int, Part> parts;
  };
  FileState& file_at(int file, int rank);
  const Communicator& communicator(int file) const { return program_.communicator_of(file); }
  RankSet groups_of(int file, RankSet ranks) const;
  // Whether the ranks may get each other's places: they move the shared pointer at the same time.
  bool may_trade(const Step& access, int a, int b) const;

  // model_rules.cc
  std::string why_no_file_step(const Step& step) const;
  std::string why_no_open(const Step& step) const;
  std::string why_no_view(const Step& step) const;
  std::string why_no_seek(const Step& step) const;
  std::string why_no_access(const Step& step) const;
  std::string why_no_part(const Step& access, RankSet ranks) const;
  std::string why_no_place(const Step& access, int rank) const;
  std::string why_no_share(const Step& access, int rank) const;
  std::string why_no_touch(const Step& access, int rank, const Part& part) const;
  std::string why_no_join(const Step& step) const;
  std::string why_no_end(const Step& step) const;
  std::string why_no_complete(const Step& step) const;
  std::string why_no_message(const Step& step) const;

  // model.cc
  void open(const Step& step);
  void close(const Step& step);
  void seek(const Step& step);
  void start(const Step& access, RankSet ranks);
  void start_part(const Step& access, int rank, const Part& part);
  void mix_parts(const Step& access, const std::map<int, Part>& parts);
  void move_pointers(const Step& access, RankSet ranks);
  void expect(const Step& access, int rank, const Part& part);
  void complete_part(Pending& pending, int rank);
  void complete(const Step& step);
  void message(const Step& step);
  void ask(const Step& step);
  void meet(int file);
  void barrier(int communicator);

  const Program& program_;
  ModelOptions options_;
  std::vector<std::vector<FileState>> files_;  // by file and colour
  std::vector<MessageState> messages_;
  std::map<int, Pending> pending_;  // by id
  std::set<int> used_ids_;
  std::map<std::pair<int, int>, Expected> expected_;
  std::map<std::pair<int, int>, ExpectedAnswers> answers_;
  int steps_ = 0;
};

// Why the program is not legal; "" when it is.
std::string why_illegal(const Program& program);

// The model after the whole program. REQUIRES a legal program.
Model run_model(const Program& program, ModelOptions options = {});

}  // namespace weir::programs

// Interprets one rank's part of a program on a backend, and checks what it saw against the model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "programs/model.h"
#include "programs/program.h"

namespace weir::programs {

using Buffer = std::vector<std::uint8_t>;

// How a call ended.
struct Outcome {
  int error = 0;  // an error class of the backend's; 0: success
  std::int64_t moved_bytes = 0;
  std::string text = {};
};

// One rank's side of the calls. Accesses and messages are known by their ids until they are completed.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual Outcome open(const Step& step) = 0;
  virtual Outcome close(int file) = 0;
  virtual Outcome set_view(int file, const View& view) = 0;
  virtual Outcome seek(int file, std::int64_t offset, Whence whence) = 0;
  virtual Outcome seek_shared(int file, std::int64_t offset) = 0;
  virtual Outcome sync(int file) = 0;
  virtual Outcome set_size(int file, std::int64_t bytes) = 0;
  virtual Outcome preallocate(int file, std::int64_t bytes) = 0;
  virtual Outcome set_atomic(int file, bool atomic) = 0;
  // The answer is in moved_bytes.
  virtual Outcome size(int file) = 0;
  virtual Outcome position(int file) = 0;
  virtual Outcome shared_position(int file) = 0;

  // Of a blocking access: runs it. Of others: begins it; the buffer stays until it is completed.
  virtual Outcome access(const Step& step, Buffer& buffer) = 0;
  virtual Outcome end(const Step& step) = 0;
  // Completes those of the accesses and messages that this rank has begun; the outcomes of accesses by id.
  virtual std::map<int, Outcome> complete(const Step& step) = 0;

  virtual void barrier(int communicator) = 0;
  virtual void isend(int id, const Buffer& data) = 0;
  virtual void irecv(int id, Buffer& data) = 0;
  virtual void send(int id, const Buffer& data) = 0;
  virtual void recv(int id, Buffer& data) = 0;
};

// What one rank saw.
struct Record {
  struct AccessRecord {
    Outcome outcome;
    Buffer buffer;
  };
  struct Answers {
    std::int64_t size = 0;
    std::int64_t position = 0;
    std::int64_t shared_position = 0;
  };
  std::map<int, AccessRecord> accesses;  // by id
  std::map<int, Answers> answers;        // by step
  std::vector<std::string> complaints;   // calls that may not fail and did; messages with wrong contents
};

// Runs this rank's part; the number of the step that runs is in `current_step`, for those who wonder where it hangs.
Record interpret(const Program& program, int rank, Backend& backend, volatile int& current_step);

// What is wrong with what a rank saw, in words. REQUIRES a model that has run the program.
std::vector<std::string> complaints_of(const Program& program, const Model& model, int rank, const Record& record);

// What is wrong with a file afterwards; `bytes` is null when there is none.
std::vector<std::string> complaints_about_file(const Program& program, const Model& model, int file, int colour,
                                               const Buffer* bytes);

// Accesses that failed on some rank; complains, in `complaints`, where the ranks of a collective call saw different
// errors. REQUIRES a record of each rank.
Failures failures_in(const Program& program, const std::vector<Record>& records, std::vector<std::string>& complaints);

// The contents of a file before the program.
Buffer initial_contents(const Program& program, int file, int colour);

}  // namespace weir::programs

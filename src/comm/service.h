// Service: a thread that answers what other ranks ask, whatever its own rank's program does meanwhile. Asker: how they
// ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "base/status.h"
#include "comm/line.h"
#include "sys/latch.h"
#include "sys/shared_lock.h"

namespace weir::comm {

// What is asked; sent as bytes. The payload follows it.
struct Question {
  static constexpr std::int64_t kLeave = -1;  // as kind: so many ranks (`value`) will ask nothing more
  std::int64_t kind = 0;
  std::int64_t value = 0;
  std::int64_t wanted_bytes = 0;  // of data, at most, in the answer
  std::int64_t payload_bytes = 0;
};

// What is answered. Data come with a success only.
struct Answer {
  Status status;
  std::int64_t value = 0;
  std::int64_t data_bytes = 0;
};

// The answering side of one rank. It ends when all ranks have left, its own among them.
class Service {
 public:
  // Called on the service's thread. The answer's data go to the begin of `data`, which has room for what is wanted.
  using Respond = std::function<Answer(const Question&, std::span<std::byte> payload, std::span<std::byte> data)>;

  // Payloads and data have `most_bytes` at most.
  Service(Line::End end, std::size_t most_bytes, Respond respond);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();  // REQUIRES that it has not started, or that end() returned

  // Fails where no thread is to be had.
  Status start();
  // Returns when all ranks have left; what they asked is answered then. `company` as for Waiting. The failure that
  // ended it early, if one did.
  Status end(sys::Company* company);

 private:
  Status serve();
  Status answer(int asker, const Question& question);

  Line::End end_;
  Respond respond_;
  std::vector<std::byte> payload_;
  std::vector<std::byte> data_;
  sys::Latch ended_{};
  std::thread thread_;
  Status outcome_;
};

// The asking side. Thread-safe: one question after the other.
class Asker {
 public:
  explicit Asker(Line::End end) : end_(std::move(end)) {}

  // Asks a rank that has a service and returns its answer; the data of it are at the begin of `data`. The question's
  // sizes are set from the spans. A message that failed is a failed answer.
  Answer ask(int to, Question question, std::span<const std::byte> payload, std::span<std::byte> data);
  // Tells a service that so many ranks will ask nothing more.
  Status leave(int to, int ranks);

  sys::Company* company() const { return end_.answers.get(); }

 private:
  Line::End end_;
  sys::SharedLock lock_{};  // of the end
};

}  // namespace weir::comm

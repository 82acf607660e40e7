// AdviceDriver: files in memory that watch how their readers give advice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driver/memory.h"

namespace weir::exec {

// What the files of a driver have seen.
struct AdviceLog {
  std::vector<Extent> reads;   // as a file system sees them: requests of a transfer that touch are one
  std::vector<Extent> ranges;  // each one that was asked for, as often as it was
  std::int64_t asks = 0;
  std::int64_t taken = 0;
  std::int64_t released = 0;
  std::int64_t most_held = 0;  // by one file
  std::string story;           // e.g. "ask 4/4 read 0+8 release 1 ask 1/1 "
};

// Thread-safe. Every file checks, and fails the test otherwise: ranges lie ahead of the reads, ascend, and are one for
// a block; those released are the first that it holds; none is left when it closes.
class AdviceDriver final : public driver::FileDriver {
 public:
  // How many ranges to take of those asked for.
  using Answer = std::function<std::int64_t(std::int64_t asked)>;

  AdviceDriver(std::int64_t block_bytes, Answer answer);

  Result<std::unique_ptr<driver::File>> open(const std::string& path, driver::OpenMode mode, bool* created) override;
  Status remove(const std::string& path) override { return memory_.remove(path); }
  driver::MemoryDriver& memory() { return memory_; }
  AdviceLog log() const;

 private:
  class WatchedFile;
  struct Shared {
    Shared(std::int64_t bytes, Answer given) : block_bytes(bytes), answer(std::move(given)) {}
    std::int64_t block_bytes;
    Answer answer;
    std::mutex mutex;
    AdviceLog log;
  };

  driver::MemoryDriver memory_;
  std::shared_ptr<Shared> shared_;
};

// What systems answer: nothing, one range, half of them rounded up, all.
struct NamedAnswer {
  const char* name;
  AdviceDriver::Answer answer;
};
const std::vector<NamedAnswer>& all_answers();
std::int64_t take_all(std::int64_t asked);

}  // namespace weir::exec

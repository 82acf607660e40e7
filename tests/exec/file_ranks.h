// Ranks as threads that open files together, for the tests of OpenFile.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "comm/collectives.h"
#include "comm/ranks.h"
#include "driver/memory.h"
#include "driver/support.h"
#include "exec/file/open_file.h"

namespace weir::exec {

using driver::Bytes;
using driver::pattern;

inline constexpr AccessMode kReadOnlyMode = {.read_only = true};
inline constexpr AccessMode kReadWriteMode = {.read_write = true};
inline constexpr AccessMode kCreateMode = {.read_write = true, .create = true};
inline constexpr AccessMode kCreateNewMode = {.read_write = true, .create = true, .exclusive = true};

inline const std::vector<int> kRankCounts = {1, 2, 3, 4, 7, 16};

// What one rank of a test has: a channel of its own to the others, and what it needs to open files.
class Rank {
 public:
  Rank(comm::ThreadComm& channel, const comm::ThreadGroup& collective, const comm::LineGroups& pointer_line,
       const comm::LineGroups& agent_line)
      : channel_(channel), collective_(collective), pointer_line_(pointer_line), agent_line_(agent_line) {}

  int number() const { return channel_.rank(); }
  int size() const { return channel_.size(); }
  comm::ThreadComm& channel() { return channel_; }
  void meet() { EXPECT_TRUE(comm::barrier(channel_).ok()); }

  // What a file of these ranks needs; at most one is open at a time.
  Wiring wiring() const { return {collective_.comm(number()), pointer_line_.of(number()), agent_line_.of(number())}; }

  // COLLECTIVE.
  Result<std::unique_ptr<OpenFile>> try_open(driver::FileDriver& driver, AccessMode mode, const std::string& path = "f",
                                             const hints::HintSet& hints = {}) {
    return OpenFile::open(driver, wiring(), {path, mode, hints});
  }

  std::unique_ptr<OpenFile> open(driver::FileDriver& driver, AccessMode mode = kCreateMode,
                                 const std::string& path = "f", const hints::HintSet& hints = {}) {
    auto opened = try_open(driver, mode, path, hints);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    if (!opened.ok()) std::abort();  // the other ranks wait: no test can go on
    return std::move(opened).value();
  }

 private:
  comm::ThreadComm& channel_;
  const comm::ThreadGroup& collective_;
  const comm::LineGroups& pointer_line_;
  const comm::LineGroups& agent_line_;
};

// Runs `body` on every rank; ends the program when it hangs.
inline void run_file_ranks(int ranks, int ranks_per_node, const std::function<void(Rank&)>& body) {
  const comm::ThreadGroup collective = comm::tested_group(ranks, ranks_per_node);
  const comm::LineGroups pointer_line = comm::tested_line(ranks, ranks_per_node);
  const comm::LineGroups agent_line = comm::tested_line(ranks, ranks_per_node);
  comm::run_tested_ranks(ranks, ranks_per_node, [&](comm::ThreadComm& channel) {
    Rank rank(channel, collective, pointer_line, agent_line);
    body(rank);
  });
}
inline void run_file_ranks(int ranks, const std::function<void(Rank&)>& body) { run_file_ranks(ranks, 0, body); }

// What the ranks of one collective call returned.
class Outcomes {
 public:
  void add(const Status& status) {
    std::scoped_lock lock(mutex_);
    classes_.insert(status.error_class());
    texts_.insert(status.text());
    ++ranks_;
  }
  // The same everywhere, text included.
  void expect(int ranks, ErrorClass expected) const {
    EXPECT_EQ(ranks_, ranks);
    EXPECT_EQ(texts_.size(), 1U) << (texts_.empty() ? "" : *texts_.begin() + " / " + *texts_.rbegin());
    EXPECT_EQ(classes_, std::set<ErrorClass>{expected}) << (texts_.empty() ? "" : *texts_.begin());
  }
  std::string text() const { return texts_.empty() ? "" : *texts_.begin(); }

 private:
  mutable std::mutex mutex_;
  int ranks_ = 0;
  std::set<ErrorClass> classes_;
  std::set<std::string> texts_;
};

inline Transfer transfer_of(Direction direction, Positioning positioning, bool collective, Bytes& buffer,
                            std::int64_t offset = 0) {
  return {direction, positioning, collective, offset, layout::Memory::of(buffer.data(), std::ssize(buffer))};
}

inline driver::IoOutcome run_transfer(OpenFile& file, const Transfer& transfer) {
  Access access = file.prepare(transfer);
  return file.run(access);
}

inline driver::IoOutcome write_explicit(OpenFile& file, std::int64_t offset, Bytes bytes, bool collective = false) {
  return run_transfer(file, transfer_of(Direction::kWrite, Positioning::kExplicit, collective, bytes, offset));
}

// Every `ranks`-th block of `block_bytes` is this rank's.
inline layout::FileView interleaved_view(int rank, int ranks, std::int64_t block_bytes, std::int64_t etype_bytes = 1) {
  return {rank * block_bytes, etype_bytes, layout::Layout::contiguous(block_bytes), ranks * block_bytes};
}

// LOCAL: the file's bytes as they are before or after a test.
inline void put_file(driver::MemoryDriver& driver, const Bytes& bytes, const std::string& path = "f") {
  driver::write_or_fail(*driver::open_or_fail(driver, path), 0, bytes);
}

}  // namespace weir::exec

#include "exec/advice_driver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace weir::exec {

using driver::File;
using driver::IoOutcome;
using driver::IoRequest;

class AdviceDriver::WatchedFile final : public File {
 public:
  WatchedFile(std::shared_ptr<Shared> shared, std::unique_ptr<File> file)
      : shared_(std::move(shared)), file_(std::move(file)) {}
  WatchedFile(const WatchedFile&) = delete;
  WatchedFile& operator=(const WatchedFile&) = delete;
  ~WatchedFile() override { EXPECT_TRUE(held_.empty()) << held_.size() << " ranges were never released"; }

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override {
    IoOutcome outcome = file_->transfer(direction, requests);
    if (direction == Direction::kRead) note_reads(requests, outcome.bytes_moved);
    return outcome;
  }

  std::int64_t prefetch(std::span<const Extent> ranges) override {
    const std::scoped_lock lock(shared_->mutex);
    const std::int64_t taken = std::min(shared_->answer(std::ssize(ranges)), std::ssize(ranges));
    std::int64_t block_before = held_.empty() ? -1 : held_.back().begin / shared_->block_bytes;
    for (const Extent range : ranges) block_before = check_range(range, block_before);
    held_.insert(held_.end(), ranges.begin(), ranges.begin() + taken);
    AdviceLog& log = shared_->log;
    ++log.asks;
    log.taken += taken;
    log.ranges.insert(log.ranges.end(), ranges.begin(), ranges.end());
    log.most_held = std::max(log.most_held, std::ssize(held_));
    log.story += fmt::format("ask {}/{} ", taken, ranges.size());
    return taken;
  }

  void release(std::span<const Extent> ranges) override {
    const std::scoped_lock lock(shared_->mutex);
    EXPECT_LE(ranges.size(), held_.size());
    EXPECT_TRUE(std::equal(ranges.begin(), ranges.end(), held_.begin()));
    held_.erase(held_.begin(), held_.begin() + std::ssize(ranges));
    shared_->log.released += std::ssize(ranges);
    shared_->log.story += fmt::format("release {} ", ranges.size());
  }

  Result<std::int64_t> size() override { return file_->size(); }
  Status resize(std::int64_t bytes) override { return file_->resize(bytes); }
  Status preallocate(std::int64_t bytes) override { return file_->preallocate(bytes); }
  Status sync() override { return file_->sync(); }
  Result<std::unique_ptr<driver::RangeLock>> lock(Extent range, driver::LockKind kind) override {
    return file_->lock(range, kind);
  }
  driver::Capabilities capabilities() const override { return {.locks = true, .prefetches = true}; }
  driver::StorageLayout storage() const override { return file_->storage(); }
  driver::IoCounters counters() const override { return file_->counters(); }
  Status close() override { return file_->close(); }

 private:
  // The last request noted is the one that the end of the file cut.
  void note_reads(std::span<const IoRequest> requests, std::int64_t moved_bytes) {
    const std::scoped_lock lock(shared_->mutex);
    Extent read;
    const auto note = [&] {
      if (read.empty()) return;
      shared_->log.reads.push_back(read);
      shared_->log.story += fmt::format("read {}+{} ", read.begin, read.bytes());
    };
    for (const IoRequest& request : requests) {
      if (read.empty() || request.offset != read.end) {
        note();
        read = {request.offset, request.offset};
      }
      read.end += request.bytes;
      moved_bytes -= request.bytes;
      if (moved_bytes < 0) break;
    }
    note();
    if (!requests.empty()) read_end_ = requests.back().offset + requests.back().bytes;
  }

  // Returns the number of the range's block.
  std::int64_t check_range(Extent range, std::int64_t block_before) {
    const std::int64_t block = range.begin / shared_->block_bytes;
    EXPECT_FALSE(range.empty());
    EXPECT_EQ(block, (range.end - 1) / shared_->block_bytes) << "in two blocks";
    EXPECT_GT(block, block_before) << "not ascending, or two ranges of a block";
    EXPECT_GT(range.end, read_end_) << "read already";
    return block;
  }

  std::shared_ptr<Shared> shared_;
  std::unique_ptr<File> file_;
  std::vector<Extent> held_;
  std::int64_t read_end_ = 0;  // of the latest transfer
};

AdviceDriver::AdviceDriver(std::int64_t block_bytes, Answer answer)
    : memory_({.storage = {.lock_bytes = block_bytes, .file_system = "memory"}}),
      shared_(std::make_shared<Shared>(block_bytes, std::move(answer))) {}

Result<std::unique_ptr<File>> AdviceDriver::open(const std::string& path, driver::OpenMode mode, bool* created) {
  Result<std::unique_ptr<File>> opened = memory_.open(path, mode, created);
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<File>(std::make_unique<WatchedFile>(shared_, std::move(opened).value()));
}

AdviceLog AdviceDriver::log() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->log;
}

std::int64_t take_all(std::int64_t asked) { return asked; }

const std::vector<NamedAnswer>& all_answers() {
  static const std::vector<NamedAnswer> answers = {
      {"takes nothing", [](std::int64_t) { return 0; }},
      {"takes one", [](std::int64_t) { return 1; }},
      {"takes half", [](std::int64_t asked) { return (asked + 1) / 2; }},
      {"takes all", take_all},
  };
  return answers;
}

}  // namespace weir::exec

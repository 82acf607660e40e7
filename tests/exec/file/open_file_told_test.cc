// File systems whose clients keep what they wrote and read: a rank sees its own accesses in their order all the same,
// whether aggregators of other nodes made them or it did itself.
#include <map>

#include "driver/passing_file.h"
#include "exec/collective_combination.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::IoOutcome;
using driver::IoRequest;
using driver::MemoryDriver;

// An open file of such a client: writes go to the file at a sync, and what was read once is read no more until it is
// refreshed.
class KeepingFile final : public driver::PassingFile {
 public:
  explicit KeepingFile(std::unique_ptr<driver::File> file) : PassingFile(*file), file_(std::move(file)) {}

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override {
    const std::scoped_lock lock(mutex_);
    IoOutcome all;
    for (const IoRequest& request : requests) {
      const std::int64_t moved = direction == Direction::kWrite ? write(request) : read(request);
      all.bytes_moved += moved;
      if (moved < request.bytes) break;
    }
    return all;
  }
  Status sync() override {
    const std::scoped_lock lock(mutex_);
    for (auto& [offset, byte] : written_) {
      const IoRequest request{offset, &byte, 1};
      EXPECT_TRUE(passed().transfer(Direction::kWrite, {&request, 1}).status.ok());
    }
    written_.clear();
    return {};
  }
  void refresh() override {
    const std::scoped_lock lock(mutex_);
    known_.clear();
  }
  void refresh_range(Extent) override { refresh(); }
  driver::IoCounters counters() const override {
    driver::IoCounters counters = passed().counters();
    counters.bytes_written = bytes_written_;
    return counters;
  }
  driver::StorageLayout storage() const override {
    driver::StorageLayout storage = passed().storage();
    storage.network = storage.keeps_writes = true;
    return storage;
  }
  Status close() override { return sync().or_else(passed().close()); }

 private:
  std::int64_t write(const IoRequest& request) {
    for (std::int64_t i = 0; i < request.bytes; ++i)
      known_[request.offset + i] = written_[request.offset + i] = request.data[i];
    bytes_written_ += request.bytes;
    return request.bytes;
  }
  std::int64_t read(const IoRequest& request) {
    const std::int64_t own_end = written_.empty() ? 0 : written_.rbegin()->first + 1;
    const std::int64_t end = std::max(own_end, passed().size().value());
    const std::int64_t bytes = std::clamp<std::int64_t>(end - request.offset, 0, request.bytes);
    for (std::int64_t i = 0; i < bytes; ++i) request.data[i] = byte_at(request.offset + i);
    return bytes;
  }
  std::byte byte_at(std::int64_t offset) {
    if (!known_.contains(offset)) {
      const IoRequest one{offset, &known_[offset], 1};
      EXPECT_TRUE(passed().transfer(Direction::kRead, {&one, 1}).status.ok());
      if (written_.contains(offset)) known_[offset] = written_[offset];
    }
    return known_[offset];
  }

  std::unique_ptr<driver::File> file_;
  std::mutex mutex_;
  std::map<std::int64_t, std::byte> written_;  // and not synced
  std::map<std::int64_t, std::byte> known_;
  std::atomic<std::int64_t> bytes_written_ = 0;
};

class KeepingDriver final : public driver::FileDriver {
 public:
  Result<std::unique_ptr<driver::File>> open(const std::string& path, driver::OpenMode mode, bool* created) override {
    Result<std::unique_ptr<driver::File>> opened = memory_.open(path, mode, created);
    if (!opened.ok()) return opened;
    return std::unique_ptr<driver::File>(std::make_unique<KeepingFile>(std::move(opened).value()));
  }
  Status remove(const std::string& path) override { return memory_.remove(path); }

 private:
  MemoryDriver memory_;
};

constexpr int kRanks = 4;
constexpr std::int64_t kBytes = 400;

void expect_own(Rank& rank, OpenFile& file, bool collective, const Bytes& wanted) {
  Bytes found(kBytes);
  EXPECT_EQ(run_transfer(file, transfer_of(Direction::kRead, Positioning::kExplicit, collective, found)).bytes_moved,
            kBytes);
  EXPECT_EQ(found, wanted) << "rank " << rank.number() << (collective ? ", together" : ", alone");
}

// All orders of three accesses, alone or together, the first two of which write.
TEST(OpenFileTold, RanksSeeTheirOwnAccessesInOrder) {
  const Combination way{{{"weir_method", "two_phase"}, {"cb_nodes", "1"}, {"romio_no_indep_rw", "false"}}, 2};
  for (int order = 0; order < 8; ++order) {
    KeepingDriver driver;
    run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
      const std::string which = "order " + std::to_string(order);
      SCOPED_TRACE(which);
      auto file = rank.open(driver, kCreateMode, "f", way.hint_set());
      EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), kRanks, 10), 1).ok());
      const Bytes first = pattern(kBytes, rank.number());
      EXPECT_TRUE(write_explicit(*file, 0, first, (order & 1) != 0).status.ok());
      expect_own(rank, *file, (order & 2) != 0, first);
      const Bytes second = pattern(kBytes, rank.number() + kRanks);
      EXPECT_TRUE(write_explicit(*file, 0, second, (order & 4) != 0).status.ok());
      expect_own(rank, *file, (order & 2) != 0, second);
      expect_own(rank, *file, (order & 2) == 0, second);
      EXPECT_TRUE(file->close().ok());
    });
  }
}

}  // namespace
}  // namespace weir::exec

// A table over the file "f" of a driver, with the ends of all its ranks in one process.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "agent/block_table.h"
#include "comm/ranks.h"
#include "driver/memory.h"
#include "driver/support.h"

namespace weir::agent {

using driver::Bytes;
using driver::IoOutcome;
using driver::MemoryDriver;
using driver::pattern;

class TableSubject {
 public:
  TableSubject(driver::FileDriver& driver, const TableShape& shape, driver::OpenMode mode = driver::kCreate)
      : file_(driver::open_or_fail(driver, "f", mode)) {
    comm::run_ranks(1, 0, [&](comm::ThreadComm& comm) {
      auto memory = comm::SharedMemory::create(comm, shape.bytes());
      EXPECT_TRUE(memory.ok()) << memory.status().text();
      memory_ = std::make_shared<comm::SharedMemory>(std::move(memory).value());
    });
    const auto backing = [this](Direction way, auto requests) { return file_->transfer(way, requests); };
    for (std::int64_t rank = 0; rank < shape.ranks; ++rank) {
      ends_.push_back(
          std::make_unique<BlockTable>(BlockTable::Home{memory_, 0, rank}, shape, backing, counters_, sys::Waiting{}));
    }
  }

  // What follows is done by this rank; by rank 0 at first.
  void go_on_as(std::int64_t rank) { rank_ = static_cast<std::size_t>(rank); }

  IoOutcome access(Direction direction, std::int64_t offset, Bytes& bytes) {
    const driver::IoRequest request{offset, bytes.data(), std::ssize(bytes)};
    return table().access(direction, {&request, 1});
  }
  IoOutcome write(std::int64_t offset, Bytes bytes) { return access(Direction::kWrite, offset, bytes); }
  Bytes read(std::int64_t offset, std::int64_t bytes) {
    Bytes buffer(static_cast<std::size_t>(bytes));
    const IoOutcome outcome = access(Direction::kRead, offset, buffer);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
    buffer.resize(static_cast<std::size_t>(outcome.bytes_moved));
    return buffer;
  }
  BlockTable& table() { return *ends_[rank_]; }
  BlockTable& end_of(int rank) { return *ends_[static_cast<std::size_t>(rank)]; }
  const TableCounters& counters() const { return counters_; }
  driver::File& file() { return *file_; }

 private:
  std::unique_ptr<driver::File> file_;
  std::shared_ptr<comm::SharedMemory> memory_;
  TableCounters counters_;
  std::vector<std::unique_ptr<BlockTable>> ends_;
  std::size_t rank_ = 0;
};

}  // namespace weir::agent

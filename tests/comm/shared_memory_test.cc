#include "comm/shared_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "comm/collectives.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

// A Comm whose first received message is tampered with before the receiver sees it.
class TamperedComm final : public Comm {
 public:
  using Tamper = std::function<void(std::span<std::byte>)>;
  TamperedComm(Comm& comm, Tamper tamper) : comm_(comm), tamper_(std::move(tamper)) {}

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  const Topology& topology() const override { return comm_.topology(); }
  Ticket send(int to, std::span<const std::byte> data) override { return comm_.send(to, data); }
  Ticket receive(int from, std::span<std::byte> data) override {
    if (first_.data() == nullptr) first_ = data;
    return comm_.receive(from, data);
  }
  Status wait(std::span<const Ticket> tickets) override {
    Status status = comm_.wait(tickets);
    if (tamper_ && first_.data() != nullptr) std::exchange(tamper_, nullptr)(first_);
    return status;
  }
  Result<int> receive_any(std::span<std::byte> data) override { return comm_.receive_any(data); }

 private:
  Comm& comm_;
  Tamper tamper_;
  std::span<std::byte> first_;
};

// How many descriptors and mappings of node memory this process has.
int traces_of_node_memory() {
  int traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(entry.path(), ignored).string().find("weir-node-block") != std::string::npos) {
      ++traces;
    }
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("weir-node-block") != std::string::npos) ++traces;
  }
  return traces;
}

TEST(SharedMemory, EachNodeHasABlockOfItsOwn) {
  for (const int ranks : {1, 2, 5, 8, 17}) {
    for (const int ranks_per_node : {0, 1, 3}) {
      run_tested_ranks(ranks, ranks_per_node, [&](ThreadComm& comm) {
        constexpr std::size_t kBlockBytes = 100'000;
        const auto memory = SharedMemory::create(comm, kBlockBytes);
        ASSERT_TRUE(memory.ok()) << memory.status().text();
        const auto block = memory.value().bytes();
        ASSERT_EQ(block.size(), kBlockBytes);
        EXPECT_TRUE(std::ranges::all_of(block, [](std::byte b) { return b == std::byte{0}; }));
        ASSERT_TRUE(barrier(comm).ok());

        const auto own = static_cast<std::size_t>(comm.rank());
        block[kBlockBytes - 1 - own] = static_cast<std::byte>(own + 1);
        ASSERT_TRUE(barrier(comm).ok());
        const auto& node_of = comm.topology().node_of;
        for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
          const bool same_node = node_of[rank] == node_of[own];
          EXPECT_EQ(block[kBlockBytes - 1 - rank], static_cast<std::byte>(same_node ? rank + 1 : 0));
        }
      });
      EXPECT_EQ(traces_of_node_memory(), 0);
    }
  }
}

TEST(SharedMemory, CostsOneMessagePerOtherRankAndAnAgreement) {
  std::atomic<std::int64_t> messages = 0;
  run_tested_ranks(10, 4, [&](ThreadComm& comm) {
    EXPECT_TRUE(SharedMemory::create(comm, 64).ok());
    messages += comm.sent().messages;
  });
  const std::int64_t others = 10 - 3;
  EXPECT_EQ(messages, others + (2 * others + 3 * steps_of(3)));
}

TEST(SharedMemory, AnImpossibleSizeFailsOnAllRanksAlike) {
  run_tested_ranks(6, 2, [](ThreadComm& comm) {
    const auto memory = SharedMemory::create(comm, std::size_t{1} << 60);
    ASSERT_FALSE(memory.ok());
    EXPECT_NE(memory.status().text().find("(on rank 0)"), std::string::npos) << memory.status().text();
    EXPECT_NE(memory.status().text().find("node memory"), std::string::npos);
  });
  EXPECT_EQ(traces_of_node_memory(), 0);
}

// The invitation: process, number, size, mark, kind; 8 + 8 + 8 + 16 + 8 bytes.
void expect_tampering_is_seen() {
  struct Case {
    std::size_t tampered_byte;
    std::byte mask;
  };
  for (const Case c :
       {Case{0, std::byte{0x55}}, Case{8, std::byte{0x55}}, Case{16, std::byte{1}}, Case{24, std::byte{1}},
        Case{39, std::byte{0x80}}, Case{40, std::byte{3}}, Case{40, std::byte{0x55}}}) {
    for (const int victim : {1, 3, 4}) {
      run_tested_ranks(5, [&](ThreadComm& comm) {
        TamperedComm tampered(comm, [&](std::span<std::byte> invitation) {
          if (comm.rank() == victim) invitation[c.tampered_byte] ^= c.mask;
        });
        const auto memory = SharedMemory::create(tampered, 4096);
        ASSERT_FALSE(memory.ok());
        EXPECT_NE(memory.status().text().find("(on rank " + std::to_string(victim) + ")"), std::string::npos)
            << memory.status().text();
        // Everyone left in step: the Comm is as good as before.
        EXPECT_EQ(all_sum(comm, 1).value(), 5);
      });
      EXPECT_EQ(traces_of_node_memory(), 0);
    }
  }
}

TEST(SharedMemory, WhatIsNotTheAnnouncedBlockIsRefusedByAll) { expect_tampering_is_seen(); }

// Makes a limit on the size of files while it lives. The signal that exceeding it sends ends the test.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit low = {bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_ = {};
};

// How many segments of System V this process has made and not given back.
int segments_left() {
  std::ifstream table("/proc/sysvipc/shm");
  std::string line;
  std::getline(table, line);
  int left = 0;
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::int64_t key = 0, id = 0, permissions = 0, bytes = 0, creator = 0;
    words >> key >> id >> permissions >> bytes >> creator;
    left += creator == getpid() ? 1 : 0;
  }
  return left;
}

TEST(SharedMemory, IsThereUnderALimitOnTheSizeOfFiles) {
  for (const rlim_t limit : {rlim_t{0}, rlim_t{1} << 20}) {
    const FileSizeLimit limited(limit);
    run_ranks(5, 3, [&](ThreadComm& comm) {
      constexpr std::size_t kBlockBytes = (4 << 20) + 100;
      const auto memory = SharedMemory::create(comm, kBlockBytes);
      ASSERT_TRUE(memory.ok()) << memory.status().text();
      const auto block = memory.value().bytes();
      ASSERT_EQ(block.size(), kBlockBytes);
      EXPECT_TRUE(std::ranges::all_of(block, [](std::byte b) { return b == std::byte{0}; }));
      ASSERT_TRUE(barrier(comm).ok());
      block[kBlockBytes - 1 - static_cast<std::size_t>(comm.rank())] = std::byte{7};
      ASSERT_TRUE(barrier(comm).ok());
      const int first = comm.rank() < 3 ? 0 : 3;
      EXPECT_EQ(block[kBlockBytes - 1 - static_cast<std::size_t>(first)], std::byte{7});
    });
    EXPECT_EQ(segments_left(), 0);
  }
}

TEST(SharedMemory, WhatIsNotTheAnnouncedSegmentIsRefusedByAll) {
  const FileSizeLimit limited(0);
  expect_tampering_is_seen();
  EXPECT_EQ(segments_left(), 0);
}

TEST(SharedMemory, BytesThatAreExpectedAreAsTheyWere) {
  run_ranks(2, 0, [](ThreadComm& comm) {
    auto memory = SharedMemory::create(comm, 100'000);
    ASSERT_TRUE(memory.ok()) << memory.status().text();
    const std::span<std::byte> bytes = memory.value().bytes();
    if (comm.rank() == 0) bytes[5000] = std::byte{7};
    EXPECT_TRUE(barrier(comm).ok());
    SharedMemory::expect_use(bytes.subspan(4999, 60'000));
    SharedMemory::expect_use(bytes.subspan(99'999, 1));
    SharedMemory::expect_use(bytes.first(0));
    EXPECT_EQ(bytes[5000], std::byte{7});
    EXPECT_EQ(std::ranges::count(bytes, std::byte{0}), std::ssize(bytes) - 1);
  });
}

TEST(SharedMemory, MovesKeepTheBlock) {
  const auto comm = self_comm();
  auto first = SharedMemory::create(*comm, 64);
  auto second = SharedMemory::create(*comm, 128);
  ASSERT_TRUE(first.ok() && second.ok());
  first.value().bytes()[0] = std::byte{9};
  SharedMemory moved = std::move(first).value();
  EXPECT_EQ(moved.bytes()[0], std::byte{9});
  moved = std::move(second).value();
  EXPECT_EQ(moved.bytes().size(), 128U);
}

}  // namespace
}  // namespace weir::comm

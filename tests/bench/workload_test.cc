// What every workload promises, for every number of ranks: checked byte by byte.

#include "workloads/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "bench/workload_support.h"
#include "exec/effort.h"

namespace bench {
namespace {

constexpr std::int64_t kBytesPerRank = 262144;  // whole blocks for every workload that deals them

struct Case {
  std::string spec;
  int ranks = 1;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Workload& workload : all_workloads()) {
    const std::vector<int> ranks = workload.name == "btio" ? std::vector{1, 4, 9, 16, 25}  //
                                                           : std::vector{1, 2, 3, 4, 5, 7, 9, 12, 16};
    for (const int r : ranks) cases.push_back({std::string(workload.name), r});
  }
  for (const int r : {1, 3, 16}) {
    for (const char* spec : {"e3sm_f:merged=0", "e3sm_g:merged=0", "sparse:sparsity=1", "sparse:sparsity=100",
                             "sparse:stripe=1048576", "data_shipping:spread=1", "cyclic:bx=1",
                             "discontiguous:region=3072", "multiple_access_range:subblocks=64", "irregular:seed=0"}) {
      cases.push_back({spec, r});
    }
  }
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < cases.size(); i += weir::exec::kEveryNth) chosen.push_back(cases[i]);
  return chosen;
}

class EveryWorkload : public testing::TestWithParam<Case> {
 protected:
  Settled made() const { return settled(GetParam().spec, ranks(), kBytesPerRank * ranks()); }
  int ranks() const { return GetParam().ranks; }
};

TEST_P(EveryWorkload, DividesTheFile) {
  const Settled workload = made();
  const Share first = share_of(workload, 0);
  std::vector<bool> taken(static_cast<std::size_t>(first.file_bytes));
  std::int64_t moved = 0;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Share share = share_of(workload, rank);
    for (const auto& [position, bytes] : pieces_in_file(share)) {
      ASSERT_GE(position, 0);
      ASSERT_LE(position + bytes, first.file_bytes);
      ASSERT_EQ(position % 4, 0);
      ASSERT_EQ(bytes % 4, 0);
      for (std::int64_t i = position; i < position + bytes; ++i) {
        ASSERT_FALSE(taken[static_cast<std::size_t>(i)]) << "byte " << i << " again, by rank " << rank;
        taken[static_cast<std::size_t>(i)] = true;
      }
      moved += bytes;
    }
    EXPECT_EQ(share.file_bytes, first.file_bytes);
    EXPECT_EQ(share.holes, first.holes);
    EXPECT_EQ(share.collective, first.collective);
  }
  EXPECT_EQ(first.holes, moved < first.file_bytes);
  const bool any_size = workload.spec.workload->unit_bytes == nullptr;
  if (!any_size) {
    EXPECT_EQ(moved, kBytesPerRank * ranks());
  }
  EXPECT_GT(moved, 0);
}

TEST_P(EveryWorkload, MovesAsMuchInMemoryAsInTheFile) {
  const Settled workload = made();
  for (int rank = 0; rank < ranks(); ++rank) {
    const Share share = share_of(workload, rank);
    std::vector<bool> taken(static_cast<std::size_t>(memory_bytes(share)));
    std::int64_t moved = 0;
    for_each_call(share, [&](const Access& access, int, std::int64_t origin) {
      std::int64_t in_call = 0;
      for_each_piece(access.memory, origin, [&](std::int64_t position, std::int64_t bytes) {
        ASSERT_GE(position, origin);
        ASSERT_LE(position + bytes, origin + span_bytes(access.memory));
        ASSERT_LE(position + bytes, std::ssize(taken));
        for (std::int64_t i = position; i < position + bytes; ++i) {
          ASSERT_FALSE(taken[static_cast<std::size_t>(i)]);
          taken[static_cast<std::size_t>(i)] = true;
        }
        in_call += bytes;
      });
      EXPECT_EQ(in_call, data_bytes(access.memory));
      EXPECT_EQ(in_call, data_bytes(access.file));
      moved += in_call;
    });
    EXPECT_EQ(moved, moved_bytes(share));
  }
}

TEST_P(EveryWorkload, KeepsTheRanksInStep) {
  const Settled workload = made();
  const Share first = share_of(workload, 0);
  ASSERT_FALSE(first.accesses.empty());
  for (int rank = 1; rank < ranks(); ++rank) {
    const Share share = share_of(workload, rank);
    ASSERT_EQ(share.accesses.size(), first.accesses.size());
    for (std::size_t i = 0; i < first.accesses.size(); ++i) {
      EXPECT_EQ(share.accesses[i].calls, first.accesses[i].calls);
      EXPECT_EQ(element_of(share.accesses[i].file).bytes(), element_of(first.accesses[i].file).bytes());
    }
  }
}

// As MPI asks of filetypes: displacements do not descend. Calls through one view repeat it.
TEST_P(EveryWorkload, HasViewsThatAscend) {
  const Settled workload = made();
  for (int rank = 0; rank < ranks(); ++rank) {
    const Share share = share_of(workload, rank);
    for (const Access& access : share.accesses) {
      if (std::holds_alternative<Joined>(access.file)) continue;  // its parts ascend, each for itself
      const auto pieces = pieces_in_file(access, 0);
      EXPECT_TRUE(std::ranges::is_sorted(pieces));
      if (!std::holds_alternative<Plain>(access.file) && access.calls > 1) {
        EXPECT_EQ(access.stride_bytes, span_bytes(access.file));
      }
      if (!access.offsets.empty()) {
        EXPECT_EQ(std::ssize(access.offsets), access.calls);
      }
    }
  }
}

TEST_P(EveryWorkload, IsTheSameEveryTime) {
  const Settled workload = made();
  for (int rank = 0; rank < ranks(); ++rank) {
    EXPECT_EQ(pieces_in_file(share_of(workload, rank)), pieces_in_file(share_of(made(), rank)));
  }
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.spec + "_" + std::to_string(info.param.ranks);
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '='; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryWorkload, testing::ValuesIn(all_cases()), case_name);

TEST(Workloads, AreNamedOnceAndDescribed) {
  for (const Workload& workload : all_workloads()) {
    EXPECT_EQ(find_workload(workload.name), &workload);
    EXPECT_FALSE(workload.text.empty());
    for (const Parameter& parameter : workload.parameters) EXPECT_FALSE(parameter.text.empty());
  }
  EXPECT_EQ(find_workload("nothing"), nullptr);
}

TEST(Workloads, DefaultSizesWorkForEveryNumberOfRanks) {
  for (const Workload& workload : all_workloads()) {
    for (const int ranks : {1, 2, 3, 4, 5, 7, 16, 48}) {
      if (workload.name == "btio" && ranks != 1 && ranks != 4 && ranks != 16) continue;
      const auto spec = parse_spec(workload.name);
      ASSERT_TRUE(spec.ok());
      const weir::Status status = check(spec.value(), {.ranks = ranks, .bytes = default_bytes(spec.value(), ranks)});
      EXPECT_TRUE(status.ok()) << status.text();
    }
  }
}

TEST(Workloads, AnotherSeedGivesOtherShares) {
  for (const char* name :
       {"discontiguous", "data_shipping", "multiple_access_range", "sparse", "irregular", "e3sm_f"}) {
    const std::string spec = name;
    const Share one = share_of(settled(spec + ":seed=1", 4, 524288), 0);
    const Share two = share_of(settled(spec + ":seed=2", 4, 524288), 0);
    EXPECT_NE(pieces_in_file(one), pieces_in_file(two)) << spec;
  }
}

TEST(Workloads, TellTheSeedOfWhatIsRandom) {
  EXPECT_EQ(seed_of(settled("sparse:seed=7", 2, 131072)), 7);
  EXPECT_EQ(seed_of(settled("sparse", 2, 131072)), 20);
  EXPECT_EQ(seed_of(settled("coll_perf", 2, 131072)), 0);
}

TEST(EvenShare, DividesAnyNumberOfWords) {
  for (const std::int64_t words : {1, 2, 5, 16, 1001}) {
    for (const int ranks : {1, 2, 3, 7}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Share share = even_share(4 * words, ranks, rank);
        EXPECT_EQ(share.accesses[0].displacement, next);
        EXPECT_LE(std::abs(moved_bytes(share) - 4 * words / ranks), 4);
        next += moved_bytes(share);
      }
      EXPECT_EQ(next, 4 * words);
    }
  }
}

}  // namespace
}  // namespace bench

// How many messages a rank sends for a collective call that is no data access: meeting costs what agreeing did.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "comm/collectives.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

struct Costs {
  std::string name;
  int exchanges;  // of L messages each (collectives.h)
  std::function<Status(OpenFile&)> call;
};

const std::vector<Costs> kCosts = {
    {"sync", 1, [](OpenFile& file) { return file.sync(); }},
    {"set_size", 2, [](OpenFile& file) { return file.set_size(100); }},
    {"preallocate", 2, [](OpenFile& file) { return file.preallocate(100); }},
    {"seek_shared", 2, [](OpenFile& file) { return file.seek_shared(0, Whence::kSet); }},
    {"set_view", 2, [](OpenFile& file) { return file.set_view({}, interleaved_view(0, 1, 8), 1); }},
    {"write_at_all", 3, [](OpenFile& file) { return write_explicit(file, 0, {}, true).status; }},
    {"write_at_all again", 2, [](OpenFile& file) { return write_explicit(file, 0, {}, true).status; }},
    {"close", 2, [](OpenFile& file) { return file.close(); }},
};

// Ranks of one node exchange without messages; these have a node each.
TEST(CallMessages, AreAsManyAsTheExchanges) {
  for (const int ranks : {1, 2, 4, 7, 16}) {
    driver::MemoryDriver driver;
    run_file_ranks(ranks, 1, [&](Rank& rank) {
      Wiring wiring = rank.wiring();
      const auto& comm = static_cast<const comm::ThreadComm&>(*wiring.collective);
      auto opened = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, {}});
      ASSERT_TRUE(opened.ok());
      for (const Costs& costs : kCosts) {
        const std::int64_t before = comm.sent().messages;
        EXPECT_TRUE(costs.call(*opened.value()).ok()) << costs.name;
        EXPECT_LE(comm.sent().messages - before, costs.exchanges * comm::steps_of(ranks))
            << costs.name << " with " << ranks << " ranks";
      }
    });
  }
}

TEST(CallMessages, RanksOfOneNodeSendNone) {
  driver::MemoryDriver driver;
  run_file_ranks(5, [&](Rank& rank) {
    Wiring wiring = rank.wiring();
    const auto& comm = static_cast<const comm::ThreadComm&>(*wiring.collective);
    auto opened = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, {}});
    ASSERT_TRUE(opened.ok());
    const std::int64_t before = comm.sent().messages;
    for (const Costs& costs : kCosts) EXPECT_TRUE(costs.call(*opened.value()).ok()) << costs.name;
    EXPECT_EQ(comm.sent().messages, before);
  });
}

}  // namespace
}  // namespace weir::exec

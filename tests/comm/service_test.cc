// Ranks as threads that ask each other, each with a service of its own.
#include "comm/service.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "comm/collectives.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

using Data = std::vector<std::byte>;

Data bytes(std::size_t count, int seed) {
  Data data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<std::byte>(static_cast<int>(i) * 7 + seed);
  return data;
}

enum Kind : std::int64_t { kEcho, kFail, kThrow };

// Sends the payload back, twice the value with it; or fails.
Answer respond(const Question& question, std::span<std::byte> payload, std::span<std::byte> data) {
  if (question.kind == kFail) return {Status(ErrorClass::kNoSpace, std::string(10000, 'x'))};
  if (question.kind == kThrow) throw std::bad_alloc();
  const std::size_t count = std::min(payload.size(), data.size());
  std::copy_n(payload.begin(), count, data.begin());
  return {{}, 2 * question.value, static_cast<std::int64_t>(count)};
}

// Runs `body` on ranks that have a service each; they leave afterwards, each for itself.
template <typename Body>
void with_services(int ranks, std::size_t most_bytes, const Body& body) {
  const LineGroups lines = tested_line(ranks);
  run_tested_ranks(ranks, [&](ThreadComm& comm) {
    Line line = lines.of(comm.rank())();
    Asker asker(std::move(line.asking));
    Service service(std::move(line.answering), most_bytes, respond);
    ASSERT_TRUE(service.start().ok());
    body(comm, asker);
    for (int other = 0; other < comm.size(); ++other) EXPECT_TRUE(asker.leave(other, 1).ok());
    EXPECT_TRUE(service.end(asker.company()).ok());
  });
}

TEST(Service, EveryoneAsksEveryone) {
  for (const int ranks : {1, 2, 5}) {
    with_services(ranks, 100000, [](ThreadComm& comm, Asker& asker) {
      for (const std::size_t size : {0U, 1U, 1000U, 100000U}) {
        for (int to = 0; to < comm.size(); ++to) {
          const Data sent = bytes(size, comm.rank());
          Data got(size);
          const Answer answer = asker.ask(to, {kEcho, comm.rank()}, sent, got);
          EXPECT_TRUE(answer.status.ok()) << answer.status.text();
          EXPECT_EQ(answer.value, 2 * comm.rank());
          EXPECT_EQ(answer.data_bytes, static_cast<std::int64_t>(size));
          EXPECT_EQ(got, sent);
        }
      }
    });
  }
}

TEST(Service, AnswersMayBeShorterThanWanted) {
  with_services(2, 100, [](ThreadComm& comm, Asker& asker) {
    Data got(100);
    const Answer answer = asker.ask(1 - comm.rank(), {kEcho, 0}, bytes(10, 3), got);
    EXPECT_EQ(answer.data_bytes, 10);
    got.resize(10);
    EXPECT_EQ(got, bytes(10, 3));
  });
}

TEST(Service, FailuresArriveWithTheirTextAndDoNotEndIt) {
  with_services(3, 100, [](ThreadComm& comm, Asker& asker) {
    const int to = (comm.rank() + 1) % comm.size();
    Data got(50);
    const Answer failed = asker.ask(to, {kFail, 0}, bytes(10, 1), got);
    EXPECT_EQ(failed.status.error_class(), ErrorClass::kNoSpace);
    EXPECT_TRUE(failed.status.text().starts_with("xxx"));
    EXPECT_EQ(failed.data_bytes, 0);
    EXPECT_EQ(asker.ask(to, {kThrow, 0}, {}, got).status.error_class(), ErrorClass::kNoMemory);
    EXPECT_TRUE(asker.ask(to, {kEcho, 0}, bytes(50, 2), got).status.ok());
    EXPECT_EQ(got, bytes(50, 2));
  });
}

TEST(Service, SeveralThreadsOfARankAskOneAfterTheOther) {
  with_services(2, 1000, [](ThreadComm& comm, Asker& asker) {
    const auto ask = [&](int seed) {
      for (int i = 0; i < 50; ++i) {
        Data got(1000);
        EXPECT_TRUE(asker.ask(1 - comm.rank(), {kEcho, seed}, bytes(1000, seed), got).status.ok());
        EXPECT_EQ(got, bytes(1000, seed));
      }
    };
    std::thread beside([&] { ask(1); });
    ask(2);
    beside.join();
  });
}

// After a meeting, a rank ends its own service for all.
TEST(Service, OneRankMayLeaveForAll) {
  const LineGroups lines = tested_line(3);
  run_tested_ranks(3, [&](ThreadComm& comm) {
    Line line = lines.of(comm.rank())();
    Asker asker(std::move(line.asking));
    Service service(std::move(line.answering), 10, respond);
    ASSERT_TRUE(service.start().ok());
    EXPECT_TRUE(asker.ask(0, {kEcho, 1}, {}, {}).status.ok());
    EXPECT_TRUE(barrier(comm).ok());
    EXPECT_TRUE(asker.leave(comm.rank(), comm.size()).ok());
    EXPECT_TRUE(service.end(asker.company()).ok());
  });
}

}  // namespace
}  // namespace weir::comm

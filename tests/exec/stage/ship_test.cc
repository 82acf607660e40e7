// Ships between groups of ranks, byte by byte: small plans with all exchanges, both directions. The test stands in for
// file lanes: it fills windows before they are read from, and looks at them after they were written to.
#include "exec/stage/ship.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "comm/ranks.h"
#include "driver/support.h"
#include "exec/small_plans.h"

namespace weir::exec {
namespace {

using driver::Bytes;

constexpr std::byte kUntouched{0xee};

// What a rank writes to a byte of the file, and what a file holds there.
std::byte written_by(int rank, std::int64_t offset) { return static_cast<std::byte>(1 + (offset + 37 * rank) % 200); }
std::byte in_file(std::int64_t offset) { return static_cast<std::byte>(1 + offset % 200); }

// Every second window ends early; at its first byte, some of them.
std::int64_t data_end_of(const plan::Plan& plan, std::size_t aggregator, std::int64_t round) {
  const std::int64_t number = static_cast<std::int64_t>(aggregator) + round;
  return number % 2 == 0 ? kNoEnd : window_of(plan, aggregator, round).hull().begin + number / 2 % 5;
}

// The memory of a rank: byte i of its request is at 2 * i.
Bytes memory_of(const SmallPlan& planned, int rank) {
  const SmallPlan::Offsets& offsets = planned.offsets(rank);
  Bytes memory(2 * offsets.size(), kUntouched);
  if (planned.plan().direction == Direction::kRead) return memory;
  for (std::size_t i = 0; i < offsets.size(); ++i) memory[2 * i] = written_by(rank, offsets[i]);
  return memory;
}

layout::Memory spread(Bytes& memory) {
  return {memory.data(), layout::Layout::repeat(std::ssize(memory) / 2, 2, layout::Layout::contiguous(1))};
}

// One rank of a call that consists of nothing but its ship.
class Voyage {
 public:
  Voyage(comm::Comm& comm, const SmallPlan& planned)
      : planned_(planned),
        plan_(planned.plan()),
        memory_(memory_of(planned, comm.rank())),
        rank_(comm, planned, spread(memory_)) {}

  // COLLECTIVE.
  void run();

 private:
  bool far(int other) const { return !planned_.near(rank_.comm.rank(), other); }
  bool keeps_window(const PlannedCall& call, std::int64_t round) const {
    return call.schedule.aggregator && round < call.schedule.rounds[*call.schedule.aggregator];
  }
  WindowSlot slot(const PlannedCall& call, std::int64_t round) {
    return call.buffers.window(call.rank(), rank_.group->windows(call.rank()).slot_of(round));
  }
  void begin_call() {
    for (const int rank : rank_.group->ranks()) {
      rank_.group->windows(rank).begin_call(plan_.depth);
      rank_.group->parcels(rank).begin_call(plan_.depth);
    }
  }
  void open_window(const PlannedCall& call, std::int64_t round);
  void check_window(const PlannedCall& call, std::int64_t round);
  void check_memory(const Ship& ship) const;
  void check_messages(const Schedule& schedule) const;

  const SmallPlan& planned_;
  const plan::Plan& plan_;
  Bytes memory_;
  SmallRank rank_;
};

void Voyage::run() {
  const Result<Schedule> schedule = rank_.inspect();
  ASSERT_TRUE(schedule.ok()) << schedule.status().text();
  const Schedule& made = schedule.value();
  const auto buffers = Buffers::make(rank_.comm, *rank_.group, plan_, made.berths, made.parcel_buffer_bytes);
  ASSERT_TRUE(buffers.ok()) << buffers.status().text();
  const PlannedCall call{plan_,           made,         rank_.requests, rank_.comm, *rank_.group,
                         buffers.value(), rank_.stores, rank_.counters};
  begin_call();
  Mover mover(rank_.requests);
  const std::unique_ptr<Ship> ship = make_ship(call, mover);
  ASSERT_EQ(ship != nullptr, planned_.several_groups());
  if (!ship) return;
  for (std::int64_t round = 0; round < plan_.rounds; ++round) {
    open_window(call, round);
    ship->exchange(round);
    if (call.writing()) check_window(call, round);
  }
  ship->finish();
  EXPECT_TRUE(ship->status().ok()) << ship->status().text();
  check_memory(*ship);
  check_messages(made);
}

// Reading, with the bytes of the file, as far as its data goes.
void Voyage::open_window(const PlannedCall& call, std::int64_t round) {
  if (!keeps_window(call, round)) return;
  const std::size_t mine = *call.schedule.aggregator;
  const WindowSlot window = slot(call, round);
  const std::int64_t data_end = call.writing() ? kNoEnd : data_end_of(plan_, mine, round);
  *window.header = {data_end, call.writing() ? 1 : 0};
  std::fill_n(window.data, plan_.round_size.window_bytes, kUntouched);
  std::ranges::fill(window.marks, 0);
  for (std::int64_t offset = plan_.region.begin; offset < plan_.region.end; ++offset) {
    const Landing& landing = planned_.landing(offset);
    const bool filled = !call.writing() && offset < data_end;
    if (filled && landing.aggregator == mine && landing.round == round) window.data[landing.place] = in_file(offset);
  }
  call.group.windows(call.rank()).open(round);
}

// Writing: bytes of far ranks are there and marked, and no others.
void Voyage::check_window(const PlannedCall& call, std::int64_t round) {
  if (!keeps_window(call, round)) return;
  std::vector<std::vector<std::byte>> expected(static_cast<std::size_t>(plan_.round_size.window_bytes));
  for (int other = 0; other < planned_.ranks(); ++other) {
    if (!far(other)) continue;
    for (const std::int64_t offset : planned_.offsets(other)) {
      const Landing& landing = planned_.landing(offset);
      if (landing.aggregator != *call.schedule.aggregator || landing.round != round) continue;
      expected[static_cast<std::size_t>(landing.place)].push_back(written_by(other, offset));
    }
  }
  const WindowSlot window = slot(call, round);
  for (std::size_t place = 0; place < expected.size(); ++place) {
    const bool marked = (window.marks[place / 64] >> place % 64 & 1) != 0;
    EXPECT_EQ(marked, !expected[place].empty()) << "place " << place << " in round " << round;
    if (expected[place].empty()) expected[place].push_back(kUntouched);
    EXPECT_NE(std::ranges::find(expected[place], window.data[place]), expected[place].end())
        << "place " << place << " in round " << round;
  }
}

// Reading: bytes from windows of far aggregators are there, as far as these have data, and no others. A rank hears
// where the data ends from those that it has bytes for.
void Voyage::check_memory(const Ship& ship) const {
  const int me = rank_.comm.rank();
  Bytes expected = memory_of(planned_, me);
  std::int64_t data_end = kNoEnd;
  for (std::size_t i = 0; plan_.direction == Direction::kRead && i < planned_.offsets(me).size(); ++i) {
    const std::int64_t offset = planned_.offsets(me)[i];
    const Landing& landing = planned_.landing(offset);
    if (!far(plan_.aggregators[landing.aggregator])) continue;
    const std::int64_t end = data_end_of(plan_, landing.aggregator, landing.round);
    data_end = std::min(data_end, end);
    if (offset < end) expected[2 * i] = in_file(offset);
  }
  EXPECT_EQ(memory_, expected);
  EXPECT_EQ(ship.data_end(), data_end);
}

// Parcels are counted by whoever sends them.
void Voyage::check_messages(const Schedule& schedule) const {
  if (plan_.exchange == plan::Exchange::kPairwise) return;
  const bool writing = plan_.direction == Direction::kWrite;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  for (const std::vector<Parcel>& parcels : writing ? schedule.parcels : schedule.freight) {
    messages += std::ssize(parcels);
    for (const Parcel& parcel : parcels) bytes += parcel.bytes;
  }
  const trace::CounterValues counted = rank_.counters.values();
  EXPECT_EQ(value_of(counted, trace::Counter::kMessagesInside) + value_of(counted, trace::Counter::kMessagesBetween),
            messages);
  EXPECT_EQ(value_of(counted, trace::Counter::kBytesInside) + value_of(counted, trace::Counter::kBytesBetween), bytes);
}

void check_voyages(Direction direction) {
  for (const Nodes& nodes : small_nodes()) {
    const std::vector<SmallPlan> plans = small_plans(nodes, direction);
    comm::run_tested_ranks(nodes.ranks, nodes.ranks_per_node, [&](comm::ThreadComm& comm) {
      for (const SmallPlan& planned : plans) {
        SCOPED_TRACE("rank " + std::to_string(comm.rank()) + " in\n" + planned.text());
        Voyage(comm, planned).run();
      }
    });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Ship, WritingTakesBytesToTheWindowsOfOtherGroups) { check_voyages(Direction::kWrite); }

TEST(Ship, ReadingBringsBytesFromTheWindowsOfOtherGroupsAndWhereTheirDataEnds) { check_voyages(Direction::kRead); }

}  // namespace
}  // namespace weir::exec

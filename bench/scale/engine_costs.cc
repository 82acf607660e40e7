#include "scale/engine_costs.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>

#include "comm/collectives.h"
#include "comm/line_groups.h"
#include "comm/thread_comm.h"
#include "driver/memory.h"
#include "exec/file/open_file.h"
#include "scale/allocations.h"
#include "sys/waiting.h"

namespace weir::scale {

namespace {

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kBlocks = 4;

// One rank's part in one call.
struct RankCost {
  comm::Traffic sent;
  comm::Traffic between;
  Allocations allocations;
  std::chrono::nanoseconds time{0};
};

RankCost operator-(RankCost after, const RankCost& before) {
  after.sent.messages -= before.sent.messages;
  after.sent.bytes -= before.sent.bytes;
  after.between.messages -= before.between.messages;
  after.between.bytes -= before.between.bytes;
  after.allocations.count -= before.allocations.count;
  after.allocations.bytes -= before.allocations.bytes;
  after.time -= before.time;
  return after;
}

// What all ranks tell of their calls.
class Ledger {
 public:
  // `data` is what all ranks have sent of the program's data.
  void add(std::size_t call, const char* name, const RankCost& cost, const comm::Traffic& data) {
    std::scoped_lock lock(mutex_);
    if (calls_.size() <= call) calls_.resize(call + 1);
    calls_[call].name = name;
    calls_[call].data = data;
    calls_[call].of_rank.push_back(cost);
  }

  std::vector<CallCost> costs() const {
    std::vector<CallCost> costs;
    for (const Call& call : calls_) costs.push_back(cost_of(call));
    return costs;
  }

 private:
  struct Call {
    const char* name = "";
    comm::Traffic data;
    std::vector<RankCost> of_rank;
  };

  CallCost cost_of(const Call& call) const {
    CallCost cost;
    cost.call = call.name;
    cost.data_messages = call.data.messages;
    cost.messages_between = -call.data.messages;
    cost.bytes_between = -call.data.bytes;
    std::vector<std::int64_t> allocated;
    std::vector<std::chrono::nanoseconds> times;
    for (const RankCost& rank : call.of_rank) {
      cost.messages_between += rank.between.messages;
      cost.bytes_between += rank.between.bytes;
      cost.messages_inside += rank.sent.messages - rank.between.messages;
      cost.most_allocations = std::max(cost.most_allocations, rank.allocations.count);
      allocated.push_back(rank.allocations.bytes);
      times.push_back(rank.time);
    }
    std::sort(allocated.begin(), allocated.end());
    std::sort(times.begin(), times.end());
    cost.most_allocated_bytes = allocated.back();
    cost.median_allocated_bytes = allocated[allocated.size() / 2];
    cost.median_time = times[times.size() / 2];
    return cost;
  }

  mutable std::mutex mutex_;
  std::vector<Call> calls_;
};

// One rank that makes the calls and tells the ledger.
class CountedRank {
 public:
  CountedRank(comm::ThreadComm& channel, const comm::ThreadGroup& group, const comm::LineGroups& line, Ledger& ledger)
      : channel_(channel), group_(group), line_(line), ledger_(ledger) {}

  void run(driver::FileDriver& driver) {
    exec::Wiring wiring{group_.comm(rank()), line_.of(rank())};
    file_comm_ = static_cast<const comm::ThreadComm*>(wiring.collective.get());
    hints::HintSet hints;
    check(hints.set(hints::Id::kWeirMethod, "two_phase"));
    exec::AccessMode mode;
    mode.read_write = mode.create = true;
    counted("open", [&] {
      auto opened = exec::OpenFile::open(driver, std::move(wiring), {"f", mode, hints});
      check(opened.status());
      file_ = std::move(opened).value();
    });
    make_calls();
    counted("close", [&] {
      check(file_->close());
      file_.reset();
    });
  }

 private:
  int rank() const { return channel_.rank(); }

  void make_calls() {
    const std::int64_t ranks = channel_.size();
    const layout::FileView view(rank() * kBlock, 1, layout::Layout::contiguous(kBlock), ranks * kBlock);
    counted("set_view", [&] { check(file_->set_view({}, view, 1)); });
    counted("sync", [&] { check(file_->sync()); });
    counted("write, first", [&] { access(Direction::kWrite, 0); });
    counted("write, again", [&] { access(Direction::kWrite, 0); });
    counted("write, further on", [&] { access(Direction::kWrite, kBlocks * kBlock); });
    counted("read, first", [&] { access(Direction::kRead, 0); });
    counted("read, further on", [&] { access(Direction::kRead, kBlocks * kBlock); });
  }

  void access(Direction direction, std::int64_t offset) {
    exec::Transfer transfer{direction, exec::Positioning::kExplicit, true, offset,
                            layout::Memory::of(bytes_.data(), std::ssize(bytes_))};
    exec::Access access = file_->prepare(transfer);
    check(file_->run(access).status);
  }

  void counted(const char* name, const std::function<void()>& call) {
    check(comm::barrier(channel_));
    const RankCost before = so_far();
    call();
    const RankCost cost = so_far() - before;
    ledger_.add(calls_++, name, cost, file_ ? new_data() : comm::Traffic());
  }

  RankCost so_far() const {
    return {file_comm_->sent(), file_comm_->sent_between(), allocations_of_thread(), sys::thread_time()};
  }

  // COLLECTIVE: what all ranks together have sent of the program's data between nodes since the last time.
  comm::Traffic new_data() {
    const auto report = file_->report();
    check(report.status());
    const auto total = [&](trace::Counter counter) { return trace::value_of(report.value().totals, counter); };
    comm::Traffic now{total(trace::Counter::kMessagesBetween), total(trace::Counter::kBytesBetween)};
    now.bytes += now.messages * exec::Parcel::kHeaderBytes;
    const comm::Traffic grown{now.messages - data_.messages, now.bytes - data_.bytes};
    data_ = now;
    return grown;
  }

  // The other ranks wait: nothing can go on.
  static void check(const Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "%s\n", status.text().c_str());
    std::abort();
  }

  comm::ThreadComm& channel_;
  const comm::ThreadGroup& group_;
  const comm::LineGroups& line_;
  Ledger& ledger_;
  const comm::ThreadComm* file_comm_ = nullptr;
  std::unique_ptr<exec::OpenFile> file_;
  std::size_t calls_ = 0;
  comm::Traffic data_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(kBlocks * kBlock);
};

}  // namespace

std::vector<CallCost> engine_costs(const Shape& shape) {
  const comm::ThreadGroup group(shape.ranks, shape.ranks_per_node);
  const comm::LineGroups line(comm::ThreadGroup(shape.ranks, shape.ranks_per_node),
                              comm::ThreadGroup(shape.ranks, shape.ranks_per_node));
  driver::MemoryDriver driver;
  Ledger ledger;
  comm::run_ranks(shape.ranks, shape.ranks_per_node,
                  [&](comm::ThreadComm& channel) { CountedRank(channel, group, line, ledger).run(driver); });
  return ledger.costs();
}

}  // namespace weir::scale

#include "comm/shared_counter.h"

#include <array>
#include <atomic>
#include <mutex>
#include <span>
#include <thread>

#include "comm/agree.h"
#include "comm/shared_memory.h"
#include "sys/helper_thread.h"
#include "sys/latch.h"

namespace weir::comm {

namespace {

using Word = std::atomic_ref<std::int64_t>;
static_assert(Word::is_always_lock_free, "ranks of a node meet in this word without sharing a lock");

class NodeCounter final : public SharedCounter {
 public:
  explicit NodeCounter(std::shared_ptr<SharedMemory> memory) : memory_(std::move(memory)) {}

  Result<std::int64_t> fetch_add(std::int64_t delta) override { return word().fetch_add(delta); }
  Result<std::int64_t> load() override { return word().load(); }
  Status store(std::int64_t value) override {
    word().store(value);
    return {};
  }
  Status close() override { return {}; }

 private:
  Word word() const { return Word(*reinterpret_cast<std::int64_t*>(memory_->bytes().data())); }

  std::shared_ptr<SharedMemory> memory_;
};

enum class Operation : std::int64_t { kFetchAdd, kLoad, kStore, kLeave };

struct Question {
  Operation operation = Operation::kLoad;
  std::int64_t operand = 0;
};

// Does what was asked; returns the value before.
std::int64_t carry_out(std::atomic<std::int64_t>& value, const Question& question) {
  switch (question.operation) {
    case Operation::kFetchAdd: return value.fetch_add(question.operand);
    case Operation::kStore: return value.exchange(question.operand);
    case Operation::kLoad:
    case Operation::kLeave: break;
  }
  return value.load();
}

// Rank 0's side: the value, and the thread that answers the other ranks until all of them have left. Only that
// thread uses the channel here.
class CounterService final : public SharedCounter {
 public:
  explicit CounterService(Comm& channel) : channel_(channel) {}
  ~CounterService() override { static_cast<void>(close()); }

  Status start() {
    Result<std::thread> started = sys::start_helper_thread([this] {
      outcome_ = serve();
      ended_.raise_to(1);
    });
    if (!started.ok()) return started.status();
    thread_ = std::move(started).value();
    return {};
  }

  Result<std::int64_t> fetch_add(std::int64_t delta) override {
    return carry_out(value_, {Operation::kFetchAdd, delta});
  }
  Result<std::int64_t> load() override { return value_.load(); }
  Status store(std::int64_t value) override {
    value_.store(value);
    return {};
  }

  Status close() override {
    if (!thread_.joinable()) return outcome_;
    ended_.wait_for(1, {&channel_, {"the other ranks, which are done with the shared file pointer soon"}});
    thread_.join();
    return outcome_;
  }

 private:
  Status serve() {
    for (int others = channel_.size() - 1; others > 0;) {
      Question question;
      const auto asker = channel_.receive_any(std::as_writable_bytes(std::span(&question, 1)));
      if (!asker.ok()) return asker.status();
      if (question.operation == Operation::kLeave) {
        --others;
        continue;
      }
      const std::int64_t answer = carry_out(value_, question);
      const std::array tickets = {channel_.send(asker.value(), std::as_bytes(std::span(&answer, 1)))};
      Status status = channel_.wait(tickets);
      if (!status.ok()) return status;
    }
    return {};
  }

  Comm& channel_;
  std::atomic<std::int64_t> value_ = 0;
  sys::Latch ended_{};
  std::thread thread_;
  Status outcome_;
};

// The side of all other ranks.
class CounterClient final : public SharedCounter {
 public:
  explicit CounterClient(Comm& channel) : channel_(channel) {}
  ~CounterClient() override { static_cast<void>(close()); }

  Result<std::int64_t> fetch_add(std::int64_t delta) override { return ask({Operation::kFetchAdd, delta}); }
  Result<std::int64_t> load() override { return ask({Operation::kLoad, 0}); }
  Status store(std::int64_t value) override { return ask({Operation::kStore, value}).status(); }

  Status close() override {
    const std::lock_guard lock(mutex_);
    if (left_) return {};
    left_ = true;
    const Question leave{Operation::kLeave, 0};
    const std::array tickets = {channel_.send(0, std::as_bytes(std::span(&leave, 1)))};
    return channel_.wait(tickets);
  }

 private:
  Result<std::int64_t> ask(const Question& question) {
    const std::lock_guard lock(mutex_);
    std::int64_t answer = 0;
    const std::array tickets = {channel_.receive(0, std::as_writable_bytes(std::span(&answer, 1))),
                                channel_.send(0, std::as_bytes(std::span(&question, 1)))};
    Status status = channel_.wait(tickets);
    if (!status.ok()) return status;
    return answer;
  }

  Comm& channel_;
  std::mutex mutex_;  // the channel takes one thread at a time
  bool left_ = false;
};

using CounterResult = Result<std::unique_ptr<SharedCounter>>;

CounterResult make_asked_counter(Comm& comm, Comm& channel) {
  std::unique_ptr<SharedCounter> counter;
  Status mine;
  if (comm.rank() == 0) {
    auto service = std::make_unique<CounterService>(channel);
    mine = service->start();
    counter = std::move(service);
  }
  Status agreed = agree(comm, mine);
  if (!agreed.ok()) return agreed;
  if (comm.rank() != 0) counter = std::make_unique<CounterClient>(channel);
  return counter;
}

}  // namespace

CounterResult make_shared_counter(Comm& comm, Comm& channel, std::shared_ptr<SharedMemory> node_memory) {
  if (node_memory) return CounterResult(std::make_unique<NodeCounter>(std::move(node_memory)));
  if (comm.topology().node_count() > 1) return make_asked_counter(comm, channel);
  auto memory = SharedMemory::create(comm, sizeof(std::int64_t));
  if (!memory.ok()) return make_asked_counter(comm, channel);
  return CounterResult(std::make_unique<NodeCounter>(std::make_shared<SharedMemory>(std::move(memory).value())));
}

}  // namespace weir::comm

#include "comm/shared_counter.h"

#include <atomic>
#include <optional>
#include <utility>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/service.h"
#include "comm/shared_memory.h"

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

enum class Operation : std::int64_t { kFetchAdd, kLoad, kStore };

// Of ranks that share no memory. Rank 0 has the number and the service that the others ask.
class AskedCounter final : public SharedCounter {
 public:
  explicit AskedCounter(Line::End end) : asker_(std::move(end)) {}
  ~AskedCounter() override { close().ignore(); }

  // On rank 0, first.
  Status serve(Line::End end) {
    service_.emplace(std::move(end), 0, [this](const Question& question, auto /*payload*/, auto /*data*/) {
      return Answer{{}, carry_out(static_cast<Operation>(question.kind), question.value)};
    });
    Status started = service_->start();
    if (!started.ok()) service_.reset();
    return started;
  }

  // On all ranks, then: whether it is to be used. One that is not has nobody to wait for.
  void settle(bool used, int ranks) {
    in_use_ = used;
    if (!used && service_) leave(ranks).ignore();
  }

  Result<std::int64_t> fetch_add(std::int64_t delta) override { return operate(Operation::kFetchAdd, delta); }
  Result<std::int64_t> load() override { return operate(Operation::kLoad, 0); }
  Status store(std::int64_t value) override { return operate(Operation::kStore, value).status(); }

  Status close() override { return std::exchange(in_use_, false) ? leave(1) : Status(); }

 private:
  Status leave(int ranks) {
    Status status = asker_.leave(0, ranks);
    return service_ ? std::move(status).or_else(service_->end(asker_.company())) : status;
  }

  Result<std::int64_t> operate(Operation operation, std::int64_t operand) {
    if (service_) return carry_out(operation, operand);
    Answer answer = asker_.ask(0, {static_cast<std::int64_t>(operation), operand}, {}, {});
    if (!answer.status.ok()) return std::move(answer.status);
    return answer.value;
  }

  // Does what is asked; returns the value before.
  std::int64_t carry_out(Operation operation, std::int64_t operand) {
    switch (operation) {
      case Operation::kFetchAdd: return value_.fetch_add(operand);
      case Operation::kStore: return value_.exchange(operand);
      case Operation::kLoad: break;
    }
    return value_.load();
  }

  Asker asker_;
  std::atomic<std::int64_t> value_ = 0;
  std::optional<Service> service_;
  bool in_use_ = false;
};

using CounterResult = Result<std::unique_ptr<SharedCounter>>;

// Nobody asks before rank 0's service has started.
CounterResult make_asked_counter(Comm& comm, const std::function<Line()>& make_line) {
  std::unique_ptr<AskedCounter> counter;
  const Status mine = guarded([&]() -> Status {
    Line line = make_line();
    counter = std::make_unique<AskedCounter>(std::move(line.asking));
    return comm.rank() == 0 ? counter->serve(std::move(line.answering)) : Status();
  });
  Status agreed = agree(comm, mine);
  if (counter) counter->settle(agreed.ok(), comm.size());
  if (!agreed.ok()) return agreed;
  return CounterResult(std::move(counter));
}

}  // namespace

CounterResult make_shared_counter(Comm& comm, const std::function<Line()>& line,
                                  std::shared_ptr<SharedMemory> node_memory) {
  if (node_memory) return CounterResult(std::make_unique<NodeCounter>(std::move(node_memory)));
  if (comm.topology().node_count() > 1) return make_asked_counter(comm, line);
  auto memory = SharedMemory::create(comm, sizeof(std::int64_t));
  if (!memory.ok()) return make_asked_counter(comm, line);
  return CounterResult(std::make_unique<NodeCounter>(std::make_shared<SharedMemory>(std::move(memory).value())));
}

}  // namespace weir::comm

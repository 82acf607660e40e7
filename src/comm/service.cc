#include "comm/service.h"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "base/guarded.h"
#include "sys/helper_thread.h"

namespace weir::comm {

namespace {

constexpr std::size_t kMostTextBytes = 512;

// How an answer travels: this, then its text or data.
struct AnswerHead {
  ErrorClass error_class = ErrorClass::kOk;
  std::int64_t value = 0;
  std::int64_t text_bytes = 0;
  std::int64_t data_bytes = 0;

  std::size_t following() const { return static_cast<std::size_t>(text_bytes + data_bytes); }
};
static_assert(std::is_trivially_copyable_v<AnswerHead> && std::is_trivially_copyable_v<Question>);

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

Status send(Comm& comm, int to, std::span<const std::byte> first, std::span<const std::byte> second) {
  std::array<Ticket, 2> tickets = {comm.send(to, first)};
  if (second.empty()) return comm.wait(std::span(tickets).first(1));
  tickets[1] = comm.send(to, second);
  return comm.wait(tickets);
}

Status receive(Comm& comm, int from, std::span<std::byte> data) {
  const std::array tickets = {comm.receive(from, data)};
  return comm.wait(tickets);
}

}  // namespace

Service::Service(Line::End end, std::size_t most_bytes, Respond respond)
    : end_(std::move(end)), respond_(std::move(respond)), payload_(most_bytes), data_(most_bytes) {}

Service::~Service() {
  if (thread_.joinable()) thread_.join();
}

Status Service::start() {
  Result<std::thread> started = sys::start_helper_thread([this] {
    outcome_ = serve();
    ended_.raise_to(1);
  });
  if (!started.ok()) return started.status();
  thread_ = std::move(started).value();
  return {};
}

Status Service::end(sys::Company* company) {
  if (!thread_.joinable()) return outcome_;
  ended_.wait_for(1, {company, {"the other ranks, which may ask this one until they leave"}});
  thread_.join();
  return outcome_;
}

Status Service::serve() {
  for (std::int64_t others = end_.questions->size(); others > 0;) {
    Question question;
    const Result<int> asker = end_.questions->receive_any(std::as_writable_bytes(std::span(&question, 1)));
    if (!asker.ok()) return asker.status();
    if (question.kind == Question::kLeave) {
      others -= question.value;
      continue;
    }
    Status status = answer(asker.value(), question);
    if (!status.ok()) return status;
  }
  return {};
}

Status Service::answer(int asker, const Question& question) {
  const auto payload = std::span(payload_).first(static_cast<std::size_t>(question.payload_bytes));
  Status status = payload.empty() ? Status() : receive(*end_.questions, asker, payload);
  if (!status.ok()) return status;
  const auto data = std::span(data_).first(static_cast<std::size_t>(question.wanted_bytes));
  Answer answer;
  answer.status = guarded([&] {
    answer = respond_(question, payload, data);
    return std::exchange(answer.status, {});
  });
  const std::size_t text_bytes = std::min(answer.status.text().size(), kMostTextBytes);
  const bool ok = answer.status.ok();
  const AnswerHead head{answer.status.error_class(), answer.value, static_cast<std::int64_t>(text_bytes),
                        ok ? answer.data_bytes : 0};
  const auto text = std::as_bytes(std::span(answer.status.text())).first(text_bytes);
  return send(*end_.answers, asker, bytes_of(head), ok ? data.first(head.following()) : text);
}

Answer Asker::ask(int to, Question question, std::span<const std::byte> payload, std::span<std::byte> data) {
  question.payload_bytes = static_cast<std::int64_t>(payload.size());
  question.wanted_bytes = static_cast<std::int64_t>(data.size());
  const sys::SharedLockGuard guard(lock_, {company(), {"another thread of this rank, which asks one of the others"}});
  AnswerHead head;
  const std::array<Ticket, 1> coming = {end_.answers->receive(to, std::as_writable_bytes(std::span(&head, 1)))};
  Status status = send(*end_.questions, to, bytes_of(question), payload);
  status = end_.answers->wait(coming).or_else(std::move(status));
  if (!status.ok()) return {std::move(status)};
  if (head.error_class == ErrorClass::kOk) {
    if (head.data_bytes > 0) status = receive(*end_.answers, to, data.first(head.following()));
    return {std::move(status), head.value, head.data_bytes};
  }
  std::string text(head.following(), '\0');
  if (!text.empty()) status = receive(*end_.answers, to, std::as_writable_bytes(std::span(text)));
  return {std::move(status).or_else(Status(head.error_class, std::move(text))), head.value};
}

Status Asker::leave(int to, int ranks) {
  const Question question{Question::kLeave, ranks};
  const sys::SharedLockGuard guard(lock_, {company(), {"another thread of this rank, which asks one of the others"}});
  return send(*end_.questions, to, bytes_of(question), {});
}

}  // namespace weir::comm

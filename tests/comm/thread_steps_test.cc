// Who takes which step of a message between ranks as threads: one thread is all ranks in turn.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "comm/ranks.h"

namespace weir::comm {
namespace {

std::span<const std::byte> bytes_of(const int& value) { return std::as_bytes(std::span(&value, 1)); }
std::span<std::byte> bytes_of(int& value) { return std::as_writable_bytes(std::span(&value, 1)); }

Status wait_for(Comm& comm, Ticket ticket) { return comm.wait(std::span(&ticket, 1)); }

class Steps : public testing::Test {
 protected:
  explicit Steps(Delivery delivery)
      : group_(3, 0, delivery), sender_(group_.comm(0)), receiver_(group_.comm(1)), bystander_(group_.comm(2)) {}

  Ticket send() { return sender_->send(1, bytes_of(out_)); }
  Ticket receive() { return receiver_->receive(0, bytes_of(in_)); }
  bool arrived() const { return in_ == out_; }
  // Both are done: neither waits.
  void expect_done(Ticket send, Ticket receive) {
    EXPECT_TRUE(wait_for(*receiver_, receive).ok());
    EXPECT_TRUE(wait_for(*sender_, send).ok());
    EXPECT_TRUE(arrived());
  }

  const int out_ = 42;
  int in_ = 0;
  ThreadGroup group_;
  std::unique_ptr<ThreadComm> sender_;
  std::unique_ptr<ThreadComm> receiver_;
  std::unique_ptr<ThreadComm> bystander_;

 private:
  HangGuard watchdog_{testing::UnitTest::GetInstance()->current_test_info()->name()};
};

class EagerSteps : public Steps {
 protected:
  EagerSteps() : Steps(Delivery::kEager) {}
};

class RendezvousSteps : public Steps {
 protected:
  RendezvousSteps() : Steps(Delivery::kRendezvous) {}
};

TEST_F(EagerSteps, TheSecondToPostMovesTheMessage) {
  const Ticket sent = send();
  EXPECT_FALSE(arrived());
  const Ticket received = receive();
  EXPECT_TRUE(arrived());
  expect_done(sent, received);

  in_ = 0;
  const Ticket received_first = receive();
  const Ticket sent_second = send();
  EXPECT_TRUE(arrived());
  expect_done(sent_second, received_first);
  EXPECT_FALSE(sender_->progress() || receiver_->progress());
}

TEST_F(RendezvousSteps, ASenderThatIsAwayHoldsTheMessageBack) {
  const Ticket sent = send();
  const Ticket received = receive();  // grants it
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(receiver_->progress());
  EXPECT_FALSE(arrived());
  EXPECT_TRUE(sender_->progress());  // copies it
  EXPECT_TRUE(arrived());
  EXPECT_FALSE(sender_->progress());
  EXPECT_TRUE(receiver_->progress());  // the receive is done
  EXPECT_FALSE(receiver_->progress());
  expect_done(sent, received);
}

TEST_F(RendezvousSteps, AReceiverThatIsAwayHoldsTheMessageBack) {
  const Ticket received = receive();
  const Ticket sent = send();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(sender_->progress());
  EXPECT_FALSE(arrived());
  EXPECT_TRUE(receiver_->progress());  // grants it
  EXPECT_FALSE(arrived());
  EXPECT_TRUE(sender_->progress());
  EXPECT_TRUE(arrived());
  expect_done(sent, received);
}

TEST_F(RendezvousSteps, WithoutAReceiveNothingIsGranted) {
  const Ticket sent = send();
  EXPECT_TRUE(receiver_->progress());  // hears of it
  EXPECT_FALSE(sender_->progress());
  const Ticket received = receive();
  EXPECT_TRUE(sender_->progress());
  expect_done(sent, received);
}

TEST_F(RendezvousSteps, AnyCallTakesAStep) {
  int other = 0;
  const Ticket received = receive();
  const Ticket sent = send();
  const Ticket receivers = receiver_->send(2, bytes_of(out_));  // grants
  const Ticket senders = sender_->receive(2, bytes_of(other));  // copies
  EXPECT_TRUE(arrived());
  expect_done(sent, received);

  int theirs = 0;
  const Ticket from_receiver = bystander_->receive(1, bytes_of(theirs));
  const Ticket to_sender = bystander_->send(0, bytes_of(out_));
  EXPECT_TRUE(receiver_->progress() && sender_->progress() && bystander_->progress());
  for (const Ticket ticket : {from_receiver, to_sender}) EXPECT_TRUE(wait_for(*bystander_, ticket).ok());
  EXPECT_TRUE(wait_for(*receiver_, receivers).ok());
  EXPECT_TRUE(wait_for(*sender_, senders).ok());
  EXPECT_EQ(theirs, out_);
  EXPECT_EQ(other, out_);
}

TEST_F(RendezvousSteps, NobodyElseMovesAMessage) {
  const Ticket sent = send();
  const Ticket received = receive();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(bystander_->progress());
  EXPECT_FALSE(arrived());
  EXPECT_TRUE(sender_->progress());
  expect_done(sent, received);
}

TEST_F(RendezvousSteps, ManyInFlightKeepTheirOrder) {
  std::array<int, 100> out = {};
  std::array<int, 100> in = {};
  std::iota(out.begin(), out.end(), 1);
  std::vector<Ticket> sent;
  std::vector<Ticket> received;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sent.push_back(sender_->send(1, bytes_of(std::as_const(out[i]))));
    if (i % 3 == 0) receiver_->progress();
    received.push_back(receiver_->receive(0, bytes_of(in[i])));
    if (i % 7 == 0) sender_->progress();
  }
  EXPECT_NE(in, out);
  sender_->progress();
  EXPECT_EQ(in, out);
  EXPECT_TRUE(receiver_->wait(received).ok());
  EXPECT_TRUE(sender_->wait(sent).ok());
}

// A message without bytes takes the same steps: its receive is not done while the sender is away.
TEST_F(RendezvousSteps, AMessageOfNoBytesNeedsItsSenderToo) {
  const Ticket sent = sender_->send(1, {});
  const Ticket received = receiver_->receive(0, {});
  std::atomic<bool> sender_came = false;
  std::jthread waiting([&] {
    EXPECT_TRUE(wait_for(*receiver_, received).ok());
    EXPECT_TRUE(sender_came);
  });
  EXPECT_FALSE(receiver_->progress());
  sender_came = true;
  EXPECT_TRUE(sender_->progress());
  EXPECT_TRUE(wait_for(*sender_, sent).ok());
}

TEST_F(RendezvousSteps, AReceiveFromAnyoneNeedsItsSenderToo) {
  const Ticket sent = send();
  std::atomic<bool> sender_came = false;
  std::jthread waiting([&] {
    EXPECT_EQ(receiver_->receive_any(bytes_of(in_)).value(), 0);
    EXPECT_TRUE(sender_came);
    EXPECT_TRUE(arrived());
  });
  sender_came = true;
  EXPECT_TRUE(wait_for(*sender_, sent).ok());
}

}  // namespace
}  // namespace weir::comm

#include "comm/mpi/mpi_comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "comm/mpi/courier.h"
#include "comm/mpi/host.h"
#include "comm/mpi/progress_hook.h"
#include "sys/latch.h"

namespace weir::comm {

namespace {

// MPI counts with int; longer messages travel as several of this size.
constexpr std::size_t kLargestMessageBytes = std::size_t{1} << 30;

// A service looks for requests this often when none came for a while: about 0.1 % of a core.
constexpr std::chrono::microseconds kLongestServiceSleep = std::chrono::milliseconds(5);
constexpr std::chrono::microseconds kLongestSleep(500);

// A posted MPI request. The parts of a long message form a chain.
struct Slot {
  MPI_Request request = MPI_REQUEST_NULL;
  int error = MPI_SUCCESS;
  int from = sys::Step::kNoPeer;  // of a receive
  Slot* next = nullptr;
};

// Requests that are waited for together.
class Batch {
 public:
  void clear() {
    requests_.clear();
    status_ = {};
  }
  void add(MPI_Request request) { requests_.push_back(request); }
  void fail(Status status) { status_ = std::move(status_).or_else(std::move(status)); }

  // Whether every request is done. REQUIRES a thread that may call the host.
  bool test() {
    mpi_statuses_.resize(requests_.size());
    int all_done = 0;
    const int error =
        host::next().Testall(static_cast<int>(requests_.size()), requests_.data(), &all_done, mpi_statuses_.data());
    if (error == MPI_ERR_IN_STATUS) {
      fail(first_failure());
      return std::ranges::all_of(requests_, [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
    }
    if (error != MPI_SUCCESS) fail(status_of_mpi(error, "MPI_Testall"));
    return error != MPI_SUCCESS || all_done != 0;
  }

  // Once all are done: the first failure among them; where the first message came from.
  Status status() { return std::move(status_); }
  int source() const { return mpi_statuses_[0].MPI_SOURCE; }

 private:
  Status first_failure() const {
    for (const MPI_Status& mpi_status : mpi_statuses_) {
      const int error = mpi_status.MPI_ERROR;
      if (error != MPI_SUCCESS && error != MPI_ERR_PENDING) return status_of_mpi(error, "a message");
    }
    return {};
  }

  std::vector<MPI_Request> requests_;  // kept between calls for their memory
  std::vector<MPI_Status> mpi_statuses_;
  Status status_;
};

class MpiComm final : public Comm {
 public:
  MpiComm(std::shared_ptr<CommGroup> group, int tag) : group_(std::move(group)), tag_(tag), courier_(Courier::get()) {}

  int rank() const override { return group_->rank(); }
  int size() const override { return group_->size(); }
  const Topology& topology() const override { return group_->topology(); }

  Ticket send(int to, std::span<const std::byte> data) override {
    return post(data, sys::Step::kNoPeer, [this, to](std::span<const std::byte> part, MPI_Request* request) {
      return PMPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, to, tag_, group_->handle(), request);
    });
  }

  Ticket receive(int from, std::span<std::byte> data) override {
    return post(data, from, [this, from](std::span<std::byte> part, MPI_Request* request) {
      return PMPI_Irecv(part.data(), static_cast<int>(part.size()), MPI_BYTE, from, tag_, group_->handle(), request);
    });
  }

  Status wait(std::span<const Ticket> tickets) override {
    batch_.clear();
    finish([&] { collect(tickets); }, {"messages of other ranks", first_sender(tickets)}, kLongestSleep);
    give_back(tickets);
    return batch_.status();
  }

  Result<int> receive_any(std::span<std::byte> data) override {
    batch_.clear();
    const auto start = [&] {
      MPI_Request request = MPI_REQUEST_NULL;
      const int error = PMPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                                   group_->handle(), &request);
      if (error != MPI_SUCCESS) batch_.fail(status_of_mpi(error, "MPI_Irecv from any rank"));
      batch_.add(request);
    };
    finish(start, {"questions of other ranks"}, kLongestServiceSleep);
    Status status = batch_.status();
    if (!status.ok()) return status;
    return batch_.source();
  }

  bool progress() override {
    if (!courier_.may_call()) return false;
    courier_.run_errands();
    return works([&] {
      int found = 0;
      PMPI_Iprobe(MPI_ANY_SOURCE, CommGroup::kNoMessageTag, group_->handle(), &found, MPI_STATUS_IGNORE);
    });
  }

  // A thread whose calls are carried has nothing to move itself.
  bool busy() const override {
    return courier_.may_call() && (posted_.load(std::memory_order_relaxed) > 0 || courier_.pending());
  }

 private:
  // A call of the host, and whether it has moved something: the next should follow at once then.
  template <typename Call>
  bool works(Call call) const {
    const NoYield no_yield;
    const auto begin = sys::thread_time();
    call();
    return group_->gauge().moved(sys::thread_time() - begin);
  }

  Slot* take_slot() {
    if (free_slots_.empty()) {
      slots_.push_back(std::make_unique<Slot>());
      return slots_.back().get();
    }
    Slot* slot = free_slots_.back();
    free_slots_.pop_back();
    *slot = {};
    return slot;
  }

  template <typename Byte, typename PostPart>
  Ticket post(std::span<Byte> data, int from, const PostPart& post_part) {
    Slot* const first = take_slot();
    first->from = from;
    posted_.fetch_add(1, std::memory_order_relaxed);
    for (Slot* slot = first;;) {
      const auto part = data.first(std::min(data.size(), kLargestMessageBytes));
      data = data.subspan(part.size());
      courier_.carry([=] { slot->error = post_part(part, &slot->request); });
      if (data.empty()) return reinterpret_cast<Ticket>(first);
      slot->next = take_slot();
      slot = slot->next;
    }
  }

  // Fills the batch by `start` and returns when all of it is done.
  template <typename Start>
  void finish(const Start& start, const sys::Step& step, std::chrono::microseconds longest_sleep) {
    if (courier_.may_call()) {
      start();
      sys::Wait wait({this, step, group_->patience()});
      bool done = false;
      while (!done) {
        const auto look = [&] { done = batch_.test(); };
        if (!wait.sleeps()) {
          const NoYield no_yield;
          look();
        } else if (works(look)) {
          wait.start_over();
        }
        courier_.run_errands();
        if (!done) wait.pause(longest_sleep);
      }
      return;
    }
    const auto done = std::make_shared<sys::Latch>();  // the errand's last act may come after this function's
    courier_.give([this, &start, done, started = false]() mutable {
      if (!std::exchange(started, true)) start();
      if (!batch_.test()) return false;
      done->raise_to(1);
      return true;
    });
    done->wait_for(1, {this, step});
  }

  static int first_sender(std::span<const Ticket> tickets) {
    for (const Ticket ticket : tickets) {
      const int from = reinterpret_cast<const Slot*>(ticket)->from;
      if (from != sys::Step::kNoPeer) return from;
    }
    return sys::Step::kNoPeer;
  }

  void collect(std::span<const Ticket> tickets) {
    for (const Ticket ticket : tickets) {
      for (const Slot* slot = reinterpret_cast<Slot*>(ticket); slot != nullptr; slot = slot->next) {
        if (slot->error == MPI_SUCCESS) {
          batch_.add(slot->request);
        } else {
          batch_.fail(status_of_mpi(slot->error, "MPI_Isend or MPI_Irecv"));
        }
      }
    }
  }

  void give_back(std::span<const Ticket> tickets) {
    for (const Ticket ticket : tickets) {
      for (Slot* slot = reinterpret_cast<Slot*>(ticket); slot != nullptr; slot = slot->next) {
        free_slots_.push_back(slot);
      }
    }
    posted_.fetch_sub(static_cast<int>(tickets.size()), std::memory_order_relaxed);
  }

  std::shared_ptr<CommGroup> group_;
  int tag_;
  Courier& courier_;
  std::atomic<int> posted_ = 0;  // tickets not waited for
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> free_slots_;
  Batch batch_;
};

}  // namespace

std::unique_ptr<Comm> channel(std::shared_ptr<CommGroup> group, int tag) {
  return std::make_unique<MpiComm>(std::move(group), tag);
}

std::function<Line()> line(std::shared_ptr<CommGroup> group, int questions_tag, int answers_tag) {
  return [group = std::move(group), tags = std::array{questions_tag, answers_tag}] {
    return Line::of([&](std::size_t which) { return channel(group, tags[which]); });
  };
}

Status status_of_mpi(int mpi_error, const char* what) {
  int mpi_class = MPI_ERR_OTHER;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text = {};
  int text_bytes = 0;
  PMPI_Error_class(mpi_error, &mpi_class);
  PMPI_Error_string(mpi_error, text.data(), &text_bytes);
  constexpr std::array kBugs = {MPI_ERR_ARG,  MPI_ERR_BUFFER, MPI_ERR_COUNT,   MPI_ERR_COMM,    MPI_ERR_RANK,
                                MPI_ERR_ROOT, MPI_ERR_TAG,    MPI_ERR_REQUEST, MPI_ERR_TRUNCATE};
  const bool is_bug = std::ranges::find(kBugs, mpi_class) != kBugs.end();
  return {is_bug ? ErrorClass::kInternal : ErrorClass::kOther,
          fmt::format("{} failed in the MPI library: {}", what, text.data())};
}

}  // namespace weir::comm

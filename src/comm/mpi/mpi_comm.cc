#include "comm/mpi/mpi_comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "comm/mpi/host.h"
#include "comm/waiter.h"

namespace weir::comm {

namespace {

// MPI counts with int; longer messages travel as several of this size.
constexpr std::size_t kLargestMessageBytes = std::size_t{1} << 30;

// A service looks for requests this often when none came for a while: about 0.1 % of a core.
constexpr Waiter::Sleep kLongestServiceSleep = std::chrono::milliseconds(5);

// Large messages travel in pieces that move only when somebody looks. MPI does not tell, but a look that took this
// long has moved something, and the next should follow at once; one that finds nothing takes a tenth of it.
constexpr std::chrono::microseconds kWorkingLook(3);

class MpiComm final : public Comm {
 public:
  explicit MpiComm(std::shared_ptr<CommGroup> group) : group_(std::move(group)), tag_(group_->next_tag()) {}

  int rank() const override { return group_->rank(); }
  int size() const override { return group_->size(); }
  const Topology& topology() const override { return group_->topology(); }

  Ticket send(int to, std::span<const std::byte> data) override {
    return post(data, [&](std::span<const std::byte> part, MPI_Request* request) {
      return PMPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, to, tag_, group_->handle(), request);
    });
  }

  Ticket receive(int from, std::span<std::byte> data) override {
    return post(data, [&](std::span<std::byte> part, MPI_Request* request) {
      return PMPI_Irecv(part.data(), static_cast<int>(part.size()), MPI_BYTE, from, tag_, group_->handle(), request);
    });
  }

  Status wait(std::span<const Ticket> tickets) override {
    Status status;
    waited_for_.clear();
    for (const Ticket ticket : tickets) {
      status = std::move(status).or_else(collect(static_cast<std::size_t>(ticket)));
    }
    Waiter waiter;
    return std::move(status).or_else(finish_collected(waiter));
  }

  Result<int> receive_any(std::span<std::byte> data) override {
    waited_for_.assign(1, MPI_REQUEST_NULL);
    const int error = PMPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                                 group_->handle(), waited_for_.data());
    if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Irecv from any rank");
    Waiter waiter(kLongestServiceSleep);
    Status status = finish_collected(waiter);
    if (!status.ok()) return status;
    return mpi_statuses_[0].MPI_SOURCE;
  }

  bool progress() override {
    if (!thread_may_call()) return false;
    int found = 0;
    const auto begin = std::chrono::steady_clock::now();
    PMPI_Iprobe(MPI_ANY_SOURCE, tag_, group_->handle(), &found, MPI_STATUS_IGNORE);
    return std::chrono::steady_clock::now() - begin > kWorkingLook;
  }

 private:
  // Below MPI_THREAD_MULTIPLE only the program's main thread is sure to be allowed.
  static bool thread_may_call() {
    int provided = MPI_THREAD_SINGLE;
    int is_main = 0;
    PMPI_Query_thread(&provided);
    PMPI_Is_thread_main(&is_main);
    return provided == MPI_THREAD_MULTIPLE || is_main != 0;
  }

  // A posted MPI request. The parts of a long message form a chain; the ticket is the place of the first.
  struct Slot {
    static constexpr std::size_t kNone = ~std::size_t{0};
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    std::size_t next = kNone;
  };

  std::size_t take_slot() {
    if (free_slots_.empty()) {
      slots_.emplace_back();
      return slots_.size() - 1;
    }
    const std::size_t place = free_slots_.back();
    free_slots_.pop_back();
    slots_[place] = Slot{};
    return place;
  }

  template <typename Byte, typename PostPart>
  Ticket post(std::span<Byte> data, const PostPart& post_part) {
    const std::size_t first = take_slot();
    std::size_t place = first;
    for (;;) {
      const auto part = data.first(std::min(data.size(), kLargestMessageBytes));
      data = data.subspan(part.size());
      slots_[place].error = post_part(part, &slots_[place].request);
      if (data.empty()) return first;
      const std::size_t next = take_slot();
      slots_[place].next = next;
      place = next;
    }
  }

  // Moves a ticket's requests to waited_for_ and gives its slots back.
  Status collect(std::size_t place) {
    Status status;
    while (place != Slot::kNone) {
      const Slot slot = slots_[place];
      free_slots_.push_back(place);
      if (slot.error == MPI_SUCCESS) {
        waited_for_.push_back(slot.request);
      } else {
        status = std::move(status).or_else(status_of_mpi(slot.error, "MPI_Isend or MPI_Irecv"));
      }
      place = slot.next;
    }
    return status;
  }

  // Waits until every request in waited_for_ is done; the first failure among them is returned.
  Status finish_collected(Waiter& waiter) {
    Status status;
    mpi_statuses_.resize(waited_for_.size());
    const int requests = static_cast<int>(waited_for_.size());
    for (;;) {
      int all_done = 0;
      const auto look_begin = std::chrono::steady_clock::now();
      const int error = host::next().Testall(requests, waited_for_.data(), &all_done, mpi_statuses_.data());
      if (error == MPI_ERR_IN_STATUS) {
        status = std::move(status).or_else(first_failure());
        all_done = std::ranges::all_of(waited_for_, [](MPI_Request r) { return r == MPI_REQUEST_NULL; }) ? 1 : 0;
      } else if (error != MPI_SUCCESS) {
        return std::move(status).or_else(status_of_mpi(error, "MPI_Testall"));
      }
      if (all_done != 0) return status;
      if (std::chrono::steady_clock::now() - look_begin > kWorkingLook) waiter.reset();
      waiter.pause();
    }
  }

  Status first_failure() const {
    for (const MPI_Status& mpi_status : mpi_statuses_) {
      const int error = mpi_status.MPI_ERROR;
      if (error != MPI_SUCCESS && error != MPI_ERR_PENDING) return status_of_mpi(error, "a message");
    }
    return {};
  }

  std::shared_ptr<CommGroup> group_;
  int tag_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_slots_;
  std::vector<MPI_Request> waited_for_;  // kept between calls for their memory
  std::vector<MPI_Status> mpi_statuses_;
};

}  // namespace

std::unique_ptr<Comm> channel(std::shared_ptr<CommGroup> group) { return std::make_unique<MpiComm>(std::move(group)); }

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

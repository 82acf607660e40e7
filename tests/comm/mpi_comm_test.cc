// The MPI part of comm under a real host: mpirun -np N mpi_comm_test. Every check runs on every rank; a failed one
// ends the job with a message.
#include "comm/mpi/mpi_comm.h"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <thread>
#include <vector>

#include "comm/agree.h"
#include "comm/collectives.h"
#include "comm/mpi/progress_hook.h"
#include "comm/shared_counter.h"
#include "comm/shared_memory.h"

namespace weir::comm {
namespace {

void check(bool holds, std::string_view what) {
  if (holds) return;
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fmt::print(stderr, "rank {}: failed: {}\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void check(const Status& status, std::string_view what) {
  check(status.ok(), fmt::format("{}: {}", what, status.text()));
}

std::shared_ptr<CommGroup> group(MPI_Comm parent) {
  auto made = group_of(parent);
  check(made.status(), "group_of");
  return std::move(made).value();
}

// COLLECTIVE.
int new_tag(MPI_Comm parent) {
  const auto own = group(parent);
  int tag = own->rank() == 0 ? own->next_tag() : 0;
  check(tell_from_rank_0(parent, std::span(&tag, 1)), "tell_from_rank_0");
  return tag;
}

// COLLECTIVE.
std::unique_ptr<Comm> new_channel(MPI_Comm parent) {
  const int tag = new_tag(parent);
  return channel(group(parent), tag);
}

// COLLECTIVE.
std::function<Line()> new_line(MPI_Comm parent) {
  const int questions_tag = new_tag(parent);
  return line(group(parent), questions_tag, new_tag(parent));
}

// Communicators of the same ranks in the same order share a group; others do not.
void groups_are_shared() {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  check(group(copy) == group(MPI_COMM_WORLD), "a duplicate shares its original's group");
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -group(MPI_COMM_WORLD)->rank(), &reversed);
  check(group(reversed)->size() == 1 || group(reversed) != group(copy), "another order is another group");
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&copy);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The topology of the real job with each rank on a node of its own: for what happens only across nodes.
class ScatteredComm final : public Comm {
 public:
  explicit ScatteredComm(Comm& comm) : comm_(comm) {
    topology_.node_of.resize(static_cast<std::size_t>(comm.size()));
    std::iota(topology_.node_of.begin(), topology_.node_of.end(), 0);
  }
  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  const Topology& topology() const override { return topology_; }
  Ticket send(int to, std::span<const std::byte> data) override { return comm_.send(to, data); }
  Ticket receive(int from, std::span<std::byte> data) override { return comm_.receive(from, data); }
  Status wait(std::span<const Ticket> tickets) override { return comm_.wait(tickets); }
  Result<int> receive_any(std::span<std::byte> data) override { return comm_.receive_any(data); }

 private:
  Comm& comm_;
  Topology topology_;
};

void collectives_work() {
  const auto comm = new_channel(MPI_COMM_WORLD);
  const std::int64_t ranks = comm->size();
  for (int round = 0; round < 20; ++round) {
    check(barrier(*comm), "barrier");
    check(all_sum(*comm, comm->rank()).value() == ranks * (ranks - 1) / 2, "all_sum");
    check(scan_sum(*comm, 2).value().before == 2 * comm->rank(), "scan_sum");
    const auto all = all_gather_values(*comm, comm->rank() * 10);
    for (int rank = 0; rank < ranks; ++rank) {
      check(all.value()[static_cast<std::size_t>(rank)] == rank * 10, "all_gather_values");
    }
    const int failing = round % comm->size();
    Status mine;
    if (comm->rank() == failing) mine = Status(ErrorClass::kQuota, "mine");
    check(agree(*comm, mine).text() == fmt::format("mine (on rank {})", failing), "agree");
  }
}

// Or what the ranks found by themselves, where the host gives each a node of its own: the test runs on one machine.
void topology_is_that_of_the_host() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_ranks = 0;
  MPI_Comm_size(node, &node_ranks);
  MPI_Comm_free(&node);
  if (node_ranks == 1) MPI_Comm_size(MPI_COMM_WORLD, &node_ranks);
  const Topology& topology = group(MPI_COMM_WORLD)->topology();
  const auto own = static_cast<std::size_t>(group(MPI_COMM_WORLD)->rank());
  check(std::ranges::count(topology.node_of, topology.node_of[own]) == node_ranks, "ranks of the node");
}

int copies_made(MPI_Comm, int, void* extra, void*, void*, int* flag) {
  ++*static_cast<int*>(extra);
  *flag = 0;
  return MPI_SUCCESS;
}

// More than the communicators that MPICH has, on one parent; and the user's attributes are left alone.
void channels_are_cheap() {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  int keyval = MPI_KEYVAL_INVALID;
  int copies = 0;
  MPI_Comm_create_keyval(copies_made, MPI_COMM_NULL_DELETE_FN, &keyval, &copies);
  MPI_Comm_set_attr(parent, keyval, &copies);

  const auto first_group = group(parent);
  std::vector<std::unique_ptr<Comm>> channels;
  for (int i = 0; i < 3000; ++i) {
    check(group(parent) == first_group, "the group is found again");
    channels.push_back(new_channel(parent));
  }
  check(copies == 0, "the user's attributes are not copied");
  // All at a time, answers in the opposite order.
  std::vector<int> in(channels.size());
  std::vector<int> out(channels.size());
  std::vector<Ticket> sends;
  const int ranks = first_group->size();
  const int right = (first_group->rank() + 1) % ranks;
  const int left = (first_group->rank() + ranks - 1) % ranks;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    out[i] = static_cast<int>(i);
    sends.push_back(channels[i]->send(right, std::as_bytes(std::span(&out[i], 1))));
  }
  for (std::size_t i = channels.size(); i-- > 0;) {
    const std::array tickets = {channels[i]->receive(left, std::as_writable_bytes(std::span(&in[i], 1))), sends[i]};
    check(channels[i]->wait(tickets), "wait");
    check(in[i] == static_cast<int>(i), "messages of two channels do not mix");
  }
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_free(&parent);
}

// Each parent's communicator is given back: 3000 parents one after the other fit into 2046.
void groups_are_given_back() {
  for (int i = 0; i < 3000; ++i) {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &parent);
    const auto comm = new_channel(parent);
    check(all_sum(*comm, 1).value() == 1, "a group of one");
    MPI_Comm_free(&parent);
  }
}

void a_channel_outlives_its_parent() {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -group(MPI_COMM_WORLD)->rank(), &parent);  // in reverse order
  int rank = -1;
  MPI_Comm_rank(parent, &rank);
  const auto comm = new_channel(parent);
  MPI_Comm_free(&parent);
  check(parent == MPI_COMM_NULL, "the parent is gone");
  check(comm->rank() == rank, "ranks are those of the parent");
  check(all_sum(*comm, 1).value() == comm->size(), "a channel without its parent");
}

// Zeros that take memory only where they are written.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes) {
    void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    check(address != MAP_FAILED, "mmap");
    bytes_ = {static_cast<std::byte*>(address), bytes};
  }
  ~SparseMemory() { munmap(bytes_.data(), bytes_.size()); }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

// 2 GiB and a little: more than an int counts. With two ranks only: it takes memory and time.
void a_message_may_be_larger_than_an_int() {
  const auto comm = new_channel(MPI_COMM_WORLD);
  if (comm->size() != 2) return;
  const std::size_t message_bytes = (std::size_t{1} << 31) + 12345;
  const SparseMemory memory(message_bytes);
  const auto data = memory.bytes();
  const auto mark_at = [](std::size_t offset) { return static_cast<std::byte>((offset >> 20) % 255 + 1); };
  constexpr std::size_t kStride = (std::size_t{1} << 20) - 1;
  if (comm->rank() == 0) {
    for (std::size_t offset = 0; offset < message_bytes; offset += kStride) data[offset] = mark_at(offset);
  }
  const std::array tickets = {comm->rank() == 0 ? comm->send(1, data) : comm->receive(0, data)};
  check(comm->wait(tickets), "a large message");
  for (std::size_t offset = 0; offset < message_bytes; offset += kStride) {
    check(data[offset] == mark_at(offset), "a large message's bytes");
  }
}

void a_failing_transfer_is_a_status() {
  const auto comm = new_channel(MPI_COMM_WORLD);
  const std::array tickets = {comm->send(comm->size(), {})};
  const Status status = comm->wait(tickets);
  check(status.error_class() == ErrorClass::kInternal && !status.text().empty(), "a send to nobody fails");
  check(all_sum(*comm, 1).value() == comm->size(), "and nothing else does");
}

// Rank by rank in another order: only possible because each has messages of its own.
void two_files_in_opposite_order(bool threads_may_communicate) {
  if (!threads_may_communicate) return;
  const auto one = new_channel(MPI_COMM_WORLD);
  const auto two = new_channel(MPI_COMM_WORLD);
  const bool even = one->rank() % 2 == 0;
  const auto drive = [](Comm& comm, std::int64_t value) {
    for (int round = 0; round < 100; ++round) check(all_sum(comm, value).value() == value * comm.size(), "all_sum");
  };
  std::jthread helper([&] { drive(even ? *one : *two, even ? 1 : 2); });
  drive(even ? *two : *one, even ? 2 : 1);
}

void node_memory_is_shared() {
  const auto comm = new_channel(MPI_COMM_WORLD);
  const auto memory = SharedMemory::create(*comm, 1 << 20);
  check(memory.status(), "SharedMemory");
  const auto block = memory.value().bytes();
  const auto own = static_cast<std::size_t>(comm->rank());
  block[own * 1000] = static_cast<std::byte>(own + 1);
  check(barrier(*comm), "barrier");
  const auto& node_of = comm->topology().node_of;
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    const bool same_node = node_of[rank] == node_of[own];
    check(block[rank * 1000] == static_cast<std::byte>(same_node ? rank + 1 : 0), "what a neighbour wrote");
  }
  check(barrier(*comm), "barrier");
}

// A message of the channel that nobody takes yet must not keep the program's own from moving. Shows only where long
// messages need their sender: with MPICH, and with Open MPI over TCP.
void progress_moves_beside_a_waiting_message() {
  const auto own = group(MPI_COMM_WORLD);
  const int tag = new_tag(MPI_COMM_WORLD);
  const auto comm = channel(own, tag);
  const auto memory = SharedMemory::create(*comm, 4096);
  check(memory.status(), "SharedMemory");
  const std::atomic_ref<int> step(*reinterpret_cast<int*>(memory.value().bytes().data()));
  const auto progress_until = [&](int value) {
    const auto begin = std::chrono::steady_clock::now();
    while (step.load() < value) {
      comm->progress();
      check(seconds_since(begin) < 30, "a message moves while its sender makes progress");
    }
  };
  std::vector<std::byte> message(std::size_t{4} << 20);
  const int bytes = static_cast<int>(message.size());
  std::array<std::byte, 8> waiting = {};
  if (own->rank() == 0 && own->size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    for (int found = 0; found == 0;) MPI_Iprobe(1, tag, own->handle(), &found, MPI_STATUS_IGNORE);
    step.store(1);
    progress_until(2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const std::array tickets = {comm->receive(1, waiting)};
    check(comm->wait(tickets), "the message that waited");
  } else if (own->rank() == 1) {
    const std::array tickets = {comm->send(0, waiting)};
    progress_until(1);
    MPI_Recv(message.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    step.store(2);
    check(comm->wait(tickets), "a message");
  }
  check(barrier(*comm), "barrier");
}

void counter_counts(Comm& comm, SharedCounter& counter) {
  constexpr int kRounds = 50;
  std::int64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto value = counter.fetch_add(1);
    check(value.status(), "fetch_add");
    sum += value.value();
  }
  const std::int64_t values = std::int64_t{kRounds} * comm.size();
  check(all_sum(comm, sum).value() == values * (values - 1) / 2, "each value is given once");
  check(counter.load().value() == values, "load");
  check(barrier(comm), "barrier");
  if (comm.rank() == comm.size() - 1) check(counter.store(77), "store");
  check(barrier(comm), "barrier");
  check(counter.load().value() == 77, "what was stored");
  check(counter.close(), "close");
}

// Also where rank 0's service may not call the host: its errands are carried.
void counters_work() {
  const auto comm = new_channel(MPI_COMM_WORLD);
  auto natural = make_shared_counter(*comm, new_line(MPI_COMM_WORLD));
  check(natural.status(), "make_shared_counter");
  counter_counts(*comm, *natural.value());
  if (comm->size() == 1) return;
  ScatteredComm scattered(*comm);
  auto asked = make_shared_counter(scattered, new_line(MPI_COMM_WORLD));
  check(asked.status(), "make_shared_counter across nodes");
  counter_counts(*comm, *asked.value());
}

// Rank 0 says how long each check took: on a crowded machine the host's own spinning is most of it.
template <typename Check>
void run(std::string_view name, const Check& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  if (group(MPI_COMM_WORLD)->rank() == 0) {
    fmt::print("{:6.2f} s {}\n", seconds_since(begin), name);
    std::fflush(stdout);
  }
}

void run_all(bool threads_may_communicate) {
  run("collectives", collectives_work);
  run("topology", topology_is_that_of_the_host);
  run("3000 channels", channels_are_cheap);
  run("3000 groups", groups_are_given_back);
  run("groups are shared", groups_are_shared);
  run("parent freed first", a_channel_outlives_its_parent);
  run("failing transfer", a_failing_transfer_is_a_status);
  run("two files, two threads", [&] { two_files_in_opposite_order(threads_may_communicate); });
  run("node memory", node_memory_is_shared);
  run("progress", progress_moves_beside_a_waiting_message);
  run("counters", counters_work);
  run("large message", a_message_may_be_larger_than_an_int);
}

}  // namespace
}  // namespace weir::comm

// With an argument: the thread level to ask for ("single"); MPI_THREAD_MULTIPLE otherwise.
int main(int argc, char** argv) {
  const bool single = argc > 1 && std::string_view(argv[1]) == "single";
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  weir::comm::use_progress_hook();
  weir::comm::run_all(provided == MPI_THREAD_MULTIPLE);
  // Channels and groups that live through MPI_Finalize and after it.
  const auto group = weir::comm::group_of(MPI_COMM_WORLD).value();
  const auto self_group = weir::comm::group_of(MPI_COMM_SELF).value();
  const auto left_over = weir::comm::new_channel(MPI_COMM_WORLD);
  MPI_Finalize();
  if (group->rank() == 0) fmt::print("all checks passed\n");
  return 0;
}

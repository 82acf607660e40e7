// CommGroup: one communicator of weir's own for all of the user's with the same ranks; each finds it again through an
// attribute.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "comm/mpi/courier.h"
#include "comm/mpi/find_topology.h"
#include "comm/mpi/host.h"
#include "comm/mpi/host_life.h"
#include "comm/mpi/keyval.h"
#include "comm/mpi/mpi_comm.h"

namespace weir::comm {

// Raised when MPI_Finalize begins: from then on the host frees what is left of the world itself, and we must not.
class FinalizeFlag {
 public:
  void raise() { raised_.store(true); }
  bool raised() const { return raised_.load(); }

 private:
  std::atomic<bool> raised_ = false;
};

namespace {

// Frees a communicator that never became a group's.
struct OwnComm {
  MPI_Comm handle = MPI_COMM_NULL;
  OwnComm() = default;
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() {
    if (handle != MPI_COMM_NULL) PMPI_Comm_free(&handle);
  }
  MPI_Comm release() { return std::exchange(handle, MPI_COMM_NULL); }
};

// An attribute of communicators whose value is a shared_ptr<T> on the heap.
template <typename T>
class SharedAttribute {
 public:
  explicit SharedAttribute(MPI_Comm_delete_attr_function* on_delete) : on_delete_(on_delete) {}

  std::shared_ptr<T> get(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, keyval(), &value, &found) != MPI_SUCCESS || found == 0) return nullptr;
    return *static_cast<std::shared_ptr<T>*>(value);
  }

  Status set(MPI_Comm comm, std::shared_ptr<T> object) {
    auto value = std::make_unique<std::shared_ptr<T>>(std::move(object));
    const int error = PMPI_Comm_set_attr(comm, keyval(), value.get());
    if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Comm_set_attr");
    static_cast<void>(value.release());  // owned by the attribute now
    return {};
  }

 private:
  int keyval() {
    return keyval_.get([this](int* key) { PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete_, key, nullptr); });
  }

  MPI_Comm_delete_attr_function* on_delete_;
  Keyval keyval_;
};

int drop_group(MPI_Comm, int, void* value, void*) {
  delete static_cast<std::shared_ptr<CommGroup>*>(value);
  return MPI_SUCCESS;
}

int raise_finalize_flag(MPI_Comm, int, void* value, void*) {
  auto* flag = static_cast<std::shared_ptr<FinalizeFlag>*>(value);
  (*flag)->raise();
  delete flag;
  return MPI_SUCCESS;
}

SharedAttribute<CommGroup>& group_attribute() {
  static SharedAttribute<CommGroup>& attribute = *new SharedAttribute<CommGroup>(&drop_group);
  return attribute;
}

Result<std::shared_ptr<const FinalizeFlag>> install_finalize_flag() {
  static SharedAttribute<FinalizeFlag> attribute(&raise_finalize_flag);
  auto flag = std::make_shared<FinalizeFlag>();
  Status status = attribute.set(MPI_COMM_SELF, flag);
  if (!status.ok()) return status;
  return std::shared_ptr<const FinalizeFlag>(std::move(flag));
}

// LOCAL: the flag of this process. An attribute of MPI_COMM_SELF raises it: MPI_Finalize deletes those first. Where
// there are only sessions nobody does: their communicators, and weir's with them, are freed before they end.
Result<std::shared_ptr<const FinalizeFlag>> finalize_flag() {
  if (!HostLife::get().world()) return std::make_shared<const FinalizeFlag>();
  static const auto flag = install_finalize_flag();
  return flag;
}

// Lets failures on a communicator be returned to us rather than to its error handler, while it lives.
class ErrorsReturned {
 public:
  explicit ErrorsReturned(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm_, &before_);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturned() {
    PMPI_Comm_set_errhandler(comm_, before_);
    host::next().Errhandler_free(&before_);
  }
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

// Some hosts keep it at MPI_COMM_WORLD only, where there is one.
int highest_tag(MPI_Comm own) {
  constexpr int kGuaranteedByTheStandard = 32767;
  void* value = nullptr;
  int found = 0;
  const MPI_Comm comm = HostLife::get().world() ? MPI_COMM_WORLD : own;
  if (PMPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found) != MPI_SUCCESS || found == 0) {
    return kGuaranteedByTheStandard;
  }
  return *static_cast<int*>(value);
}

// COLLECTIVE over `parent`. Not MPI_Comm_dup, which would run the user's attribute copy functions.
Status make_own_comm(MPI_Comm parent, MPI_Comm* own) {
  MPI_Group members = MPI_GROUP_NULL;
  int error = PMPI_Comm_group(parent, &members);
  if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Comm_group");
  error = PMPI_Comm_create(parent, members, own);
  PMPI_Group_free(&members);
  if (error == MPI_SUCCESS) error = PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
  return error == MPI_SUCCESS ? Status() : status_of_mpi(error, "MPI_Comm_create");
}

// A collective of the host that has been started, waited for as weir waits.
Status finish(MPI_Request request, const char* what, sys::Company* company) {
  sys::Wait wait({company, {what}, {20}});
  for (;;) {
    int done = 0;
    const int error = host::next().Test(&request, &done, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) return status_of_mpi(error, what);
    if (done != 0) return {};
    Courier::get().run_errands();
    wait.pause();
  }
}

int next_group_number() {
  static std::atomic<int> next = 0;
  return next.fetch_add(1);
}

// LOCAL: the groups of this process that some communicator or file still holds.
class KnownGroups {
 public:
  void add(const std::shared_ptr<CommGroup>& group) {
    std::scoped_lock lock(mutex_);
    std::erase_if(groups_, [](const std::weak_ptr<CommGroup>& known) { return known.expired(); });
    groups_.push_back(group);
  }

  // The one with the lowest number of those with the same ranks in the same order as `parent`; null when there is none.
  // A communicator of a session must go before that does: nothing is shared where there are any.
  std::shared_ptr<CommGroup> of(MPI_Comm parent) {
    if (HostLife::get().sessions_used()) return nullptr;
    std::scoped_lock lock(mutex_);
    std::shared_ptr<CommGroup> lowest;
    for (const std::weak_ptr<CommGroup>& known : groups_) {
      std::shared_ptr<CommGroup> group = known.lock();
      int likeness = MPI_UNEQUAL;
      if (group == nullptr || (lowest && lowest->number() < group->number())) continue;
      if (PMPI_Comm_compare(parent, group->handle(), &likeness) != MPI_SUCCESS) continue;
      if (likeness == MPI_CONGRUENT) lowest = std::move(group);
    }
    return lowest;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<CommGroup>> groups_;
};

KnownGroups& known_groups() {
  static KnownGroups& groups = *new KnownGroups;
  return groups;
}

// COLLECTIVE: a group that all ranks know; null when one of them does not (any more). One number says which: a group's
// tags are rank 0's to give, and so is its name.
Result<std::shared_ptr<CommGroup>> find_group(MPI_Comm parent, sys::Company* company) {
  std::shared_ptr<CommGroup> known = known_groups().of(parent);
  int mine = known ? known->number() : -1;
  int bounds[] = {mine, ~mine};
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = PMPI_Iallreduce(MPI_IN_PLACE, bounds, 2, MPI_INT, MPI_MIN, parent, &request);
  Status status =
      error == MPI_SUCCESS ? finish(request, "MPI_Iallreduce", company) : status_of_mpi(error, "MPI_Iallreduce");
  if (!status.ok()) return status;
  if (mine < 0 || bounds[0] != ~bounds[1]) return std::shared_ptr<CommGroup>();
  return known;
}

Result<std::shared_ptr<CommGroup>> make_group(MPI_Comm parent) {
  const auto flag = finalize_flag();
  if (!flag.ok()) return flag.status();
  OwnComm own;
  Status status = make_own_comm(parent, &own.handle);
  if (!status.ok()) return status;
  int rank = 0;
  PMPI_Comm_rank(own.handle, &rank);
  auto topology = find_topology(own.handle);
  if (!topology.ok()) return topology.status();
  const int tags = highest_tag(own.handle);
  int number = rank == 0 ? next_group_number() : 0;
  status = tell_from_rank_0(own.handle, std::span(&number, 1));
  if (!status.ok()) return status;
  auto group = std::make_shared<CommGroup>(own.release(), std::move(topology).value(), tags, flag.value(), number);
  known_groups().add(group);
  return group;
}

}  // namespace

CommGroup::CommGroup(MPI_Comm own, Topology topology, int highest_tag,
                     std::shared_ptr<const FinalizeFlag> finalize_flag, int number)
    : own_(own),
      topology_(std::move(topology)),
      highest_tag_(highest_tag),
      finalize_flag_(std::move(finalize_flag)),
      number_(number) {
  PMPI_Comm_rank(own_, &rank_);
  patience_ = sys::patience_for(static_cast<int>(topology_.ranks_beside(rank_).size()));
}

// What is freed after MPI_Finalize is a session's.
CommGroup::~CommGroup() {
  int finalized = 0;
  if (finalize_flag_->raised()) PMPI_Finalized(&finalized);
  if (!finalize_flag_->raised() || (finalized != 0 && HostLife::get().sessions_alive())) PMPI_Comm_free(&own_);
}

int CommGroup::next_tag() {
  int tag = next_tag_.load();
  while (!next_tag_.compare_exchange_weak(tag, tag == highest_tag_ ? kNoMessageTag + 1 : tag + 1)) {
  }
  return tag;
}

// A sum to which the others add nothing. A broadcast would let some ranks go on while others still wait for one that
// does not come: nobody could say then who that is.
Status tell_from_rank_0(MPI_Comm parent, std::span<int> words, sys::Company* company) {
  const ErrorsReturned errors_returned(parent);
  int rank = 0;
  PMPI_Comm_rank(parent, &rank);
  if (rank != 0) std::fill(words.begin(), words.end(), 0);
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      PMPI_Iallreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_INT, MPI_SUM, parent, &request);
  return error == MPI_SUCCESS ? finish(request, "MPI_Iallreduce", company) : status_of_mpi(error, "MPI_Iallreduce");
}

Result<std::shared_ptr<CommGroup>> group_of(MPI_Comm parent, sys::Company* company) {
  std::shared_ptr<CommGroup> known = group_attribute().get(parent);
  if (known != nullptr) return known;
  const ErrorsReturned errors_returned(parent);
  Result<std::shared_ptr<CommGroup>> made = find_group(parent, company);
  if (made.ok() && made.value() == nullptr) made = make_group(parent);
  if (!made.ok()) return made.status();
  Status status = group_attribute().set(parent, made.value());
  if (!status.ok()) return status;
  return made;
}

}  // namespace weir::comm

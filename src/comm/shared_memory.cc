#include "comm/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "base/guarded.h"
#include "comm/agree.h"
#include "sys/memory_limit.h"
#include "sys/unique_fd.h"

namespace weir::comm {

namespace {

using Mark = std::array<std::byte, 16>;

constexpr int kSeals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
constexpr const char* kBlockName = "weir-node-block";
constexpr const char* kSegmentName = "a System V segment";

enum class Kind : std::int64_t {
  kNone,     // there is no block, the first rank failed
  kFile,     // a memfd
  kSegment,  // of System V
};

// What a node's first rank tells the others of its node.
struct Invitation {
  std::int64_t process = 0;
  std::int64_t number = -1;  // of the descriptor, or of the segment
  std::int64_t file_bytes = 0;
  Mark mark = {};
  Kind kind = Kind::kNone;
};
static_assert(std::is_trivially_copyable_v<Invitation>);

// One rank's way to its node's block; what is held here goes away with it.
struct Block {
  sys::UniqueFd file;
  std::span<std::byte> mapping;
};

std::int64_t file_bytes_for(std::size_t block_bytes) {
  constexpr std::size_t kMarkAlignment = 64;
  return static_cast<std::int64_t>(round_up(block_bytes, kMarkAlignment) + sizeof(Mark));
}

std::span<std::byte> mark_of(std::span<std::byte> mapping) { return mapping.last(sizeof(Mark)); }

Status failed(std::string_view what, std::string_view path) { return Status::from_errno(errno, what, path); }

Status map_block(Block& block, std::int64_t file_bytes) {
  const auto bytes = static_cast<std::size_t>(file_bytes);
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, block.file.get(), 0);
  if (address == MAP_FAILED) return failed("cannot map node memory", kBlockName);
  block.mapping = {static_cast<std::byte*>(address), bytes};
  return {};
}

// Never asks for more than the node, or the control group, has: the kernel would promise it, and end some process when
// it is touched. For the same reason nothing is allocated ahead.
Status check_fits_node(std::int64_t file_bytes) {
  return sys::check_fits(file_bytes, sysconf(_SC_PAGESIZE) * sysconf(_SC_PHYS_PAGES), sys::group_memory_limit());
}

// A limit on the size of files holds for memfds too: making a larger one would send SIGXFSZ to the program.
bool exceeds_file_limit(std::int64_t file_bytes) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return static_cast<rlim_t>(file_bytes) > limit.rlim_cur;
}

Status attach_segment(Block& block, int segment, std::int64_t file_bytes) {
  void* address = shmat(segment, nullptr, 0);
  if (address == reinterpret_cast<void*>(-1)) return failed("cannot map node memory", kSegmentName);
  block.mapping = {static_cast<std::byte*>(address), static_cast<std::size_t>(file_bytes)};
  return {};
}

// Marked for removal at once: it lives as long as some process has it mapped, and others can still attach by its
// number.
Status make_segment(std::int64_t file_bytes, Block& block, Invitation& invitation) {
  const int segment = shmget(IPC_PRIVATE, static_cast<std::size_t>(file_bytes),
                             IPC_CREAT | IPC_EXCL | SHM_NORESERVE | S_IRUSR | S_IWUSR);
  if (segment < 0) return failed("cannot create node memory", kSegmentName);
  Status status = attach_segment(block, segment, file_bytes);
  if (shmctl(segment, IPC_RMID, nullptr) != 0) {
    status = std::move(status).or_else(failed("cannot hide node memory", kSegmentName));
  }
  if (status.ok()) invitation = {getpid(), segment, file_bytes, {}, Kind::kSegment};
  return status;
}

Status make_file(std::int64_t file_bytes, Block& block, Invitation& invitation) {
  block.file = sys::UniqueFd(memfd_create(kBlockName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!block.file.open()) return failed("cannot create node memory", kBlockName);
  if (fchmod(block.file.get(), S_IRUSR | S_IWUSR) != 0) return failed("cannot protect node memory", kBlockName);
  if (ftruncate(block.file.get(), file_bytes) != 0) return failed("cannot size node memory", kBlockName);
  if (fcntl(block.file.get(), F_ADD_SEALS, kSeals) != 0) return failed("cannot seal node memory", kBlockName);
  Status status = map_block(block, file_bytes);
  if (status.ok()) invitation = {getpid(), block.file.get(), file_bytes, {}, Kind::kFile};
  return status;
}

Status make_block(std::int64_t file_bytes, Block& block, Invitation& invitation) {
  Status status = check_fits_node(file_bytes);
  if (!status.ok()) return status;
  Mark mark;
  if (getrandom(mark.data(), mark.size(), 0) != static_cast<ssize_t>(mark.size())) {
    return failed("cannot get random bytes for node memory", kBlockName);
  }
  status = exceeds_file_limit(file_bytes) ? make_segment(file_bytes, block, invitation)
                                          : make_file(file_bytes, block, invitation);
  if (!status.ok()) return status;
  std::ranges::copy(mark, mark_of(block.mapping).begin());
  invitation.mark = mark;
  return {};
}

Status mistrust(const std::string& path, std::string_view why) {
  return {ErrorClass::kOther, fmt::format("node memory at {} is not the one announced: {}", path, why)};
}

// The process number may mean another process here (containers): nothing is opened that is not a memfd of our name,
// and nothing is believed before it was checked.
Status open_announced(const Invitation& invitation, sys::UniqueFd& file) {
  const std::string path = fmt::format("/proc/{}/fd/{}", invitation.process, invitation.number);
  const std::string expected = fmt::format("/memfd:{} (deleted)", kBlockName);
  std::array<char, 128> target = {};
  const ssize_t target_bytes = readlink(path.c_str(), target.data(), target.size());
  if (target_bytes < 0) return failed("cannot find node memory", path);
  if (std::string_view(target.data(), static_cast<std::size_t>(target_bytes)) != expected) {
    return mistrust(path, "its name differs");
  }
  file = sys::UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.open()) return failed("cannot open node memory", path);
  struct stat properties = {};
  if (fstat(file.get(), &properties) != 0) return failed("cannot inspect node memory", path);
  if (!S_ISREG(properties.st_mode)) return mistrust(path, "it is no regular file");
  if (properties.st_uid != geteuid()) return mistrust(path, "it belongs to another user");
  if (properties.st_size != invitation.file_bytes) return mistrust(path, "its size differs");
  if (fcntl(file.get(), F_GET_SEALS) != kSeals) return mistrust(path, "its seals differ");
  return {};
}

Status join_segment(const Invitation& invitation, Block& block) {
  const std::string name = fmt::format("segment {}", invitation.number);
  const int segment = static_cast<int>(invitation.number);
  shmid_ds properties = {};
  if (shmctl(segment, IPC_STAT, &properties) != 0) return failed("cannot find node memory", name);
  if (properties.shm_perm.uid != geteuid()) return mistrust(name, "it belongs to another user");
  if (properties.shm_cpid != invitation.process) return mistrust(name, "another process made it");
  if (properties.shm_segsz != static_cast<std::size_t>(invitation.file_bytes))
    return mistrust(name, "its size differs");
  return attach_segment(block, segment, invitation.file_bytes);
}

Status join_file(const Invitation& invitation, Block& block) {
  Status status = open_announced(invitation, block.file);
  return status.ok() ? map_block(block, invitation.file_bytes) : status;
}

Status join_block(const Invitation& invitation, std::int64_t file_bytes, Block& block) {
  if (invitation.kind != Kind::kFile && invitation.kind != Kind::kSegment) {
    return {ErrorClass::kOther, "the first rank of this node could not create node memory"};
  }
  if (invitation.file_bytes != file_bytes) {
    return {ErrorClass::kInternal,
            fmt::format("ranks of one node ask for node memory of {} and {} bytes", invitation.file_bytes, file_bytes)};
  }
  Status status = invitation.kind == Kind::kSegment ? join_segment(invitation, block) : join_file(invitation, block);
  if (!status.ok()) return status;
  if (!std::ranges::equal(mark_of(block.mapping), invitation.mark)) return mistrust(kBlockName, "its mark differs");
  return {};
}

Status invite(Comm& comm, std::span<const int> node_ranks, const Invitation& invitation) {
  std::vector<Ticket> tickets;
  for (const int rank : node_ranks) {
    if (rank != comm.rank()) tickets.push_back(comm.send(rank, std::as_bytes(std::span(&invitation, 1))));
  }
  return comm.wait(tickets);
}

// Every rank keeps its appointments here, whatever failed before.
Status make_or_join(Comm& comm, std::int64_t file_bytes, Block& block) {
  const std::vector<int> node_ranks = comm.topology().ranks_beside(comm.rank());
  Invitation invitation;
  if (comm.rank() == node_ranks.front()) {
    Status made = guarded([&] { return make_block(file_bytes, block, invitation); });
    Status sent = invite(comm, node_ranks, invitation);
    return std::move(made).or_else(std::move(sent));
  }
  const std::array tickets = {comm.receive(node_ranks.front(), std::as_writable_bytes(std::span(&invitation, 1)))};
  Status received = comm.wait(tickets);
  return received.ok() ? join_block(invitation, file_bytes, block) : received;
}

}  // namespace

Result<SharedMemory> SharedMemory::create(Comm& comm, std::size_t block_bytes) {
  Block block;
  Status mine = make_or_join(comm, file_bytes_for(block_bytes), block);
  // Owned from here on, so that it is unmapped when the others could not follow. The file stays open on the first
  // rank until all have agreed: until then they may be opening it.
  SharedMemory memory(block.mapping, block_bytes);
  Status agreed = agree(comm, mine);
  if (!agreed.ok()) return agreed;
  return memory;
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(block_bytes_, other.block_bytes_);
  return *this;
}

// As if they were read: pages that others have are mapped many at a time then, and may be written.
void SharedMemory::expect_use(std::span<std::byte> bytes) {
#ifdef MADV_POPULATE_READ
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);  // what it cannot do, faults will
#else
  static_cast<void>(bytes);
#endif
}

SharedMemory::~SharedMemory() {
  if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
}

}  // namespace weir::comm

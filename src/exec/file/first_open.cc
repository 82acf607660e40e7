#include "exec/file/first_open.h"

#include <chrono>

#include "comm/agree.h"
#include "comm/collectives.h"
#include "driver/deferred_file.h"
#include "exec/file/storage_hints.h"
#include "sys/waiting.h"

namespace weir::exec {

namespace {

// A file system that several nodes share may show a new file to the others a little later.
constexpr int kOpenRetries = 40;
constexpr auto kOpenRetryPause = std::chrono::milliseconds(50);

// What rank 0 tells the others.
struct FirstOpen {
  std::int64_t failed = 0;
  std::int64_t defer = 0;
  std::int64_t network = 0;
  std::int64_t made = 0;
  std::uint64_t identity = 0;
  driver::Capabilities capabilities;
};

// What all ranks open with.
driver::OpenMode open_mode(const OpenArguments& arguments, const comm::Comm& comm) {
  driver::OpenMode mode = open_mode_of(arguments.mode);
  wish_storage(arguments, comm, mode);
  mode.io = arguments.hints.choice<IoWay>(hints::Id::kWeirIo);
  if (arguments.hints.has(hints::Id::kFilePerm)) {
    mode.permissions = static_cast<unsigned>(arguments.hints.integer(hints::Id::kFilePerm));
  }
  return mode;
}

// Whether ranks had better not open the file all at once.
bool defers(const hints::HintSet& hints, const driver::File& file) {
  if (hints.has(hints::Id::kRomioNoIndepRw)) return hints.boolean(hints::Id::kRomioNoIndepRw);
  return file.storage().network;
}

// The file that rank 0 has opened, for the others.
struct Sought {
  driver::FileDriver& driver;
  std::string path;
  driver::OpenMode mode;
  std::uint64_t identity = 0;  // 0: whatever has its name, as where each node has files of its own
  int retries = 0;
};

// A node that remembers names for a while may find a file that was removed before this one was made.
bool is_another(const driver::File& file, std::uint64_t identity) {
  return identity != 0 && file.identity() != identity;
}

Result<std::unique_ptr<driver::File>> open_existing(const Sought& sought) {
  driver::OpenMode mode = sought.mode;
  mode.create = mode.exclusive = false;
  for (int retry = 0;; ++retry) {
    auto file = sought.driver.open(sought.path, mode, nullptr);
    const bool again =
        file.ok() ? is_another(*file.value(), sought.identity) : file.status().error_class() == ErrorClass::kNoSuchFile;
    if (!again || retry == sought.retries) return file;
    sys::sleep_for(kOpenRetryPause);
  }
}

bool is_first_of_node(const comm::Comm& comm) {
  return comm.topology().ranks_beside(comm.rank()).front() == comm.rank();
}

}  // namespace

Result<std::unique_ptr<driver::File>> open_by_all(comm::Comm& comm, driver::FileDriver& driver,
                                                  const OpenArguments& arguments, Made& made) {
  Result<std::unique_ptr<driver::File>> file = Status(ErrorClass::kInternal, "not opened yet");
  const driver::OpenMode mode = open_mode(arguments, comm);
  FirstOpen first;
  if (comm.rank() == 0) {
    file = driver.open(arguments.path, mode, &made.here);
    first.made = made.here ? 1 : 0;
    first.failed = file.ok() ? 0 : 1;
    if (file.ok()) {
      first.defer = defers(arguments.hints, *file.value()) ? 1 : 0;
      first.network = file.value()->storage().network ? 1 : 0;
      first.identity = file.value()->identity();
      first.capabilities = file.value()->capabilities();
    }
  }
  Status told = comm::broadcast_value(comm, 0, first);
  if (!told.ok()) return told;
  made.now = first.made != 0;
  if (first.failed != 0) return comm::share_failure(comm, 0, file.status());
  if (comm.rank() == 0) return file;
  const Sought sought{driver, arguments.path, mode, first.network != 0 ? first.identity : 0,
                      comm.topology().node_count() > 1 ? kOpenRetries : 0};
  if (first.defer == 0 || is_first_of_node(comm)) return open_existing(sought);
  driver::DeferredFile::Known known{arguments.path, first.identity, first.capabilities};
  Sought later = sought;
  later.path = driver.lasting_name(arguments.path);
  return std::unique_ptr<driver::File>(
      std::make_unique<driver::DeferredFile>(std::move(known), [later] { return open_existing(later); }));
}

}  // namespace weir::exec

// Opening, closing and deleting files; their size, mode, group and hints.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include "comm/mpi/progress_hook.h"
#include "driver/systems/registry.h"
#include "mpi/entry.h"
#include "mpi/info.h"
#include "mpi/library.h"
#include "mpi/open_watch.h"
#include "mpi/raise.h"
#include "trace/deliver.h"

namespace {

using weir::ErrorClass;
using weir::Result;
using weir::Status;
using weir::mpi::Library;
using weir::mpi::MpiFile;
using weir::mpi::on_file;
using weir::mpi::raise;

weir::exec::AccessMode mode_of(int amode) {
  weir::exec::AccessMode mode;
  auto take = [&amode](int bit) {
    bool set = (amode & bit) != 0;
    amode &= ~bit;
    return set;
  };
  mode.read_only = take(MPI_MODE_RDONLY);
  mode.write_only = take(MPI_MODE_WRONLY);
  mode.read_write = take(MPI_MODE_RDWR);
  mode.create = take(MPI_MODE_CREATE);
  mode.exclusive = take(MPI_MODE_EXCL);
  mode.delete_on_close = take(MPI_MODE_DELETE_ON_CLOSE);
  mode.unique_open = take(MPI_MODE_UNIQUE_OPEN);
  mode.sequential = take(MPI_MODE_SEQUENTIAL);
  mode.append = take(MPI_MODE_APPEND);
  mode.unknown_bits = amode != 0;
  return mode;
}

weir::driver::PrefixedPath path_of(const char* filename) {
  return weir::driver::split_prefix(filename != nullptr ? filename : "");
}

Status check_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {ErrorClass::kCommunicator, "the communicator is MPI_COMM_NULL"};
  int is_inter = 0;
  if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter != 0) {
    return {ErrorClass::kCommunicator, "a file needs an intracommunicator"};
  }
  return {};
}

Status too_many_files() { return {ErrorClass::kIo, "too many files are open in this process"}; }

// Whether a handle can be returned.
Status check_place_for(const MPI_File* fh) {
  if (fh == nullptr) return {ErrorClass::kArgument, "the file handle to be returned is a null pointer"};
  return Library::get().files.full() ? too_many_files() : Status();
}

weir::mpi::OpenWatch::Place place_in(MPI_Comm comm, const std::string& path) {
  weir::mpi::OpenWatch::Place place{path};
  PMPI_Comm_rank(comm, &place.rank);
  PMPI_Comm_size(comm, &place.ranks);
  return place;
}

// COLLECTIVE over `comm`: a file's wiring, as rank 0 chooses it. Its watchdog watches already.
Result<weir::exec::Wiring> wire(MPI_Comm comm, const std::shared_ptr<weir::comm::CommGroup>& group,
                                const std::string& path, weir::sys::Company* company) {
  using weir::exec::EnginePool;
  const std::shared_ptr<EnginePool> engines = group->keepsake().get<EnginePool>();
  std::array<int, 7> words = {};
  if (group->rank() == 0) {
    const EnginePool::Choice choice = engines->choose();
    words = {choice.place, choice.make ? 1 : 0};
    std::generate(words.begin() + 2, words.end(), [&] { return group->next_tag(); });
  }
  Status told = weir::comm::tell_from_rank_0(comm, words, company);
  if (!told.ok()) return told;
  weir::exec::Wiring wiring{weir::comm::channel(group, words[2]), weir::comm::line(group, words[3], words[4])};
  if (Library::get().serves_messages()) wiring.agent_line = weir::comm::line(group, words[5], words[6]);
  wiring.use(engines->take({words[0], words[1] != 0}, wiring.collective.get()));
  Library& library = Library::get();
  wiring.watch(path, library.watch_room, library.voice());
  wiring.watchdog->all_have_met();
  return wiring;
}

// LOCAL: the ranks in MPI_COMM_WORLD.
std::vector<int> ranks_in_job(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> in_job(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, in_job.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return in_job;
}

// COLLECTIVE over `comm`. `refused` is what this rank knows to be wrong with its own arguments.
Result<std::shared_ptr<MpiFile>> open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, Status refused) {
  Library& library = Library::get();
  weir::exec::OpenArguments arguments;
  const weir::driver::PrefixedPath path = path_of(filename);
  arguments.path = path.path;
  arguments.prefix = path.prefix;
  const weir::exec::HintSources sources = weir::mpi::hint_sources(info, std::move(refused));
  const weir::exec::WatchSettings watching = weir::mpi::watch_settings(sources);
  weir::mpi::OpenWatch watch(place_in(comm, arguments.path), watching, library.voice());
  auto group = weir::comm::group_of(comm, &watch);
  if (!group.ok()) return group.status();
  weir::comm::use_progress_hook();
  Result<weir::exec::Wiring> wiring = wire(comm, group.value(), arguments.path, &watch);
  if (!wiring.ok()) return wiring.status();
  wiring.value().watchdog->set(watching);
  arguments.mode = mode_of(amode);
  arguments.thread_level = library.thread_level();
  auto settled = weir::exec::settle_hints(*wiring.value().collective, {}, sources, weir::hints::When::kOpen);
  if (!settled.ok()) return settled.status();
  library.tell(settled.value().notices);
  arguments.hints = settled.value().hints;
  arguments.hints_not_followed = settled.value().not_followed;
  arguments.timed = weir::trace::report_wanted(settled.value().report);
  arguments.timeline = library.recording.timeline();
  arguments.recorder = library.recording.recorder();
  if (arguments.recorder != nullptr) {
    arguments.job_ranks = ranks_in_job(comm);
    arguments.given = sources.info;
  }
  arguments.tell = [&library](const std::vector<std::string>& lines) { library.tell(lines); };
  arguments.hints.set(weir::hints::Id::kFilename, arguments.path).ignore();  // a path too long for an info is left out

  auto opened = weir::exec::OpenFile::open(library.driver, std::move(wiring).value(), arguments);
  if (!opened.ok()) return opened.status();
  library.close_files_at_finalize();
  auto file = std::make_shared<MpiFile>(std::move(opened).value(), group.value(), settled.value().report);
  file->amode = amode;
  return file;
}

}  // namespace

WEIR_ENTRY(int, MPI_File_open, MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  return raise(nullptr, weir::mpi::guarded([&]() -> Status {
                 if (fh != nullptr) *fh = MPI_FILE_NULL;
                 Status status = check_communicator(comm);
                 if (!status.ok()) return status;
                 auto file = open(comm, filename, amode, info, check_place_for(fh));
                 if (!file.ok()) return file.status();
                 *fh = Library::get().files.add(file.value());
                 file.value()->set_handle(*fh);
                 return *fh != MPI_FILE_NULL ? Status() : too_many_files();
               }));
}

WEIR_ENTRY(int, MPI_File_close, MPI_File* fh) {
  if (fh == nullptr) return raise(nullptr, Status(ErrorClass::kFile, "the file handle is a null pointer"));
  return on_file(*fh, [&](MpiFile& file) -> Status {
    Status status = file.close();
    Library::get().files.remove(*fh);
    *fh = MPI_FILE_NULL;
    return status;
  });
}

WEIR_ENTRY(int, MPI_File_delete, const char* filename, MPI_Info) {
  return raise(nullptr,
               weir::mpi::guarded([&] { return Library::get().driver.remove(std::string(path_of(filename).path)); }));
}

WEIR_ENTRY(int, MPI_File_set_size, MPI_File fh, MPI_Offset size) {
  return on_file(fh, [&](MpiFile& file) { return file.open_file().set_size(size); });
}

WEIR_ENTRY(int, MPI_File_preallocate, MPI_File fh, MPI_Offset size) {
  return on_file(fh, [&](MpiFile& file) { return file.open_file().preallocate(size); });
}

WEIR_ENTRY(int, MPI_File_get_size, MPI_File fh, MPI_Offset* size) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    Result<std::int64_t> bytes = file.open_file().size();
    if (bytes.ok()) *size = bytes.value();
    return bytes.status();
  });
}

WEIR_ENTRY(int, MPI_File_get_group, MPI_File fh, MPI_Group* group) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    int error = PMPI_Comm_group(file.communicator(), group);
    return error == MPI_SUCCESS ? Status() : weir::comm::status_of_mpi(error, "MPI_Comm_group");
  });
}

WEIR_ENTRY(int, MPI_File_get_amode, MPI_File fh, int* amode) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    *amode = file.amode;
    return {};
  });
}

WEIR_ENTRY(int, MPI_File_set_info, MPI_File fh, MPI_Info info) {
  return on_file(fh, [&](MpiFile& file) { return file.set_info(info); });
}

WEIR_ENTRY(int, MPI_File_get_info, MPI_File fh, MPI_Info* info) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    *info = weir::mpi::info_of(file.open_file().hints().describe());
    return {};
  });
}

WEIR_ENTRY(int, MPI_File_set_atomicity, MPI_File fh, int flag) {
  return on_file(fh, [&](MpiFile& file) { return file.open_file().set_atomic(flag != 0); });
}

WEIR_ENTRY(int, MPI_File_get_atomicity, MPI_File fh, int* flag) {
  return on_file(fh, [&](MpiFile& file) -> Status {
    *flag = file.open_file().atomic() ? 1 : 0;
    return {};
  });
}

WEIR_ENTRY(int, MPI_File_sync, MPI_File fh) {
  return on_file(fh, [&](MpiFile& file) { return file.open_file().sync(); });
}

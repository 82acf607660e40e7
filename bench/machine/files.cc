// File accesses: calls, page cache, request sizes, and two nodes that write in turns.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "machine/findings.h"

namespace machine {

namespace {

constexpr std::size_t kMiB = 1 << 20;
constexpr std::size_t kFileBytes = 32 * kMiB;  // of a node
constexpr int kCalls = 1000;
constexpr int kTurns = 20;
constexpr std::size_t kRequestSizes[] = {4096, 65536, kMiB, 4 * kMiB};

// A file that all ranks have open, and that is gone with the last of them. Writes that fail are not counted: the times
// of a full disk would be wrong, so the job ends.
class SharedFile {
 public:
  // COLLECTIVE.
  SharedFile(const Place& place, const std::string& directory) {
    const std::string path = directory + "/.weir-machine";
    if (place.rank == 0) fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    end_where(place.rank == 0 && fd_ < 0, path);
    meet();
    if (place.rank != 0) fd_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    end_where(fd_ < 0, path);
    meet();
    if (place.rank == 0) unlink(path.c_str());
  }
  ~SharedFile() { close(fd_); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  void write(const std::vector<char>& data, std::size_t bytes, std::size_t offset) const {
    end_where(pwrite(fd_, data.data(), bytes, static_cast<off_t>(offset)) != static_cast<ssize_t>(bytes), "write");
  }
  void read(std::vector<char>& data, std::size_t bytes, std::size_t offset) const {
    end_where(pread(fd_, data.data(), bytes, static_cast<off_t>(offset)) != static_cast<ssize_t>(bytes), "read");
  }
  void sync() const { end_where(fsync(fd_) != 0, "fsync"); }
  void forget() const { posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); }

 private:
  static void end_where(bool failed, const std::string& what) {
    if (!failed) return;
    std::fprintf(stderr, "machine: %s: %s\n", what.c_str(), std::strerror(errno));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int fd_ = -1;
};

struct FileJob {
  const Place& place;
  const SharedFile& file;
  bool behind_network;
  std::vector<char> data = std::vector<char>(4 * kMiB, 'w');
};

// LOCAL, on rank 0.
void measure_calls(const FileJob& job) {
  const double calls = least_time([&] {
    for (int i = 0; i < kCalls; ++i) job.file.write(job.data, 1, 0);
  });
  found("storage.call_us", calls / kCalls, "measured: writing the same byte");
}

// Bytes a microsecond with which this rank writes its part, until servers have it where `sync` asks for that.
double write_rate(const FileJob& job, std::size_t part, std::size_t request, bool sync) {
  const std::size_t bytes = std::min(kFileBytes, 1024 * request);
  const double took = least_time([&] {
    for (std::size_t at = 0; at < bytes; at += request) job.file.write(job.data, request, part * kFileBytes + at);
    if (sync) job.file.sync();
  });
  return static_cast<double>(bytes) / took;
}

// LOCAL, on rank 0. The bandwidth of each size is told for people.
void measure_sizes(const FileJob& job) {
  double most = 0;
  if (job.behind_network)
    found("storage.cache_mb_s", write_rate(job, 0, kMiB, false), "measured: requests of 1 MiB, not waited for");
  for (const std::size_t request : kRequestSizes) {
    const double rate = write_rate(job, 0, request, job.behind_network);
    std::printf("# requests of %zu bytes: %.0f MB/s written\n", request, rate);
    most = std::max(most, rate);
  }
  found("storage.client_mb_s", most, "measured: one rank, the best of requests from 4 KiB to 4 MiB");
}

// COLLECTIVE. Every rank moves data that are in no cache near it, all at once, as collective calls do: writers of a
// local file take turns, readers do not. One number for both: what writing and reading the same bytes takes.
void measure_cache(const FileJob& job) {
  std::vector<char> data(kFileBytes, 'd');
  const std::size_t begin = static_cast<std::size_t>(job.place.rank) * kFileBytes;
  const auto rate = [&](auto move) {
    const double all = static_cast<double>(kFileBytes) * job.place.ranks_of_node;
    return all / usual_time_together([&] { move(job.file, data, begin); });
  };
  const double written =
      rate([](const SharedFile& file, std::vector<char>& from, std::size_t at) { file.write(from, kFileBytes, at); });
  const double read =
      rate([](const SharedFile& file, std::vector<char>& to, std::size_t at) { file.read(to, kFileBytes, at); });
  if (job.place.rank != 0) return;
  const auto cores = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  const double of_core = read / std::min<double>(cores, job.place.ranks_of_node);
  std::printf("# all ranks at once: %.0f MB/s written, %.0f MB/s read\n", written, read);
  found("storage.cache_mb_s", 2 / (1 / written + 1 / of_core),
        "measured: all ranks at once; writers take turns, each core reads; the mean of both");
}

// COLLECTIVE: one rank of each node writes.
void measure_servers(const FileJob& job) {
  meet();
  double mine = 0;
  if (job.place.node_rank == 0) {
    mine = write_rate(job, static_cast<std::size_t>(job.place.rank), 4 * kMiB, job.behind_network);
  }
  double all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (job.place.rank != 0) return;
  found("storage.server_mb_s", all, "measured: one rank of each node, all servers together");
}

// LOCAL, on rank 0: short reads of what is not in this node's memory any more, far from each other.
void measure_latency(FileJob& job) {
  if (!job.behind_network) {
    not_found("storage.latency_us", "the file system is local");
    return;
  }
  job.file.sync();
  const double took = least_time([&] {
    job.file.forget();
    for (std::size_t at = 0; at < kFileBytes; at += kMiB) job.file.read(job.data, 4096, at);
  });
  found("storage.latency_us", took / (static_cast<double>(kFileBytes) / kMiB),
        "measured: reads of 4 KiB that are far from each other; what it takes of the server is in it");
}

// COLLECTIVE: rank 0 and its partner write to the same block in turns; what that takes more than a turn without the
// other's write.
void measure_conflicts(const FileJob& job) {
  const Place& place = job.place;
  if (place.nodes < 2 || !job.behind_network) {
    if (place.rank == 0) {
      not_found("locks.revoke_us", place.nodes < 2 ? "all ranks are on one node" : "the file system is local");
    }
    return;
  }
  const bool first = place.rank == 0;
  const int other = first ? place.partner : 0;
  const auto turns = [&](bool both) {
    return least_time([&] {
      for (int i = 0; i < kTurns; ++i) {
        char word = 0;
        if (!first) MPI_Recv(&word, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first || both) job.file.write(job.data, 512, first ? 0 : 1024);
        MPI_Send(&word, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
        if (first) MPI_Recv(&word, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    });
  };
  if (!first && place.rank != place.partner) return;
  const double alone = turns(false);
  const double both = turns(true);
  if (first) {
    found("locks.revoke_us", std::max(both - alone, 0.0) / (2 * kTurns),
          "measured: two nodes write to one block in turns; dirty data and the write itself are in it");
  }
}

}  // namespace

void measure_files(const Place& place, const FilePlace& where) {
  const SharedFile file(place, where.directory);
  FileJob job{place, file, where.behind_network};
  if (place.rank == 0) {
    measure_calls(job);
    measure_sizes(job);
    measure_latency(job);
    not_found("storage.request_us", "it is part of storage.latency_us");
    not_found("storage.seek_us", "it cannot be told from other costs by a client");
    not_found("locks.grant_us", "it cannot be told from other costs by a client");
    not_found("storage.read_ahead_bytes", "file systems do not tell it");
    not_found("storage.dirty_bytes", "file systems do not tell it");
  }
  if (!job.behind_network) measure_cache(job);
  measure_servers(job);
  meet();
  measure_conflicts(job);
  meet();
}

}  // namespace machine

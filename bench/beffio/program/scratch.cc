#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "agree.h"

namespace beffio {
namespace {

// What a signal handler can reach. Written before the handlers that read it are installed.
struct LastWords {
  std::array<char, 4096> directory;
  std::array<char, 1024> text;
};
LastWords last_words;

constexpr int kFailed = 3;

template <std::size_t kSize>
void keep(const std::string& text, std::array<char, kSize>& place) {
  const std::size_t length = std::min(text.size(), kSize - 1);
  std::memcpy(place.data(), text.data(), length);
  place[length] = '\0';
}

bool is_dot(const char* name) { return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0; }

// Removes the files of one block of directory entries; true if there were any to remove.
bool remove_entries(int directory, const char* block, long bytes, const char* prefix) {
  bool removed = false;
  for (long at = 0; at < bytes;) {
    const auto* entry = reinterpret_cast<const dirent64*>(block + at);
    at += entry->d_reclen;
    if (is_dot(entry->d_name) || std::strncmp(entry->d_name, prefix, std::strlen(prefix)) != 0) continue;
    removed = ::unlinkat(directory, entry->d_name, 0) == 0 || removed;
  }
  return removed;
}

// Safe in a signal handler: system calls only, no memory is allocated. Starts over after removing, because a directory
// may change under the reader.
void remove_files_in(const char* path, const char* prefix) {
  const int directory = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  alignas(dirent64) std::array<char, 4096> block;
  bool removed = true;
  while (removed) {
    removed = false;
    ::lseek(directory, 0, SEEK_SET);
    for (long bytes = 0; (bytes = ::syscall(SYS_getdents64, directory, block.data(), block.size())) > 0;) {
      removed = remove_entries(directory, block.data(), bytes, prefix) || removed;
    }
  }
  ::close(directory);
}

void remove_directory(const char* path) {
  remove_files_in(path, "");
  ::rmdir(path);
}

extern "C" void on_end(int signal) {
  remove_directory(last_words.directory.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

extern "C" void on_alarm(int) {
  const ssize_t written = ::write(STDERR_FILENO, last_words.text.data(), std::strlen(last_words.text.data()));
  remove_directory(last_words.directory.data());
  ::_exit(written < 0 ? kFailed + 1 : kFailed);
}

}  // namespace

weir::Result<Scratch> Scratch::make(const std::string& parent, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  weir::Status status;
  std::string path = parent + "/b_eff_io.XXXXXX";
  if (rank == 0 && ::mkdtemp(path.data()) == nullptr) {
    status = weir::Status::from_errno(errno, "making a directory in", parent);
  }
  status = agree(status, comm);
  if (!status.ok()) return status;
  path = text_of_rank_0(std::move(path), comm);
  keep(path, last_words.directory);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::signal(signal, on_end);
  return Scratch(std::move(path));
}

void Scratch::give_up_after(unsigned seconds, const std::string& text) {
  keep(fmt::format("b_eff_io: {}\n", text), last_words.text);
  std::signal(SIGALRM, on_alarm);
  ::alarm(seconds);
}

void Scratch::remove() const { remove_directory(path_.c_str()); }

void Scratch::remove_files(const std::string& prefix) const { remove_files_in(path_.c_str(), prefix.c_str()); }

}  // namespace beffio

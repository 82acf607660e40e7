#include "workloads/program/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "workloads/program/job.h"

namespace bench {
namespace {

[[noreturn]] void fail(std::string_view what, const std::string& path) {
  throw JobFailure(std::string(what) + " " + path + ": " + std::strerror(errno));
}

}  // namespace

RawFile::RawFile(std::string path, int flags)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail((flags & O_CREAT) != 0 ? "making" : "opening", path_);
}

RawFile::~RawFile() { ::close(descriptor_); }

std::int64_t RawFile::bytes() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("looking at", path_);
  return status.st_size;
}

void RawFile::move(Direction direction, std::int64_t position, std::span<std::byte> bytes) const {
  const bool write = direction == Direction::kWrite;
  while (!bytes.empty()) {
    const ssize_t moved = write ? ::pwrite(descriptor_, bytes.data(), bytes.size(), position)
                                : ::pread(descriptor_, bytes.data(), bytes.size(), position);
    if (moved < 0 && errno == EINTR) continue;
    if (moved == 0) throw JobFailure(path_ + " ends at " + std::to_string(position));
    if (moved < 0) fail(write ? "writing" : "reading", path_);
    position += moved;
    bytes = bytes.subspan(static_cast<std::size_t>(moved));
  }
}

}  // namespace bench

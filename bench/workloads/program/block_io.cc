#include "workloads/program/block_io.h"

#include <fcntl.h>

#include <utility>

#include "workloads/program/job.h"
#include "workloads/program/raw_file.h"

namespace bench {
namespace {

std::int64_t begin_of(const Share& share) { return share.accesses.front().displacement; }

Memory memory_of(const Share& share) { return Memory::placed_apart(memory_bytes(share), begin_of(share)); }

}  // namespace

BlockIo::BlockIo(FileUse use, std::int64_t bytes, const Meeting& meeting)
    : Subject(std::move(use), even_share(bytes, all_ranks(), own_rank()), memory_of, meeting) {}

void BlockIo::prepare(std::uint32_t salt) {
  Subject::prepare(salt);
  if (use().direction == Direction::kWrite && own_rank() == 0) RawFile(use().path, O_WRONLY | O_CREAT);
  meeting().wait();
}

Stopwatch BlockIo::run() {
  Stopwatch spent;
  const Stretch whole(meeting());
  {
    const RawFile file(use().path, use().direction == Direction::kWrite ? O_RDWR : O_RDONLY);
    const Stretch calls(meeting());
    file.move(use().direction, begin_of(share()), memory());
    spent.calls = calls.end();
  }
  spent.whole = whole.end();
  return spent;
}

}  // namespace bench

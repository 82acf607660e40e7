#include "workloads/program/subject.h"

#include <unistd.h>

#include <utility>

#include "workloads/program/job.h"

namespace bench {

Subject::Subject(FileUse use, Share share, Memory (*memory_for)(const Share&), const Meeting& meeting)
    : use_(std::move(use)), share_(std::move(share)), memory_(memory_for(share_)), meeting_(meeting) {
  remove_file();
}

FilePart Subject::part_of(int rank) const {
  return {.path = use_.path, .file_bytes = share_.file_bytes, .part = rank % all_ranks(), .parts = all_ranks()};
}

FilePart Subject::looked_at() const { return part_of(own_rank() + 1); }

void Subject::set_coverage(Coverage coverage) { coverage_ = std::move(coverage); }

// The file is made by one rank: when the job is ended, no other makes it again.
void Subject::write_file(std::uint32_t salt) const {
  if (own_rank() == 0) make_file(use_.path);
  meeting_.wait();
  write_part(part_of(own_rank()), salt);
  meeting_.wait();
}

void Subject::prepare(std::uint32_t salt) {
  if (use_.direction == Direction::kWrite) {
    fill_memory(share_, salt, memory());
    return;
  }
  clear_memory(memory());
  write_file(salt);
}

bool Subject::is_right(std::uint32_t salt) {
  if (use_.direction == Direction::kRead) return on_all_ranks(memory_is_right(share_, salt, memory()));
  return on_all_ranks(part_is_right(looked_at(), salt, coverage_));
}

void Subject::remove_file() const {
  meeting_.wait();
  if (own_rank() == 0) ::unlink(use_.path.c_str());
  meeting_.wait();
}

}  // namespace bench

// One file, the memory of this rank, and what is done with both: what is timed.
#pragma once

#include <cstdint>
#include <string>

#include "workloads/memory.h"
#include "workloads/program/meeting.h"
#include "workloads/program/options.h"
#include "workloads/program/values.h"
#include "workloads/share.h"

namespace bench {

struct FileUse {
  std::string path;
  Direction direction = Direction::kWrite;
};

// Seconds that one repeat took.
struct Stopwatch {
  double calls = 0;  // only the calls that move data
  double whole = 0;  // from open to close
};

class Subject {
 public:
  virtual ~Subject() = default;

  // COLLECTIVE. Gives memory (to be written) or the file (to be read) the values of `salt`; memory to be read into is
  // cleared.
  virtual void prepare(std::uint32_t salt);

  // COLLECTIVE. One repeat.
  virtual Stopwatch run() = 0;

  // COLLECTIVE. True on all ranks if the file (written) or memory (read) has the values of `salt` on all ranks.
  bool is_right(std::uint32_t salt);

  // COLLECTIVE. Removes the file, if there is one.
  void remove_file() const;

 protected:
  // COLLECTIVE. Removes an old file. Keeps the reference.
  Subject(FileUse use, Share share, Memory (*memory_for)(const Share&), const Meeting& meeting);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const FileUse& use() const { return use_; }
  const Share& share() const { return share_; }
  const Meeting& meeting() const { return meeting_; }
  std::span<std::byte> memory() { return memory_.bytes(); }

  // The part of the file that this rank looks at when it was written: where that can be told, what another rank wrote.
  FilePart looked_at() const;

  // Bytes of that part that no rank writes have to stay as they are.
  void set_coverage(Coverage coverage);

  // COLLECTIVE. Gives the whole file the values of `salt`.
  void write_file(std::uint32_t salt) const;

 private:
  FilePart part_of(int rank) const;

  FileUse use_;
  Share share_;
  Memory memory_;
  const Meeting& meeting_;
  Coverage coverage_;
};

}  // namespace bench

#include "replay/expected.h"

#include <algorithm>
#include <map>
#include <utility>

#include "capture/walk.h"
#include "layout/cursor.h"

namespace bench {
namespace {

using weir::Extent;
using weir::capture::Capture;
using weir::capture::OpKind;
using weir::capture::Seen;

bool changes_size(const Seen& seen) { return seen.op.kind == OpKind::kSetSize || seen.op.kind == OpKind::kPreallocate; }

bool writes(const Seen& seen) {
  return seen.op.kind == OpKind::kAccess && seen.op.direction == weir::Direction::kWrite;
}

// Writes lie between changes of the size, which all ranks of the file make together: an age each. Within an age the
// order of writes does not count, since all of them give a byte the same value.
class Ages {
 public:
  Ages(const Capture& capture, const ReplayedFiles& files, std::size_t file) {
    for (int rank = 0; rank < capture.ranks; ++rank) {
      std::size_t age = 0;
      weir::capture::walk(capture, rank, [&](const Seen& seen) {
        if (files.of(rank, seen.op) != file) return;
        grow(age);
        if (writes(seen)) ages_[age].writes.push_back(seen.wanted());
        if (changes_size(seen)) ages_[age++].change = {seen.op.kind, seen.place};
      });
    }
  }

  struct Change {
    OpKind kind = OpKind::kClose;  // none
    std::int64_t bytes = 0;
  };
  struct Age {
    std::vector<weir::layout::Layout> writes;
    Change change;  // at its end
  };
  const std::vector<Age>& all() const { return ages_; }

 private:
  void grow(std::size_t age) {
    if (age >= ages_.size()) ages_.resize(age + 1);
  }

  std::vector<Age> ages_;
};

void follow_size(ReplayedFile& file, const Ages& ages) {
  file.end_bytes = file.begin_bytes;
  for (const Ages::Age& age : ages.all()) {
    for (const auto& wanted : age.writes) {
      if (!wanted.empty()) file.end_bytes = std::max(file.end_bytes, wanted.span().end);
    }
    if (age.change.kind == OpKind::kSetSize) {
      file.shrinks = file.shrinks || age.change.bytes < file.end_bytes;
      file.end_bytes = age.change.bytes;
    }
    if (age.change.kind == OpKind::kPreallocate) file.end_bytes = std::max(file.end_bytes, age.change.bytes);
  }
}

void mark(const weir::layout::Layout& wanted, Extent part, std::vector<Content>& content) {
  weir::layout::Cursor cursor(wanted);
  for (auto piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
    const std::int64_t begin = std::max(piece.offset, part.begin) - part.begin;
    const std::int64_t end = std::min(piece.offset + piece.length, part.end) - part.begin;
    if (begin < end) std::fill(content.begin() + begin, content.begin() + end, Content::kWritten);
  }
}

// How often a path has been made anew, at each open of it by a group of ranks; the first of them has looked at sizes.
class Generations {
 public:
  explicit Generations(const Capture& capture) {
    for (int rank = 0; rank < capture.ranks; ++rank) {
      std::map<std::string, int> of_path;
      weir::capture::walk(capture, rank, [&](const Seen& seen) {
        if (seen.op.kind != OpKind::kOpen) return;
        if (capture.groups[static_cast<std::size_t>(seen.open.ranks)].front() != rank) return;
        const auto [known, is_new] = of_path.try_emplace(seen.open.path, 0);
        if (!is_new && seen.open.size_bytes == 0) ++known->second;
        opens_[{seen.open.path, seen.open.ranks}].push_back(known->second);
      });
    }
  }

  // Of the open of that number by the group.
  int of(const weir::capture::Open& open, std::size_t number) const {
    const auto found = opens_.find({open.path, open.ranks});
    return found != opens_.end() && number < found->second.size() ? found->second[number] : 0;
  }

 private:
  std::map<std::pair<std::string, int>, std::vector<int>> opens_;
};

}  // namespace

ReplayedFiles files_of(const Capture& capture) {
  const Generations generations(capture);
  std::map<std::pair<std::string, int>, std::size_t> numbers;
  ReplayedFiles files;
  for (int rank = 0; rank < capture.ranks; ++rank) {
    std::vector<std::size_t>& mine = files.of_rank.emplace_back();
    std::map<std::pair<std::string, int>, std::size_t> opens;
    weir::capture::walk(capture, rank, [&](const Seen& seen) {
      if (seen.op.kind != OpKind::kOpen) return;
      const int generation = generations.of(seen.open, opens[{seen.open.path, seen.open.ranks}]++);
      const auto [known, is_new] = numbers.try_emplace({seen.open.path, generation}, files.all.size());
      if (is_new) files.all.push_back({.path = seen.open.path});
      ReplayedFile& file = files.all[known->second];
      // One rank has looked at the size.
      const bool first = std::ranges::find(mine, known->second) == mine.end();
      if (first) file.begin_bytes = std::max(file.begin_bytes, seen.open.size_bytes);
      mine.push_back(known->second);
    });
  }
  for (std::size_t file = 0; file < files.all.size(); ++file) follow_size(files.all[file], Ages(capture, files, file));
  return files;
}

std::vector<Content> content_of(const Capture& capture, const ReplayedFiles& files, std::size_t file, Extent part) {
  std::vector<Content> content(static_cast<std::size_t>(part.bytes()), Content::kZero);
  const auto place = [&](std::int64_t offset) {
    return content.begin() + (std::clamp(offset, part.begin, part.end) - part.begin);
  };
  std::fill(content.begin(), place(files.all[file].begin_bytes), Content::kAsBefore);
  const Ages ages(capture, files, file);
  for (const Ages::Age& age : ages.all()) {
    for (const auto& wanted : age.writes) mark(wanted, part, content);
    if (age.change.kind == OpKind::kSetSize) std::fill(place(age.change.bytes), content.end(), Content::kZero);
  }
  return content;
}

}  // namespace bench

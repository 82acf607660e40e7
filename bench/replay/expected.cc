#include "replay/expected.h"

#include <algorithm>
#include <set>

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
  Ages(const Capture& capture, const std::vector<ReplayedFile>& files, std::size_t file) {
    for (int rank = 0; rank < capture.ranks; ++rank) {
      std::size_t age = 0;
      weir::capture::walk(capture, rank, [&](const Seen& seen) {
        if (file_of(files, seen.open) != file) return;
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

}  // namespace

std::size_t file_of(const std::vector<ReplayedFile>& files, const weir::capture::Open& open) {
  const auto found = std::ranges::find(files, open.path, &ReplayedFile::path);
  return static_cast<std::size_t>(found - files.begin());
}

std::vector<ReplayedFile> files_of(const Capture& capture) {
  std::vector<ReplayedFile> files;
  for (int rank = 0; rank < capture.ranks; ++rank) {
    std::set<std::size_t> opened;
    weir::capture::walk(capture, rank, [&](const Seen& seen) {
      if (seen.op.kind != OpKind::kOpen) return;
      const std::size_t file = file_of(files, seen.open);
      if (file == files.size()) files.push_back({.path = seen.open.path});
      // One rank has looked at the size.
      if (opened.insert(file).second) files[file].begin_bytes = std::max(files[file].begin_bytes, seen.open.size_bytes);
    });
  }
  for (std::size_t file = 0; file < files.size(); ++file) follow_size(files[file], Ages(capture, files, file));
  return files;
}

std::vector<Content> content_of(const Capture& capture, const std::vector<ReplayedFile>& files, std::size_t file,
                                Extent part) {
  std::vector<Content> content(static_cast<std::size_t>(part.bytes()), Content::kZero);
  const auto place = [&](std::int64_t offset) {
    return content.begin() + (std::clamp(offset, part.begin, part.end) - part.begin);
  };
  std::fill(content.begin(), place(files[file].begin_bytes), Content::kAsBefore);
  const Ages ages(capture, files, file);
  for (const Ages::Age& age : ages.all()) {
    for (const auto& wanted : age.writes) mark(wanted, part, content);
    if (age.change.kind == OpKind::kSetSize) std::fill(place(age.change.bytes), content.end(), Content::kZero);
  }
  return content;
}

}  // namespace bench

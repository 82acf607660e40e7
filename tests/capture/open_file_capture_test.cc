// What files tell the recorders of their ranks, with ranks as threads.
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "capture/walk.h"
#include "driver/memory.h"
#include "exec/file_ranks.h"
#include "layout/cursor.h"

namespace weir::exec {
namespace {

using capture::OpKind;
using capture::Seen;

std::unique_ptr<OpenFile> open_recorded(Rank& rank, driver::FileDriver& driver, trace::Recorder& recorder) {
  OpenArguments arguments{"f", kCreateMode, {}};
  arguments.recorder = &recorder;
  for (int i = 0; i < rank.size(); ++i) arguments.job_ranks.push_back(i);
  arguments.given = {{"cb_nodes", "2"}};
  auto file = OpenFile::open(driver, rank.wiring(), arguments);
  EXPECT_TRUE(file.ok());
  if (!file.ok()) std::abort();
  return std::move(file).value();
}

// All kinds of accesses: explicit, by pointers, nonblocking, split, ordered and shared; the value of a byte says who
// wrote it.
void use(Rank& rank, OpenFile& file) {
  Bytes bytes(32, static_cast<std::byte>(rank.number() + 1));
  EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), rank.size(), 8, 4), 1).ok());
  const auto run = [&](Positioning positioning, bool collective, std::int64_t offset = 0) {
    Transfer transfer = transfer_of(Direction::kWrite, positioning, collective, bytes, offset);
    EXPECT_TRUE(run_transfer(file, transfer).status.ok());
  };
  run(Positioning::kExplicit, true, 4);
  run(Positioning::kExplicit, false, 20);
  run(Positioning::kIndividual, true);
  EXPECT_TRUE(file.seek(40, Whence::kSet).ok());
  run(Positioning::kIndividual, false);
  EXPECT_TRUE(file.set_view({}, layout::FileView(4096, 1, layout::Layout::contiguous(1), 1), 2).ok());
  run(Positioning::kOrdered, true);
  run(Positioning::kShared, false);
  const SplitKind kind{Direction::kWrite, Positioning::kExplicit};
  Transfer split = transfer_of(Direction::kWrite, Positioning::kExplicit, true, bytes, 1024 + 32 * rank.number());
  EXPECT_TRUE(file.begin_split(kind, file.prepare(split)).ok());
  EXPECT_TRUE(file.end_split(kind).status.ok());
  FlatTransfer flat{Direction::kWrite, Positioning::kExplicit, 2048 + 32 * rank.number(), bytes.data(), 32};
  EXPECT_TRUE(file.run_flat(flat).has_value());
  EXPECT_TRUE(file.seek(3000 + 32 * rank.number(), Whence::kSet).ok());
  flat.positioning = Positioning::kIndividual;
  EXPECT_TRUE(file.run_flat(flat).has_value());
  EXPECT_TRUE(file.sync().ok());
}

// The bytes that a rank's captured accesses name, and no others, are the ones that have its value in the file.
void expect_places(const capture::Capture& all, const Bytes& content) {
  std::map<std::int64_t, int> writer_of;
  for (int rank = 0; rank < all.ranks; ++rank) {
    capture::walk(all, rank, [&](const Seen& seen) {
      if (seen.op.kind != OpKind::kAccess) return;
      layout::Cursor cursor(seen.wanted());
      for (auto piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
        for (std::int64_t i = 0; i < piece.length; ++i) writer_of[piece.offset + i] = rank + 1;
      }
    });
  }
  for (std::int64_t offset = 0; offset < std::ssize(content); ++offset) {
    const auto writer = writer_of.find(offset);
    const int wanted = writer == writer_of.end() ? 0 : writer->second;
    ASSERT_EQ(std::to_integer<int>(content[static_cast<std::size_t>(offset)]), wanted) << offset;
  }
  EXPECT_EQ(writer_of.rbegin()->first + 1, std::ssize(content));
}

TEST(OpenFileCapture, CapturedAccessesNameTheBytesThatWereWritten) {
  for (const int ranks : {1, 2, 4}) {
    driver::MemoryDriver driver;
    std::mutex mutex;
    std::map<int, capture::Capture> parts;
    run_file_ranks(ranks, [&](Rank& rank) {
      trace::Recorder recorder(rank.size());
      auto file = open_recorded(rank, driver, recorder);
      use(rank, *file);
      EXPECT_TRUE(file->close().ok());
      std::scoped_lock lock(mutex);
      parts[rank.number()] = recorder.value();
    });
    capture::Capture all;
    for (const auto& [rank, part] : parts) capture::join(all, part);
    EXPECT_EQ(all.programs[0].back().kind, OpKind::kClose);
    EXPECT_EQ(all.hints, (std::vector<hints::Pairs>{{{"cb_nodes", "2"}}}));
    const auto file = driver::open_or_fail(driver, "f");
    expect_places(all, driver::read_at(*file, 0, file->size().value()));
  }
}

}  // namespace
}  // namespace weir::exec

#include "capture/walk.h"

#include <gtest/gtest.h>

#include "capture/sample.h"
#include "layout/cursor.h"

namespace weir::capture {
namespace {

using Pieces = std::vector<layout::Piece>;

Pieces pieces_of(const layout::Layout& layout) {
  Pieces pieces;
  layout::Cursor cursor(layout);
  for (layout::Piece piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece())
    pieces.push_back(piece);
  return pieces;
}

TEST(Walk, CallsComeOneByOneWithTheirViews) {
  const Capture all = sample();
  std::vector<OpKind> kinds;
  std::vector<Pieces> written;
  walk(all, 1, [&](const Seen& seen) {
    kinds.push_back(seen.op.kind);
    EXPECT_EQ(seen.open.path, "/scratch/f");
    if (seen.op.kind == OpKind::kAccess) written.push_back(pieces_of(seen.wanted()));
  });
  EXPECT_EQ(kinds,
            (std::vector<OpKind>{OpKind::kOpen, OpKind::kSetView, OpKind::kAccess, OpKind::kAccess, OpKind::kAccess,
                                 OpKind::kAccess, OpKind::kSync, OpKind::kSetSize, OpKind::kClose}));
  ASSERT_EQ(written.size(), 4U);
  EXPECT_EQ(written[0], (Pieces{{8, 8}, {24, 8}}));
  EXPECT_EQ(written[3], (Pieces{{104, 8}, {120, 8}}));
}

}  // namespace
}  // namespace weir::capture

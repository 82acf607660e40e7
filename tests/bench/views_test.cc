#include "workloads/views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/workload_support.h"
#include "layout/cursor.h"

namespace bench {
namespace {

// The pieces of a layout in its order, joined where they touch.
std::vector<Piece> pieces_of(const weir::layout::Layout& layout) {
  std::vector<Piece> pieces;
  weir::layout::Cursor cursor(layout);
  for (auto piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
    add_piece(pieces, piece.offset, piece.length);
  }
  return pieces;
}

// Every call of every workload touches the bytes that its description says, piece by piece.
TEST(Views, RequestsAreTheDescribedPieces) {
  for (const Workload& workload : all_workloads()) {
    const std::string name(workload.name);
    const Settled small = settled(name, 4, nearest_bytes(parse_spec(name).value(), 4, 1 << 18));
    for (int rank = 0; rank < 4; ++rank) {
      const Share share = share_of(small, rank);
      for (const Access& access : share.accesses) {
        for (int call = 0; call < std::min(access.calls, 3); ++call) {
          EXPECT_EQ(pieces_of(request_of(access, call)), pieces_in_file(access, call)) << name << ", rank " << rank;
        }
      }
    }
  }
}

// A program reaches the same bytes through the view.
TEST(Views, ViewsShowTheSameBytes) {
  for (const std::string name : {"coll_perf", "btio", "e3sm_f", "sparse", "cyclic"}) {
    const Settled small = settled(name, 4, nearest_bytes(parse_spec(name).value(), 4, 1 << 18));
    const Access access = share_of(small, 1).accesses[0];
    const auto view = view_of(access);
    EXPECT_EQ(view.extent_of(0, data_bytes(access.file)), request_of(access, 0).span()) << name;
    EXPECT_EQ(view.file_offset(0), request_of(access, 0).first()) << name;
  }
}

}  // namespace
}  // namespace bench

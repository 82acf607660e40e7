// PartJoiner: a layout from parts that come in ascending order, joined where they touch. Internal to layout/.
#pragma once

#include <cstdint>
#include <vector>

#include "base/extent.h"
#include "layout/layout.h"
#include "layout/layout_builder.h"

namespace weir::layout {

class PartJoiner {
 public:
  // The next bytes. Costs no more for a part of many pieces than for one of few.
  // REQUIRES: ascending, and no two pieces of it touch; it does not begin before the end of the one before.
  void add(const Layout& part);
  // REQUIRES: not empty; it does not begin before the end of what came before.
  void add_piece(Extent piece);

  // All of it; no two pieces touch.
  Layout finish();

 private:
  bool touches(std::int64_t begin) const { return (!parts_.empty() || !pieces_.empty()) && begin == end_; }
  void take_last_piece();
  void keep(const Layout& part);
  Layout with_pieces_before(Layout part);
  void keep_pieces();

  std::vector<Layout::Part> parts_;
  std::vector<LayoutBuilder::Block> pieces_;  // behind the parts
  std::int64_t end_ = 0;                      // of what came last
};

}  // namespace weir::layout

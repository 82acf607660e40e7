#include "capture/walk.h"

#include <vector>

#include "layout/part.h"

namespace weir::capture {

namespace {

struct File {
  const Open* open = nullptr;
  layout::FileView view;
};

layout::Layout structure_of(const Capture& capture, const Op& op) {
  if (op.what == kNothing) return {};
  return capture.structures[static_cast<std::size_t>(op.what)].shifted(op.first);
}

void apply(const Capture& capture, const Op& op, std::vector<File>& files) {
  if (op.kind == OpKind::kOpen) files.push_back({&capture.opens[static_cast<std::size_t>(op.what)], {}});
  if (op.kind == OpKind::kSetView) {
    files[static_cast<std::size_t>(op.file)].view =
        layout::FileView(op.place, op.etype_bytes, structure_of(capture, op), op.extent);
  }
}

}  // namespace

layout::Layout Seen::wanted() const {
  const std::int64_t begin = place * view.etype_bytes();
  return layout::part_of(view.layout(), {begin, begin + bytes()});
}

void walk(const Capture& capture, int rank, const std::function<void(const Seen&)>& visit) {
  std::vector<File> files;
  for (const Op& op : capture.programs[static_cast<std::size_t>(rank)]) {
    apply(capture, op, files);
    const File& file = files[static_cast<std::size_t>(op.file)];
    const layout::Layout memory = op.kind == OpKind::kAccess ? structure_of(capture, op) : layout::Layout();
    for (std::int64_t i = 0; i < op.count; ++i) visit({op, i, op.place + i * op.step, *file.open, file.view, memory});
  }
}

}  // namespace weir::capture

// What a file tells the recorder (trace/recorder.h).
#include "exec/file/open_file.h"
#include "trace/span.h"

namespace weir::exec {

namespace {

unsigned mode_bits(const AccessMode& mode) {
  unsigned bits = 0;
  const auto add = [&](bool set, capture::ModeBit bit) {
    if (set) bits |= bit;
  };
  add(mode.reads(), capture::kReads);
  add(mode.writes(), capture::kWrites);
  add(mode.create, capture::kCreates);
  add(mode.exclusive, capture::kExclusive);
  add(mode.delete_on_close, capture::kDeletesOnClose);
  add(mode.unique_open, capture::kUniqueOpen);
  add(mode.sequential, capture::kSequential);
  add(mode.append, capture::kAppends);
  return bits;
}

}  // namespace

void OpenFile::record_open(const OpenArguments& arguments, std::int64_t size_bytes, std::int64_t begun) {
  if (arguments.recorder == nullptr) return;
  const trace::OpenSeen seen{path_, mode_bits(mode_), arguments.job_ranks, arguments.given, size_bytes, begun};
  record_ = {arguments.recorder, arguments.recorder->opened(seen)};
}

Status OpenFile::recorded(capture::Op op, const std::function<Status()>& call, const layout::Layout* structure,
                          const hints::Pairs* hints) {
  if (record_.recorder == nullptr) return call();
  op.file = record_.file;
  const trace::Recorder::Ticket ticket = record_.recorder->begin(op, structure, hints);
  Status status = call();
  record_.recorder->end(ticket, op.place, !status.ok());
  return status;
}

// A refused one takes part with nothing.
void OpenFile::record_begin(Access& access) {
  if (record_.recorder == nullptr || (!access.collective && !access.refused.ok())) return;
  capture::Op op;
  op.kind = capture::OpKind::kAccess;
  op.direction = access.direction;
  op.positioning = access.positioning;
  op.manner = access.manner;
  op.collective = access.collective;
  op.file = record_.file;
  access.record = record_.recorder->begin(op, access.refused.ok() ? &access.memory.layout : nullptr);
}

void OpenFile::record_end(const Access& access, bool failed) {
  if (!access.record.has_value()) return;
  record_.recorder->end(*access.record, access.requests.data_offset() / access.view.etype_bytes(), failed);
}

void OpenFile::record_flat(const FlatTransfer& transfer, std::int64_t file_offset, std::int64_t begun) {
  capture::Op op;
  op.kind = capture::OpKind::kAccess;
  op.direction = transfer.direction;
  op.positioning = transfer.positioning;
  op.file = record_.file;
  op.place = pointers_.flat_place(file_offset);
  record_.recorder->add_flat(op, transfer.bytes, begun);
}

}  // namespace weir::exec

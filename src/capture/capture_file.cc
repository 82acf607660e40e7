#include "capture/capture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "capture/numbers.h"
#include "hints/pairs.h"
#include "layout/encode.h"

// A file is a line that says what it is, the version, the number of bytes that follow, those bytes, and a checksum of
// them. These are the tables, and the programs: what each calls in which order (its shape), which many ranks have in
// common, and the numbers that go with it, which differ.
namespace weir::capture {

namespace {

constexpr std::string_view kMagic = "weir capture\n";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kWordBytes = 8;
constexpr std::int64_t kTimeUnit = 1000;  // times are kept in microseconds

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const std::byte byte : bytes) sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  return sum;
}

void put_word(std::vector<std::byte>& out, std::uint64_t word) {
  for (std::size_t i = 0; i < kWordBytes; ++i) out.push_back(static_cast<std::byte>(word >> (8 * i)));
}

std::uint64_t word_at(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWordBytes; ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

// Indices begin at kNothing.
void put_index(Writer& writer, int index) { writer.number(static_cast<std::uint64_t>(index + 1)); }

int get_index(Reader& reader, std::size_t table_size) {
  const std::uint64_t value = reader.number();
  if (value > table_size) reader.fail();
  return reader.failed() ? kNothing : static_cast<int>(value) - 1;
}

std::size_t table_of(const Capture& capture, OpKind kind) {
  switch (kind) {
    case OpKind::kOpen: return capture.opens.size();
    case OpKind::kSetView:
    case OpKind::kAccess: return capture.structures.size();
    case OpKind::kSetInfo: return capture.hints.size();
    default: return 0;
  }
}

// Which calls, of what, and how often.
void put_shape(Writer& writer, const Op& op) {
  writer.number(static_cast<std::uint64_t>(op.kind));
  writer.number(static_cast<std::uint64_t>(op.file));
  put_index(writer, op.what);
  if (op.kind != OpKind::kAccess) return;
  writer.number(static_cast<std::uint64_t>(op.direction) | static_cast<std::uint64_t>(op.positioning) << 1U |
                static_cast<std::uint64_t>(op.manner) << 3U | static_cast<std::uint64_t>(op.collective) << 5U);
  writer.number(static_cast<std::uint64_t>(op.count));
}

void get_shape(Reader& reader, const Capture& tables, Op& op) {
  const std::uint64_t kind = reader.number();
  if (kind > static_cast<std::uint64_t>(kLastOpKind)) return reader.fail();
  op.kind = static_cast<OpKind>(kind);
  op.file = static_cast<int>(reader.number());
  op.what = get_index(reader, table_of(tables, op.kind));
  const bool needs_table = op.kind == OpKind::kOpen || op.kind == OpKind::kSetInfo;
  if (op.file < 0 || (needs_table && op.what == kNothing)) return reader.fail();
  if (op.kind != OpKind::kAccess) return;
  const std::uint64_t flags = reader.number();
  op.direction = static_cast<Direction>(flags & 1U);
  op.positioning = static_cast<Positioning>(flags >> 1U & 3U);
  op.manner = static_cast<Manner>(flags >> 3U & 3U);
  op.collective = (flags >> 5U & 1U) != 0;
  op.count = static_cast<std::int64_t>(reader.number());
  if (op.count < 1) reader.fail();
}

void put_numbers(Writer& writer, const Op& op) {
  writer.signed_number(op.place);
  writer.number(static_cast<std::uint64_t>(op.before / kTimeUnit));
  writer.number(static_cast<std::uint64_t>(op.inside / kTimeUnit));
  if (op.kind == OpKind::kAccess || op.kind == OpKind::kSetView) writer.signed_number(op.first);
  if (op.kind == OpKind::kAccess && op.count > 1) writer.signed_number(op.step);
  if (op.kind != OpKind::kSetView) return;
  writer.number(static_cast<std::uint64_t>(op.etype_bytes));
  writer.signed_number(op.extent);
}

void get_numbers(Reader& reader, Op& op) {
  op.place = reader.signed_number();
  op.before = static_cast<std::int64_t>(reader.number()) * kTimeUnit;
  op.inside = static_cast<std::int64_t>(reader.number()) * kTimeUnit;
  if (op.kind == OpKind::kAccess || op.kind == OpKind::kSetView) op.first = reader.signed_number();
  if (op.kind == OpKind::kAccess && op.count > 1) op.step = reader.signed_number();
  if (op.kind != OpKind::kSetView) return;
  op.etype_bytes = static_cast<std::int64_t>(reader.number());
  op.extent = reader.signed_number();
  if (op.etype_bytes < 1 || op.place < 0) reader.fail();
}

using Shape = std::vector<std::byte>;

Shape shape_of(const std::vector<Op>& program) {
  Writer writer;
  for (const Op& op : program) put_shape(writer, op);
  return std::move(writer.out());
}

void put_tables(Writer& writer, const Capture& capture) {
  writer.text(capture.made_by);
  writer.number(static_cast<std::uint64_t>(capture.ranks));
  writer.number(capture.structures.size());
  for (const layout::Layout& structure : capture.structures) layout::encode(structure, writer.out());
  writer.number(capture.hints.size());
  for (const hints::Pairs& pairs : capture.hints) writer.bytes(hints::encode(pairs));
  writer.number(capture.groups.size());
  for (const Group& group : capture.groups) {
    writer.number(group.size());
    int before = -1;
    for (const int rank : group) writer.signed_number(rank - std::exchange(before, rank));
  }
  writer.number(capture.opens.size());
  for (const Open& open : capture.opens) {
    writer.text(open.path);
    writer.number(open.mode);
    put_index(writer, open.ranks);
    put_index(writer, open.hints);
    writer.number(static_cast<std::uint64_t>(open.size_bytes));
  }
}

Group get_group(Reader& reader) {
  Group group(reader.count());
  int before = -1;
  for (int& rank : group) {
    rank = before + static_cast<int>(reader.signed_number());
    before = rank;
    if (rank < 0) reader.fail();
  }
  return group;
}

Open get_open(Reader& reader, const Capture& tables) {
  Open open;
  open.path = reader.text();
  open.mode = static_cast<unsigned>(reader.number());
  open.ranks = get_index(reader, tables.groups.size());
  open.hints = get_index(reader, tables.hints.size());
  open.size_bytes = static_cast<std::int64_t>(reader.number());
  if (open.ranks == kNothing || open.size_bytes < 0) reader.fail();
  return open;
}

void get_tables(Reader& reader, Capture& capture) {
  capture.made_by = reader.text();
  capture.ranks = static_cast<int>(reader.number());
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    Result<layout::Layout> structure = layout::decode(reader.in());
    if (!structure.ok()) return reader.fail();
    capture.structures.push_back(std::move(structure).value());
  }
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    Result<hints::Pairs> pairs = hints::decode(reader.bytes());
    if (!pairs.ok()) return reader.fail();
    capture.hints.push_back(std::move(pairs).value());
  }
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    capture.groups.push_back(get_group(reader));
  }
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    capture.opens.push_back(get_open(reader, capture));
  }
}

void put_programs(Writer& writer, const Capture& capture) {
  std::vector<Shape> shapes;
  std::vector<int> shape_of_rank;
  for (const std::vector<Op>& program : capture.programs) {
    shape_of_rank.push_back(number_of(shapes, shape_of(program)));
  }
  writer.number(shapes.size());
  for (const Shape& shape : shapes) writer.bytes(shape);
  writer.number(capture.programs.size());
  for (std::size_t rank = 0; rank < capture.programs.size(); ++rank) {
    Writer numbers;
    for (const Op& op : capture.programs[rank]) put_numbers(numbers, op);
    put_index(writer, shape_of_rank[rank]);
    writer.bytes(numbers.out());
  }
}

std::vector<Op> get_shapes(std::span<const std::byte> shape, const Capture& tables, Reader& whole) {
  std::vector<Op> program;
  Reader reader(shape);
  while (!reader.at_end()) get_shape(reader, tables, program.emplace_back());
  if (reader.failed()) whole.fail();
  return program;
}

void get_programs(Reader& reader, Capture& capture) {
  std::vector<std::vector<Op>> shapes;
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    shapes.push_back(get_shapes(reader.bytes(), capture, reader));
  }
  for (std::size_t left = reader.count(); left > 0 && !reader.failed(); --left) {
    const int shape = get_index(reader, shapes.size());
    Reader numbers(reader.bytes());
    if (shape == kNothing) return reader.fail();
    std::vector<Op> program = shapes[static_cast<std::size_t>(shape)];
    for (Op& op : program) get_numbers(numbers, op);
    if (numbers.failed() || !numbers.at_end()) return reader.fail();
    capture.programs.push_back(std::move(program));
  }
}

// A group names ranks that there are; a call names a file that this rank has opened before.
bool holds_together(const Capture& capture) {
  for (const Group& group : capture.groups) {
    if (std::ranges::any_of(group, [&](int rank) { return rank >= capture.ranks; })) return false;
  }
  for (const std::vector<Op>& program : capture.programs) {
    int opened = 0;
    for (const Op& op : program) {
      if (op.kind == OpKind::kOpen && op.file != opened++) return false;
      if (op.file >= opened) return false;
    }
  }
  return true;
}

Status refused(std::string text) { return {ErrorClass::kBadFile, std::move(text)}; }

}  // namespace

std::vector<std::byte> encode(const Capture& capture) {
  Writer content;
  put_tables(content, capture);
  put_programs(content, capture);
  Writer file;
  const auto magic = std::as_bytes(std::span(kMagic));
  file.out().assign(magic.begin(), magic.end());
  file.number(kVersion);
  put_word(file.out(), content.out().size());
  file.out().insert(file.out().end(), content.out().begin(), content.out().end());
  put_word(file.out(), checksum(content.out()));
  return std::move(file.out());
}

Result<Capture> decode(std::span<const std::byte> bytes) {
  const auto magic = std::as_bytes(std::span(kMagic));
  if (bytes.size() < magic.size() || !std::equal(magic.begin(), magic.end(), bytes.begin())) {
    return refused("is no capture of weir's");
  }
  Reader head(bytes.subspan(magic.size()));
  const std::uint64_t version = head.number();
  if (head.failed() || head.in().size() < kWordBytes) return refused("is cut off: it ends within its first bytes");
  if (version != kVersion) {
    return refused(fmt::format("is a capture of version {}; this weir reads version {}", version, kVersion));
  }
  const std::uint64_t size = word_at(head.in());
  const std::span<const std::byte> rest = head.in().subspan(kWordBytes);
  if (rest.size() < kWordBytes || rest.size() - kWordBytes < size) {
    return refused(
        fmt::format("is cut off: it has {} of {} bytes", bytes.size(), bytes.size() - rest.size() + size + kWordBytes));
  }
  const std::span<const std::byte> content = rest.first(size);
  if (rest.size() - kWordBytes > size || checksum(content) != word_at(rest.subspan(size))) {
    return refused("is damaged: its checksum is another one");
  }
  Capture capture;
  Reader reader(content);
  get_tables(reader, capture);
  get_programs(reader, capture);
  if (reader.failed() || !reader.at_end() || !holds_together(capture)) {
    return refused("is damaged: its content cannot be read");
  }
  return capture;
}

}  // namespace weir::capture

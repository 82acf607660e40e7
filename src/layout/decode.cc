#include <cstdint>
#include <utility>

#include "layout/encode.h"
#include "layout/encoded_form.h"
#include "layout/layout_builder.h"
#include "layout/node.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

// Reads numbers. After a failure, which failed() tells from then on, they are worth nothing.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  std::size_t left() const { return in_.size(); }

  std::uint8_t byte() {
    if (in_.empty()) {
      fail();
      return 0;
    }
    const auto value = std::to_integer<std::uint8_t>(in_.front());
    in_ = in_.subspan(1);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
      if (next < 0x80) return value;
    }
    fail();
    return 0;
  }
  // A number of at least 1; 1 after a failure.
  std::int64_t count() {
    const auto value = static_cast<std::int64_t>(varint());
    if (value < 1) fail();
    return failed_ ? 1 : value;
  }
  // A count of things that take at least a byte each.
  std::size_t list_length() {
    const auto value = static_cast<std::size_t>(count());
    if (value - 1 > left()) fail();
    return failed_ ? 1 : value;
  }
  std::int64_t offset() { return from_zigzag(varint()); }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 64; i += 8) value |= static_cast<std::uint64_t>(byte()) << i;
    return value;
  }

  // The numbers whose differences come next; the first is 0.
  Numbers sums(std::size_t how_many) {
    const std::uint8_t zero_bits = byte();
    if (zero_bits > 63 || how_many - 1 > left()) fail();
    if (failed_) return {0};
    Numbers numbers;
    numbers.reserve(how_many);
    std::uint64_t sum = 0;
    numbers.push_back(0);
    while (numbers.size() < how_many) {
      sum += static_cast<std::uint64_t>(offset()) << zero_bits;
      numbers.push_back(static_cast<std::int64_t>(sum));
    }
    return numbers;
  }

 private:
  std::span<const std::byte> in_;
  bool failed_ = false;
};

// Reads nodes into a list, so that those that come later find their children.
class NodeReader {
 public:
  explicit NodeReader(Reader& reader) : reader_(reader) {}

  // The last node before the end of nodes, or null.
  NodePtr read_root() {
    for (std::uint8_t kind = reader_.byte(); kind != kEndOfNodes; kind = reader_.byte()) {
      if (kind > static_cast<std::uint8_t>(NodeKind::kSequence)) return nullptr;
      NodePtr node = read(static_cast<NodeKind>(kind));
      if (reader_.failed() || node == nullptr || node->depth > kDeepestEncoded) return nullptr;
      nodes_.push_back(std::move(node));
    }
    return reader_.failed() || nodes_.empty() ? nullptr : nodes_.back();
  }

 private:
  NodePtr read(NodeKind kind) {
    switch (kind) {
      case NodeKind::kRun: {
        const std::int64_t length = reader_.count();
        const std::int64_t count = reader_.count();
        return make_run(length, reader_.offset(), count);
      }
      case NodeKind::kRepeat: {
        const std::int64_t count = reader_.count();
        const std::int64_t stride = reader_.offset();
        NodePtr child = read_child();
        return child ? make_repeat(stride, count, std::move(child)) : nullptr;
      }
      default: return read_list(kind);
    }
  }

  NodePtr read_list(NodeKind kind) {
    const std::size_t entries = reader_.list_length();
    Numbers displacements = reader_.sums(entries);
    if (reader_.failed()) return nullptr;
    switch (kind) {
      case NodeKind::kBlocks: return read_blocks(std::move(displacements));
      case NodeKind::kEqualBlocks: return make_equal_blocks(std::move(displacements), reader_.count());
      case NodeKind::kCopies: {
        NodePtr child = read_child();
        return child ? make_copies(std::move(displacements), std::move(child)) : nullptr;
      }
      default: return read_sequence(std::move(displacements));
    }
  }

  NodePtr read_blocks(Numbers displacements) {
    Numbers prefix = reader_.sums(displacements.size() + 1);
    if (reader_.failed()) return nullptr;
    for (std::size_t i = 0; i < displacements.size(); ++i) {
      if (prefix[i + 1] <= prefix[i]) return nullptr;
    }
    return make_blocks(std::move(displacements), std::move(prefix));
  }

  NodePtr read_sequence(Numbers displacements) {
    if (displacements.size() > reader_.left()) return nullptr;
    std::vector<NodePtr> children;
    children.reserve(displacements.size());
    while (children.size() < displacements.size()) {
      children.push_back(read_child());
      if (children.back() == nullptr) return nullptr;
    }
    return make_sequence(std::move(displacements), std::move(children));
  }

  // Null when there is none.
  NodePtr read_child() {
    const std::uint64_t back = reader_.varint();
    if (reader_.failed() || back < 1 || back > nodes_.size()) return nullptr;
    return nodes_[nodes_.size() - back];
  }

  Reader& reader_;
  std::vector<NodePtr> nodes_;
};

Status corrupt() { return {ErrorClass::kInternal, "a layout that another rank sent is truncated or corrupt"}; }

}  // namespace

Result<Layout> decode(std::span<const std::byte>& in) {
  Reader reader(in);
  const std::uint8_t form = reader.byte();
  if (reader.failed() || form > static_cast<std::uint8_t>(EncodedForm::kNodes)) return corrupt();
  Layout layout = static_cast<EncodedForm>(form) == EncodedForm::kOverflowed ? Layout::overflow() : Layout();
  if (static_cast<EncodedForm>(form) == EncodedForm::kNodes) {
    const std::int64_t first = reader.offset();
    NodePtr root = NodeReader(reader).read_root();
    if (root == nullptr) return corrupt();
    layout = LayoutBuilder::placed(first, std::move(root));
    if (reader.word() != layout.fingerprint() || reader.failed() || layout.overflowed()) return corrupt();
  }
  in = in.last(reader.left());
  return layout;
}

}  // namespace weir::layout

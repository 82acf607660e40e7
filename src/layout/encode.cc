#include "layout/encode.h"

#include <bit>
#include <cstdint>
#include <unordered_map>

#include "layout/encoded_form.h"
#include "layout/node.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& out) : out_(out) {}

  void byte(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) byte(static_cast<std::uint8_t>(value | 0x80U));
    byte(static_cast<std::uint8_t>(value));
  }
  void count(std::int64_t value) { varint(static_cast<std::uint64_t>(value)); }
  void offset(std::int64_t value) { varint(zigzag(value)); }
  void word(std::uint64_t value) {
    for (unsigned i = 0; i < 64; i += 8) byte(static_cast<std::uint8_t>(value >> i));
  }

  // The differences of `values`, whose first is 0. How many there are is said elsewhere.
  void differences(const Numbers& values) {
    std::uint64_t used_bits = 0;
    for_each_difference(values, [&](std::int64_t difference) { used_bits |= static_cast<std::uint64_t>(difference); });
    const int zero_bits = used_bits == 0 ? 0 : std::countr_zero(used_bits);
    byte(static_cast<std::uint8_t>(zero_bits));
    for_each_difference(values, [&](std::int64_t difference) { offset(difference >> zero_bits); });
  }

 private:
  template <typename Fn>
  static void for_each_difference(const Numbers& values, Fn fn) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      // Wraps where the difference of two offsets has no 64 bits; adding it up wraps back.
      fn(static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(values[i - 1])));
    }
  }

  std::vector<std::byte>& out_;
};

// Writes nodes behind their children, each once.
class NodeWriter {
 public:
  explicit NodeWriter(Writer& writer) : writer_(writer) {}

  void write(const Node& node) {
    if (written_.contains(&node)) return;
    if (node.kind == NodeKind::kSequence) {
      for (const NodePtr& child : as<SequenceNode>(node).children) write(*child);
    } else if (!is_leaf(node)) {
      write(*entry_child(node, 0));
    }
    writer_.byte(static_cast<std::uint8_t>(node.kind));
    write_numbers(node);
    written_.emplace(&node, written_.size());
  }

 private:
  void write_numbers(const Node& node) {
    switch (node.kind) {
      case NodeKind::kRun:
        writer_.count(as<RunNode>(node).length);
        writer_.count(as<RunNode>(node).count);
        return writer_.offset(as<RunNode>(node).stride);
      case NodeKind::kRepeat:
        writer_.count(as<RepeatNode>(node).count);
        writer_.offset(as<RepeatNode>(node).stride);
        return write_child(*as<RepeatNode>(node).child);
      default: break;
    }
    writer_.count(entry_count(node));
    writer_.differences(displacements_of(node));
    switch (node.kind) {
      case NodeKind::kBlocks: return writer_.differences(as<BlocksNode>(node).prefix);
      case NodeKind::kEqualBlocks: return writer_.count(as<EqualBlocksNode>(node).length);
      case NodeKind::kCopies: return write_child(*as<CopiesNode>(node).child);
      default:
        for (const NodePtr& child : as<SequenceNode>(node).children) write_child(*child);
    }
  }
  void write_child(const Node& child) { writer_.varint(written_.size() - written_.at(&child)); }

  Writer& writer_;
  std::unordered_map<const Node*, std::size_t> written_;  // and which one it was
};

}  // namespace

void encode(const Layout& layout, std::vector<std::byte>& out) {
  Writer writer(out);
  if (layout.empty()) {
    return writer.byte(static_cast<std::uint8_t>(layout.overflowed() ? EncodedForm::kOverflowed : EncodedForm::kEmpty));
  }
  writer.byte(static_cast<std::uint8_t>(EncodedForm::kNodes));
  writer.offset(layout.first());
  NodeWriter(writer).write(*layout.root());
  writer.byte(kEndOfNodes);
  writer.word(layout.fingerprint());
}

}  // namespace weir::layout

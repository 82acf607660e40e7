#include <fmt/format.h>

#include <iterator>

#include "layout/layout.h"
#include "layout/node.h"

namespace weir::layout {
namespace {

constexpr std::int64_t kShownEntries = 6;

void describe_node(const Node& node, std::string& text);

// The entries of a list: "displacement" or "displacement+length" each, or with the child in parentheses.
void describe_list(const Node& node, std::string& text) {
  const std::int64_t entries = entry_count(node);
  for (std::int64_t i = 0; i < std::min(entries, kShownEntries); ++i) {
    fmt::format_to(std::back_inserter(text), " {}", entry_offset(node, i));
    if (node.kind == NodeKind::kBlocks) fmt::format_to(std::back_inserter(text), "+{}", entry_bytes(node, i));
    if (node.kind == NodeKind::kSequence) describe_node(*entry_child(node, i), text);
  }
  if (entries > kShownEntries) text += " ...";
}

void describe_node(const Node& node, std::string& text) {
  auto out = std::back_inserter(text);
  switch (node.kind) {
    case NodeKind::kRun: {
      const auto& run = as<RunNode>(node);
      if (run.count == 1) fmt::format_to(out, "({} bytes)", run.length);
      if (run.count != 1) fmt::format_to(out, "(run {} x {} by {})", run.count, run.length, run.stride);
      return;
    }
    case NodeKind::kRepeat:
      fmt::format_to(out, "(repeat {} by {} of ", entry_count(node), as<RepeatNode>(node).stride);
      break;
    case NodeKind::kCopies: fmt::format_to(out, "(copies {} at", entry_count(node)); break;
    case NodeKind::kBlocks: fmt::format_to(out, "(blocks {} at", entry_count(node)); break;
    case NodeKind::kEqualBlocks:
      fmt::format_to(out, "(blocks {} x {} at", entry_count(node), entry_bytes(node, 0));
      break;
    case NodeKind::kSequence: fmt::format_to(out, "(sequence {} at", entry_count(node)); break;
  }
  if (node.kind != NodeKind::kRepeat) describe_list(node, text);
  if (node.kind == NodeKind::kCopies) text += " of ";
  if (node.kind == NodeKind::kRepeat || node.kind == NodeKind::kCopies) describe_node(*entry_child(node, 0), text);
  text += ")";
}

}  // namespace

std::string describe(const Layout& layout) {
  if (layout.overflowed()) return "overflowed";
  if (layout.empty()) return "empty";
  std::string text = layout.first() == 0 ? "" : fmt::format("@{} ", layout.first());
  describe_node(*layout.root(), text);
  return text;
}

}  // namespace weir::layout

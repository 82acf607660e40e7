// Where ranks may be: on one node, on nodes of equal and of different sizes, one by one around the nodes.
#pragma once

#include <string>
#include <vector>

namespace weir::comm {

inline const std::vector<std::vector<int>>& places() {
  static const std::vector<std::vector<int>> all = {
      {0}, {0, 0, 0, 0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 0, 0, 1, 1, 2}, {0, 1, 0, 1, 0}, {0, 1, 2, 0, 2, 2, 1, 0, 3, 2}};
  return all;
}

inline std::string text_of_place(const std::vector<int>& node_of) {
  std::string text = "nodes";
  for (const int node : node_of) text += " " + std::to_string(node);
  return text;
}

}  // namespace weir::comm

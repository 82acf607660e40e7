// Charts: numbers that a claim is about, to be drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::tool::reproduce {

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
  bool by_weir = false;  // what weir does by itself, beside what it was told to
};

enum class ChartKind : std::uint8_t {
  kLines,    // y against x, a line for each series
  kStacked,  // the series on top of each other, a bar for each x; what weir does by itself is a point
};

struct Chart {
  std::string title;
  std::string x;  // what it is, with its unit
  std::string y;
  std::vector<Series> series;
  ChartKind kind = ChartKind::kLines;
};

}  // namespace weir::tool::reproduce

#include "compare/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "compare/numbers.h"

namespace weir::tool::compare {

namespace {

constexpr std::size_t kWidestFailure = 16;
constexpr double kNear = 1.5;  // predictions are called near within this factor

bool is_plain(const Cell& cell) { return cell.variant.comparison.empty(); }

bool was_started(const Cell& cell) { return !cell.outcome.seconds.empty() || !cell.outcome.failed.empty(); }

std::string title_of(const Group& group) {
  const Cell& cell = group.first();
  const std::string program = cell.direction == "run" ? "" : fmt::format(", {} ranks", cell.ranks);
  return cell.host.version + program;
}

// Seconds per byte; for programs, whose bytes are unknown, seconds.
double pace(const Outcome& outcome) {
  return median(outcome.seconds) / static_cast<double>(std::max<std::int64_t>(1, outcome.bytes));
}

std::string speed_text(const std::vector<double>& seconds, std::int64_t bytes) {
  const double middle = median(seconds);
  if (bytes == 0) return fmt::format("{:.3f} s", middle);
  return fmt::format("{:.0f}", static_cast<double>(bytes) / middle / 1e6);
}

// "1881 ±12%", or what went wrong.
std::string cell_text(const Outcome& outcome) {
  if (!outcome.failed.empty()) {
    return outcome.failed.size() <= kWidestFailure ? outcome.failed
                                                   : outcome.failed.substr(0, kWidestFailure - 2) + "..";
  }
  if (outcome.seconds.empty()) return "-";
  return fmt::format("{} {:>3.0f}%", speed_text(outcome.seconds, outcome.bytes), 100 * spread(outcome.seconds));
}

std::string ratio_text(const Outcome& outcome) {
  if (!outcome.usable() || outcome.block_seconds.empty()) return "-";
  return fmt::format("{:.2f}", median(outcome.seconds) / median(outcome.block_seconds));
}

// Block I/O as all starts of the group saw it.
std::string block_text(const Group& group) {
  std::vector<double> seconds;
  std::int64_t bytes = 0;
  for (const Cell& cell : group.cells) {
    seconds.insert(seconds.end(), cell.outcome.block_seconds.begin(), cell.outcome.block_seconds.end());
    bytes = std::max(bytes, cell.outcome.bytes);
  }
  return seconds.empty() ? "-" : speed_text(seconds, bytes);
}

const Cell* plain_cell(const Group& group, const std::string& peer) {
  const auto found = std::find_if(group.cells.begin(), group.cells.end(),
                                  [&](const Cell& cell) { return is_plain(cell) && cell.peer.name == peer; });
  return found == group.cells.end() ? nullptr : &*found;
}

// A line of cells, each at least as wide as its column.
class Grid {
 public:
  void add(Words row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const Words& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string all;
    for (const Words& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += i < kNames ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
      all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return all;
  }

 private:
  static constexpr std::size_t kNames = 2;  // columns of words, which begin at the left
  std::vector<Words> rows_;
};

Words peers_in(const std::vector<const Group*>& groups) {
  Words names;
  for (const Group* group : groups) {
    for (const Cell& cell : group->cells) {
      if (is_plain(cell) && std::find(names.begin(), names.end(), cell.peer.name) == names.end())
        names.push_back(cell.peer.name);
    }
  }
  return names;
}

std::string gain_text(const Group& group) {
  const double gain = gain_of(group);
  return gain == 0 ? "-" : fmt::format("{:.2f}x", gain);
}

// What weir's calls were predicted to take, as a multiple of what they took.
std::optional<double> prediction_in(const Group& group) {
  const Cell* weir = plain_cell(group, "weir");
  return weir == nullptr ? std::nullopt : predicted_of_measured(weir->outcome);
}

// The column of predictions, where there are any.
Words prediction_column(const std::vector<const Group*>& groups) {
  const auto text = [](const Group* group) {
    const std::optional<double> predicted = prediction_in(*group);
    return predicted ? fmt::format("{:.2f}", *predicted) : std::string("-");
  };
  Words column;
  std::ranges::transform(groups, std::back_inserter(column), text);
  const bool any = std::ranges::any_of(column, [](const std::string& word) { return word != "-"; });
  return any ? column : Words();
}

std::string near_text(const std::vector<const Group*>& groups) {
  std::size_t predicted = 0;
  std::size_t near = 0;
  for (const Group* group : groups) {
    const std::optional<double> ratio = prediction_in(*group);
    if (!ratio) continue;
    ++predicted;
    if (*ratio <= kNear && *ratio * kNear >= 1) ++near;
  }
  if (predicted < 2) return "";
  return fmt::format("predicted within a factor of {} of measured: {} of {} rows\n", kNear, near, predicted);
}

Words peer_row(const Group& group, const Words& peers) {
  Words row = {group.first().workload, group.first().direction};
  for (const std::string& peer : peers) {
    const Cell* cell = plain_cell(group, peer);
    row.push_back(cell == nullptr ? "-" : cell_text(cell->outcome));
  }
  const Cell* weir = plain_cell(group, "weir");
  row.push_back(block_text(group));
  row.push_back(gain_text(group));
  row.push_back(weir == nullptr ? "-" : ratio_text(weir->outcome));
  return row;
}

std::string peers_table(const std::vector<const Group*>& groups) {
  const Words peers = peers_in(groups);
  if (peers.empty()) return "";
  Grid grid;
  Words head = {"workload", ""};
  head.insert(head.end(), peers.begin(), peers.end());
  head.insert(head.end(), {"Block I/O", "weir is", "weir/Block"});
  const Words predictions = prediction_column(groups);
  if (!predictions.empty()) head.push_back("predicted/weir");
  grid.add(head);
  std::vector<double> gains;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Words row = peer_row(*groups[i], peers);
    if (!predictions.empty()) row.push_back(predictions[i]);
    grid.add(row);
    if (const double gain = gain_of(*groups[i]); gain > 0) gains.push_back(gain);
  }
  std::string text = grid.text();
  if (gains.size() > 1) {
    text +=
        fmt::format("geometric mean of best peer / weir over {} rows: {:.2f}\n", gains.size(), geometric_mean(gains));
  }
  return text + near_text(groups);
}

std::string comparisons_table(const std::vector<const Group*>& groups) {
  Grid grid;
  bool any = false;
  grid.add({"workload", "way", "", "MB/s", "x Block I/O"});
  for (const Group* group : groups) {
    for (const Cell& cell : group->cells) {
      if (is_plain(cell) || !was_started(cell)) continue;
      any = true;
      const std::string x = cell.variant.x && cell.variant.label != fmt::format("{:g}", *cell.variant.x)
                                ? fmt::format(" {:g}", *cell.variant.x)
                                : "";
      grid.add({cell.workload + " " + cell.direction, label_of(cell) + x, "", cell_text(cell.outcome),
                ratio_text(cell.outcome)});
    }
  }
  return any ? grid.text() : "";
}

// What the cells have no room for, each remark once.
std::string remarks_on(const std::vector<const Group*>& groups) {
  Words remarks;
  const auto add = [&](const std::string& remark) {
    if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
  };
  for (const Group* group : groups) {
    for (const Cell& cell : group->cells) {
      const std::string way = cell.variant.comparison.empty() ? "" : ", " + label_of(cell);
      if (!cell.outcome.note.empty()) add(fmt::format("  {}{}: {}\n", cell.workload, way, cell.outcome.note));
      if (cell.outcome.failed.size() > kWidestFailure)
        add(fmt::format("  {} {}, {}: {}\n", cell.workload, cell.direction, label_of(cell), cell.outcome.failed));
    }
  }
  return join(remarks, "");
}

}  // namespace

double gain_of(const Group& group) {
  double weir = 0;
  double best = 0;
  for (const Cell& cell : group.cells) {
    if (!is_plain(cell) || !cell.outcome.usable()) continue;
    const double own = pace(cell.outcome);
    if (cell.peer.name == "weir") {
      weir = own;
    } else if (best == 0 || own < best) {
      best = own;
    }
  }
  return weir > 0 && best > 0 ? best / weir : 0;
}

std::string tables(const std::vector<Group>& groups) {
  std::vector<std::string> titles;
  std::map<std::string, std::vector<const Group*>> by_title;
  for (const Group& group : groups) {
    if (std::none_of(group.cells.begin(), group.cells.end(), was_started)) continue;
    const std::string title = title_of(group);
    if (!by_title.contains(title)) titles.push_back(title);
    by_title[title].push_back(&group);
  }
  std::string text;
  for (const std::string& title : titles) {
    const auto& section = by_title[title];
    const bool program = section.front()->first().direction == "run";
    text += fmt::format("\n{}: {}\n", title,
                        program ? "seconds of the whole command, median and spread"
                                : "MB/s of the calls that move data, median and spread");
    text += peers_table(section) + comparisons_table(section) + remarks_on(section);
  }
  return text;
}

}  // namespace weir::tool::compare

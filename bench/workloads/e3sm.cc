// E3SM's F and G cases: many variables, each an array over the same points, which are owned in long irregular lists.
// The numbers of variables and levels are those of the E3SM I/O kernel; the number of points is scaled. PnetCDF merges
// what was put without waiting into one call; otherwise it makes one call per variable.

#include <array>
#include <span>

#include "workloads/kinds.h"
#include "workloads/runs.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

// Points that variables are defined on: `per_point` of them for each point of the grid.
struct PointSet {
  int per_point = 1;
  std::int64_t longest_run = 1;  // of neighbours with the same owner
};

// Variables of one form: arrays of `rows` x points x `values`.
struct Group {
  int variables = 1;
  int rows = 1;
  std::size_t points = 0;  // which PointSet
  int values = 1;
};

struct Case {
  std::string_view parameter;  // the number of points
  Basic basic;
  std::span<const PointSet> sets;
  std::span<const Group> groups;
};

// Columns of the atmosphere, level by level: on average the paper's requests have 11 bytes.
constexpr std::array kSetsF = {PointSet{.per_point = 1, .longest_run = 4}};
constexpr std::array kGroupsF = {Group{.variables = 324, .rows = 1, .points = 0, .values = 1},
                                 Group{.variables = 63, .rows = 72, .points = 0, .values = 1}};
constexpr Case kCaseF{.parameter = "columns", .basic = Basic::kFloat, .sets = kSetsF, .groups = kGroupsF};

// Cells, edges and vertices of the ocean's mesh, the levels of each side by side: on average 500 bytes.
constexpr std::array kSetsG = {PointSet{.per_point = 1, .longest_run = 1}, PointSet{.per_point = 3, .longest_run = 1},
                               PointSet{.per_point = 2, .longest_run = 1}};
constexpr std::array kGroupsG = {Group{.variables = 6, .rows = 1, .points = 0, .values = 1},
                                 Group{.variables = 2, .rows = 1, .points = 1, .values = 1},
                                 Group{.variables = 25, .rows = 1, .points = 0, .values = 80},
                                 Group{.variables = 2, .rows = 1, .points = 1, .values = 80},
                                 Group{.variables = 2, .rows = 1, .points = 2, .values = 80},
                                 Group{.variables = 4, .rows = 1, .points = 0, .values = 81}};
constexpr Case kCaseG{.parameter = "cells", .basic = Basic::kDouble, .sets = kSetsG, .groups = kGroupsG};

// The points of a set that one rank owns.
struct Owned {
  std::int64_t points = 0;  // of all ranks
  std::vector<Run> runs;
};

std::int64_t values_per_point(const Case& e3sm) {
  std::int64_t values = 0;
  for (const Group& group : e3sm.groups) {
    values += std::int64_t{group.variables} * group.rows * e3sm.sets[group.points].per_point * group.values;
  }
  return values;
}

// Adds the pieces of one variable, which begins at `begin` in the file.
void add_variable(Hindexed& file, std::int64_t begin, const Group& group, const Owned& owned) {
  const std::int64_t point_bytes = group.values * file.element.bytes();
  for (int row = 0; row < group.rows; ++row) {
    for (const Run& run : owned.runs) {
      file.lengths.push_back(static_cast<int>(run.length) * group.values);
      file.displacements.push_back(begin + (row * owned.points + run.begin) * point_bytes);
    }
  }
}

struct Calls {
  std::span<const Group> groups;
  std::vector<Owned> sets;
  Element element;
  bool merged = true;
};

Share share_of_calls(const Calls& calls) {
  const Hindexed nothing{.lengths = {}, .displacements = {}, .element = calls.element};
  Share share;
  Hindexed file = nothing;
  for (const Group& group : calls.groups) {
    const Owned& owned = calls.sets[group.points];
    for (int variable = 0; variable < group.variables; ++variable) {
      add_variable(file, share.file_bytes, group, owned);
      share.file_bytes += group.rows * owned.points * group.values * calls.element.bytes();
      if (calls.merged) continue;
      share.accesses.push_back(list_access(file));
      file = nothing;
    }
  }
  if (calls.merged) share.accesses.push_back(list_access(file));
  return share;
}

// Of a decomposition file: so many variables, all alike, that the size is met.
weir::Status settle_file(Settled& settled, std::int64_t element_bytes, std::string_view points_name) {
  if (settled.is_given(points_name)) return refused(std::string(points_name) + " comes from the file: leave it out");
  const std::int64_t array_bytes = settled.spec.decomposition->elements * element_bytes;
  std::int64_t& variables = settled.values.find("variables")->second;
  if (variables == kFromSize) variables = nearest_count(settled.shape.bytes, array_bytes);
  const auto pieces = product({settled.spec.decomposition->elements, variables}, "the file");
  if (!pieces.ok()) return pieces.status();
  return fits_int(pieces.value(), "the number of elements");
}

weir::Status settle_generated(Settled& settled, const Case& e3sm) {
  if (settled.is_given("variables")) return refused("variables is for decomposition files: name one with file=PATH");
  const std::int64_t point_values = values_per_point(e3sm);
  std::int64_t& points = settled.values.find(e3sm.parameter)->second;
  if (points == kFromSize) points = nearest_count(settled.shape.bytes, point_values * basic_bytes(e3sm.basic));
  const auto values = product({points, point_values}, "the file");
  if (!values.ok()) return values.status();
  return fits_int(values.value(), "the number of values");
}

weir::Status settle_case(Settled& settled, const Case& e3sm) {
  if (settled["merged"] > 1) return refused("merged is 0 or 1");
  if (settled.spec.decomposition != nullptr) return settle_file(settled, basic_bytes(e3sm.basic), e3sm.parameter);
  return settle_generated(settled, e3sm);
}

Share share_of_file(const Settled& settled, const Case& e3sm, int rank) {
  const Decomposition& decomposition = *settled.spec.decomposition;
  const Group group{.variables = static_cast<int>(settled["variables"]), .rows = 1, .points = 0, .values = 1};
  const Owned owned{.points = decomposition.elements, .runs = runs_of(decomposition, settled.shape.ranks, rank)};
  Share share = share_of_calls({.groups = std::span(&group, 1),
                                .sets = {owned},
                                .element = element_of(e3sm.basic),
                                .merged = settled["merged"] == 1});
  share.holes = !decomposition.complete;
  return share;
}

Share share_of_case(const Settled& settled, const Case& e3sm, int rank) {
  if (settled.spec.decomposition != nullptr) return share_of_file(settled, e3sm, rank);
  Calls calls{.groups = e3sm.groups, .sets = {}, .element = element_of(e3sm.basic), .merged = settled["merged"] == 1};
  for (const PointSet& set : e3sm.sets) {
    const RunDeal deal{.points = settled[e3sm.parameter] * set.per_point,
                       .longest = set.longest_run,
                       .ranks = settled.shape.ranks,
                       .seed = settled["seed"]};
    calls.sets.push_back({.points = deal.points, .runs = deal_runs(deal, rank)});
  }
  return share_of_calls(calls);
}

}  // namespace

weir::Status settle_e3sm_f(Settled& settled) { return settle_case(settled, kCaseF); }

Share e3sm_f_share(const Settled& settled, int rank) { return share_of_case(settled, kCaseF, rank); }

weir::Status settle_e3sm_g(Settled& settled) { return settle_case(settled, kCaseG); }

Share e3sm_g_share(const Settled& settled, int rank) { return share_of_case(settled, kCaseG, rank); }

}  // namespace bench

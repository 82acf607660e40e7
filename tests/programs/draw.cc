#include "programs/draw.h"

#include <algorithm>
#include <array>

namespace weir::programs {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A block for each rank and a gap, again and again.
std::vector<View> cyclic(Random& random, int ranks, std::int64_t unit, const ViewLimits& limits) {
  const std::int64_t most = std::max<std::int64_t>(1, limits.file_bytes / unit / ranks);
  const std::int64_t block = random.pick(1, std::min<std::int64_t>(most, random.one_of({3, 16, 300})));
  const std::int64_t stride = block * ranks + (random.one_in(3) ? random.pick(0, 2 * block) : 0);
  const std::int64_t count = random.pick(1, std::max<std::int64_t>(1, std::min<std::int64_t>(most / block, 40)));
  const std::int64_t displacement = random.pick(0, 4) * random.pick(0, 33);
  std::vector<View> views;
  for (int rank = 0; rank < ranks; ++rank) {
    views.push_back({.displacement = displacement + rank * block * unit,
                     .etype_bytes = unit,
                     .kind = View::Kind::kVector,
                     .numbers = {count, block, stride},
                     .extent = count * stride});
  }
  return views;
}

// A tile cut into pieces; each is some rank's or nobody's.
std::vector<View> dealt(Random& random, int ranks, std::int64_t unit, const ViewLimits& limits) {
  const std::int64_t longest =
      std::max<std::int64_t>(1, std::min<std::int64_t>(random.one_of({4, 40, 400}), limits.file_bytes / unit / 8));
  const std::int64_t displacement = random.pick(0, 50);
  std::vector<View> views(at(ranks), {displacement, unit, View::Kind::kIndexed, {}, 1});
  std::int64_t place = 0;
  for (std::int64_t piece = random.pick(1, 5 * ranks); piece > 0 && place * unit < limits.file_bytes; --piece) {
    const std::int64_t length = random.pick(1, longest);
    const int owner = random.pick_int(0, ranks);
    if (owner < ranks) views[at(owner)].numbers.insert(views[at(owner)].numbers.end(), {place, length});
    place += length;
  }
  for (View& view : views) {
    if (view.numbers.empty() && !limits.empty) view.numbers = {place++, 1};
  }
  for (View& view : views) view.extent = std::max<std::int64_t>(place, 1);
  return views;
}

// Blocks of a three-dimensional array, with a ghost rim that nobody has.
std::vector<View> blocks(Random& random, int ranks, std::int64_t unit, const ViewLimits& limits) {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  int rest = ranks;
  for (int factor = 2; rest > 1; ++factor) {
    for (; rest % factor == 0; rest /= factor) grid[static_cast<std::size_t>(random.pick(0, 2))] *= factor;
  }
  std::array<std::int64_t, 3> local = {};
  std::array<std::int64_t, 3> whole = {};
  std::int64_t elements = unit;
  for (std::size_t d = 0; d < 3; ++d) {
    local[d] = random.pick(1, random.one_of({2, 5, 9}));
    whole[d] = grid[d] * local[d] + (random.one_in(4) ? random.pick(0, 2) : 0);
    elements *= whole[d];
    if (elements > limits.file_bytes) return cyclic(random, ranks, unit, limits);
  }
  std::vector<View> views;
  const std::int64_t displacement = random.pick(0, 3) * 8;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t x = rank / (grid[1] * grid[2]) * local[0];
    const std::int64_t y = rank / grid[2] % grid[1] * local[1];
    const std::int64_t z = rank % grid[2] * local[2];
    views.push_back({displacement,
                     unit,
                     View::Kind::kSubarray,
                     {whole[0], whole[1], whole[2], local[0], local[1], local[2], x, y, z},
                     whole[0] * whole[1] * whole[2]});
  }
  return views;
}

std::vector<View> group_views(Random& random, int kind, int ranks, std::int64_t unit, const ViewLimits& limits) {
  switch (kind) {
    case 0:
    case 1: return std::vector<View>(at(ranks), {random.pick(0, 4) * 16, unit, View::Kind::kPlain, {}, 1});
    case 2: {
      const std::vector<View> one = random.one_in(2) ? cyclic(random, 1, unit, limits) : dealt(random, 1, unit, limits);
      return std::vector<View>(at(ranks), one.front());
    }
    case 3:
    case 4: return dealt(random, ranks, unit, limits);
    case 5:
    case 6: return blocks(random, ranks, unit, limits);
    default: return cyclic(random, ranks, unit, limits);
  }
}

void draw_engine_hints(Random& random, Hints& hints) {
  const auto maybe = [&](const char* key, std::initializer_list<const char*> values) {
    if (!random.one_in(3)) hints.emplace_back(key, random.one_of(values));
  };
  maybe("cb_nodes", {"1", "2", "3", "4", "9"});
  maybe("cb_buffer_size", {"64", "512", "997", "4096", "4096", "16384", "65536", "1048576"});
  maybe("weir_pipeline_depth", {"1", "2", "3"});
  maybe("weir_exchange", {"auto", "shared", "direct", "pairwise"});
  maybe("weir_local_aggregators", {"1", "2", "4"});
  maybe("weir_domains", {"auto", "even", "aligned", "static_cyclic", "group_cyclic"});
  maybe("weir_sparse", {"auto", "true", "false"});
  maybe("weir_merge", {"auto", "true", "false"});
}

}  // namespace

RankSet Random::some_of(RankSet set) {
  RankSet some = 0;
  for (int rank = 0; rank < kMostRanks; ++rank) {
    if (contains(set, rank) && one_in(2)) some |= only(rank);
  }
  return some != 0 ? some : set;
}

Hints draw_hints(Random& random) {
  Hints hints;
  switch (random.pick(0, 5)) {
    case 0: break;
    case 1: hints.emplace_back("weir_method", "independent"); break;
    case 2:
      hints.emplace_back("romio_cb_write", random.one_of({"enable", "disable", "automatic"}));
      hints.emplace_back("romio_cb_read", random.one_of({"enable", "disable", "automatic"}));
      break;
    default: hints.emplace_back("weir_method", "two_phase");
  }
  draw_engine_hints(random, hints);
  if (random.one_in(6)) hints.emplace_back("weir_max_acc", random.one_of({"1", "2", "4"}));
  if (random.one_in(6)) hints.emplace_back("romio_ds_read", random.one_of({"enable", "disable"}));
  if (random.one_in(6)) hints.emplace_back("romio_ds_write", random.one_of({"enable", "disable"}));
  if (random.one_in(6)) hints.emplace_back("ind_rd_buffer_size", random.one_of({"128", "4096"}));
  if (random.one_in(6)) hints.emplace_back("ind_wr_buffer_size", random.one_of({"128", "4096"}));
  if (random.one_in(8)) hints.emplace_back("striping_unit", random.one_of({"512", "4096"}));
  if (random.one_in(4)) hints.emplace_back("weir_io", random.one_of({"buffered", "direct", "uring", "uring"}));
  return hints;
}

void draw_agent_hints(Random& random, Hints& hints) {
  const bool by_number = random.one_in(3);
  if (by_number || random.one_in(2)) hints.emplace_back("weir_agents", random.one_of({"1", "2", "3", "7"}));
  if (!by_number) hints.emplace_back("IBM_largeblock_io", random.one_of({"false", "false", "true", "switchable"}));
  hints.emplace_back("IBM_io_buffer_size", random.one_of({"64", "512", "4096"}));
  hints.emplace_back("weir_agent_memory", random.one_of({"64", "1024", "65536"}));
}

Memory draw_memory(Random& random, std::int64_t count) {
  if (count == 0 || random.one_in(3)) return {};
  Memory memory;
  memory.kind = static_cast<Memory::Kind>(random.pick(1, 4));
  for (int attempt = 0; attempt < 6; ++attempt) {
    memory.block = random.one_of<std::int64_t>({1, 2, 3, 4, 6, 8, 16, count / 2, count / 3, count});
    if (memory.block >= 1 && count % memory.block == 0 && count / memory.block <= 256) {
      memory.gap = random.pick(0, 3);
      return memory;
    }
  }
  return {};
}

std::vector<View> draw_views(Random& random, const Communicator& communicator, const ViewLimits& limits) {
  const auto unit = random.one_of<std::int64_t>({1, 1, 4, 4, 8, 2, 3, 12});
  const int kind = random.pick_int(0, 9);
  std::vector<View> views(communicator.colours.size());
  for (int colour = 0; colour < communicator.colour_count(); ++colour) {
    const std::vector<int> members = communicator.members(colour);
    const std::vector<View> group = group_views(random, kind, static_cast<int>(members.size()), unit, limits);
    for (std::size_t i = 0; i < members.size(); ++i) views[at(members[i])] = group[i];
  }
  return views;
}

Communicator draw_communicator(Random& random, int ranks, bool is_first) {
  Communicator made;
  const std::int64_t choice = is_first ? 0 : random.pick(0, 5);
  made.colours.assign(at(ranks), 0);
  if (choice == 1) {
    made.kind = Communicator::Kind::kSelf;
    for (int rank = 0; rank < ranks; ++rank) made.colours[at(rank)] = rank;
  } else if (choice == 2) {
    made.kind = Communicator::Kind::kDup;
  } else if (choice >= 3) {
    made.kind = Communicator::Kind::kSplit;
    const int parts = random.pick_int(1, std::min(ranks, 3));
    const bool odd = random.one_in(2);
    for (int rank = 0; rank < ranks; ++rank) made.colours[at(rank)] = odd ? rank % parts : rank * parts / ranks;
  }
  return made;
}

}  // namespace weir::programs

// Program: a random MPI-IO program as a value. Pure: no MPI, no weir. What the steps mean is in model.h; runners carry
// them out.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/extent.h"

namespace weir::programs {

using RankSet = std::uint32_t;  // bit r: rank r
inline constexpr int kMostRanks = 32;

inline constexpr RankSet only(int rank) { return RankSet{1} << rank; }
inline constexpr bool contains(RankSet set, int rank) { return (set & only(rank)) != 0; }
inline constexpr RankSet first_ranks(int ranks) { return static_cast<RankSet>((std::uint64_t{1} << ranks) - 1); }

// Ranks of equal colour are one communicator. A file opened on it is one file for each colour.
struct Communicator {
  enum class Kind : std::uint8_t { kWorld, kSelf, kDup, kSplit };
  Kind kind = Kind::kWorld;
  std::vector<int> colours;  // by rank
  bool operator==(const Communicator&) const = default;

  RankSet group_of(int rank) const;
  int colour_count() const;
  std::vector<int> members(int colour) const;
};

// A rank's view of a file. All numbers but the displacement are in etypes.
struct View {
  enum class Kind : std::uint8_t { kPlain, kVector, kIndexed, kSubarray };
  std::int64_t displacement = 0;
  std::int64_t etype_bytes = 1;  // 1, 2, 3, 4, 8 or 12
  Kind kind = Kind::kPlain;
  // kVector: count, block, stride. kIndexed: displacement and length of each block. kSubarray: 3 sizes, 3 subsizes,
  // 3 starts, the last dimension contiguous.
  std::vector<std::int64_t> numbers = {};
  std::int64_t extent = 1;  // of the file type
  bool operator==(const View&) const = default;
};

// How the data of a call lie in memory: in blocks, with a gap behind each.
struct Memory {
  enum class Kind : std::uint8_t {
    kPlain,     // count etypes
    kOne,       // one contiguous type
    kVector,    // one vector type
    kTiles,     // count / block resized types
    kReversed,  // one indexed type: the first block comes last in memory
  };
  Kind kind = Kind::kPlain;
  std::int64_t block = 1;  // in etypes; divides the count
  std::int64_t gap = 0;
  bool operator==(const Memory&) const = default;
};

// What one rank asks for in an access, or where it seeks to. In etypes.
struct Share {
  std::int64_t offset = 0;  // for Pointer::kExplicit
  std::int64_t count = 0;
  Memory memory = {};
  bool operator==(const Share&) const = default;
};

struct Mode {
  bool reads = true;
  bool writes = true;
  bool create = false;
  bool exclusive = false;
  bool delete_on_close = false;
  bool unique_open = false;
  bool append = false;
  bool operator==(const Mode&) const = default;
};

enum class Pointer : std::uint8_t { kExplicit, kIndividual, kShared, kOrdered };
enum class Manner : std::uint8_t { kBlocking, kSplit, kNonblocking };
enum class Way : std::uint8_t { kWaitEach, kWaitBackwards, kWaitall, kWaitany, kWaitsome, kTest, kTestall };
inline constexpr int kWays = 7;
enum class Whence : std::uint8_t { kSet, kCurrent, kEnd };

enum class StepKind : std::uint8_t {
  kOpen,         // file, mode, hints
  kClose,        // file
  kView,         // file, views
  kSeek,         // file, ranks, shares, whence
  kSeekShared,   // file, number: an absolute offset
  kAccess,       // file, id, ranks, shares and what follows them
  kJoin,         // id, ranks: start a nonblocking collective access that others have started before
  kEnd,          // id: of a split access
  kComplete,     // ranks, accesses, messages, way
  kIsend,        // id
  kIrecv,        // id
  kSend,         // id: the receive was posted before
  kRecv,         // id
  kExchange,     // id: one rank sends while the other receives
  kBarrier,      // number: the communicator
  kSync,         // file
  kSettle,       // file, number: 0: sync, barrier, sync; 1 (in atomic mode): a barrier
  kSetSize,      // file, number
  kPreallocate,  // file, number
  kAtomic,       // file, number: 0 or 1
  kAsk,          // file: size and positions, then a barrier
};
inline constexpr int kStepKinds = 21;

struct Step {
  StepKind kind = StepKind::kAsk;
  int file = -1;
  int id = -1;        // of the access or the message
  RankSet ranks = 0;  // of kAccess, kJoin, kSeek and kComplete; the others are known from the file or the message
  std::int64_t number = 0;
  Mode mode = {};
  std::vector<std::pair<std::string, std::string>> hints = {};
  std::vector<View> views = {};    // by rank
  std::vector<Share> shares = {};  // by rank
  Whence whence = Whence::kSet;
  Direction direction = Direction::kWrite;
  Pointer pointer = Pointer::kExplicit;
  bool collective = false;
  Manner manner = Manner::kBlocking;
  bool overlaps = false;  // ranks may write the same bytes: any of the values may stay
  std::vector<int> accesses = {};
  std::vector<int> messages = {};
  Way way = Way::kWaitall;
  bool operator==(const Step&) const = default;
};

struct FileSpec {
  int communicator = 0;
  std::int64_t initial_bytes = -1;  // -1: there is no file yet
  bool operator==(const FileSpec&) const = default;
};

struct Message {
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;
  bool operator==(const Message&) const = default;
};

// A driver's call on one rank that fails; for ranks as threads.
struct PlannedFault {
  int rank = 0;
  bool on_write = true;
  std::int64_t call = 0;
  int error_number = 5;
  bool operator==(const PlannedFault&) const = default;
};

enum class Level : std::uint8_t { kSingle, kFunneled, kSerialized, kMultiple };

// A sequence of steps. Each rank does its part of them in this order. A blocking step is placed where all it waits for
// has been done by earlier steps, or is done by other ranks in the same step: so no order of events can deadlock.
struct Program {
  std::uint64_t seed = 0;  // of the data, and where it came from
  int ranks = 1;
  int ranks_per_node = 0;  // for ranks as threads; 0: all on one
  bool eager = false;      // likewise: how messages of the engine are delivered
  Level level = Level::kMultiple;
  std::vector<Communicator> communicators;
  std::vector<FileSpec> files;
  std::vector<Message> messages;  // by id
  std::vector<PlannedFault> faults;
  std::vector<Step> steps;
  bool operator==(const Program&) const = default;

  RankSet everyone() const { return first_ranks(ranks); }
  const Communicator& communicator_of(int file) const {
    return communicators[static_cast<std::size_t>(files[static_cast<std::size_t>(file)].communicator)];
  }
};

// The ranks that do something in the step.
RankSet ranks_of(const Program& program, const Step& step);

// The step that begins the access; null when there is none.
const Step* find_access(const Program& program, int id);

// Whether a nonblocking collective access starts on some ranks before others.
bool has_late_starts(const Program& program);

// Whether it does anything with shared file pointers; else they are not asked for either.
bool uses_shared_pointers(const Program& program);

// The name of a file of a colour, without a directory.
std::string file_name(int file, int colour);

// A byte of a program's data: which access (or what else) wrote it, on which rank, as which byte of its request. 0: a
// byte that nobody wrote.
using Origin = std::uint64_t;
inline constexpr Origin kUnwritten = 0;
inline constexpr Origin kUnknown = ~Origin{0};
inline constexpr int kInitialId = 1;  // what was in the file before; the rank is the colour
inline constexpr int kFirstAccessId = 2;
inline constexpr int kFirstMessageId = 60000;
inline constexpr Origin origin(int id, int rank, std::int64_t position) {
  return static_cast<Origin>(id) << 48 | static_cast<Origin>(rank) << 40 | static_cast<Origin>(position);
}
std::string describe_origin(Origin origin);

// The value of that byte; 0 for kUnwritten only.
std::uint8_t value_of(std::uint64_t seed, Origin origin);

}  // namespace weir::programs

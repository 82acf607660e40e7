// The one table of hints: everything that parses, reports, prints or documents a hint reads these
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/io_way.h"
#include "base/toggle.h"

namespace weir::hints {

// One value per row of the table, in the table's order.
enum class Id : std::uint8_t {
  // MPI standard
  kAccessStyle,
  kCollectiveBuffering,
  kCbBlockSize,
  kCbBufferSize,
  kCbNodes,
  kChunked,
  kChunkedItem,
  kChunkedSize,
  kFilename,
  kFilePerm,
  kIoNodeList,
  kNbProc,
  kNumIoNodes,
  kStripingFactor,
  kStripingUnit,
  kAssertMemoryAllocKinds,
  kMemoryAllocKinds,
  // ROMIO
  kRomioCbRead,
  kRomioCbWrite,
  kRomioDsRead,
  kRomioDsWrite,
  kIndRdBufferSize,
  kIndWrBufferSize,
  kCbConfigList,
  kRomioNoIndepRw,
  kRomioVisibilityImmediate,
  kRomioSynchronizedFlush,
  kRomioFilesystemType,
  kRomioAggregatorList,
  kRomioCbPfr,
  kRomioCbFrTypes,
  kRomioCbFrAlignment,
  kRomioCbDsThreshold,
  kRomioCbAlltoall,
  kRomioMinFdomainSize,
  kDirectRead,
  kDirectWrite,
  kStartIodevice,
  kRomioLustreCoRatio,
  kRomioLustreCollThreshold,
  kRomioLustreDsInColl,
  kRomioLustreLockAhead,
  kRomioPvfs2,
  kRomioDaos,
  kPanfs,
  kBlueGene,
  kCbAlign,
  // OMPIO
  kOmpioRelaxedOrdering,
  kOmpioParameter,
  // IBM
  kIbmLargeblockIo,
  kIbmIoBufferSize,
  // weir
  kWeirMethod,
  kWeirDomains,
  kWeirLocalAggregators,
  kWeirMerge,
  kWeirExchange,
  kWeirSparse,
  kWeirPipelineDepth,
  kWeirMaxAcc,
  kWeirIo,
  kWeirAgents,
  kWeirAgentMemory,
  kWeirDriver,
  kWeirStriping,
  kWeirWatchdog,
  kWeirWatchdogAbort,
};
inline constexpr std::size_t kHintCount = static_cast<std::size_t>(Id::kWeirWatchdogAbort) + 1;

enum class Type : std::uint8_t {
  kBytes,    // a whole number; k, m, g, t (also kb, KiB, ...) multiply by powers of 1024
  kCount,    // a whole number
  kOctal,    // file permissions in octal, as for chmod
  kBoolean,  // true or false; also yes/no, on/off, enable/disable, 1/0
  kWord,     // one of Row::words
  kText,     // anything printable
};

// When a user may give the hint a value.
enum class Settable : std::uint8_t {
  kNever,         // only weir sets it, to inform the user
  kAtOpen,        // only MPI_File_open
  kAnytime,       // MPI_File_open, MPI_File_set_view, MPI_File_set_info
  kIfSwitchable,  // MPI_File_open, and later where that was given IBM_largeblock_io=switchable
};

// What this version does with the hint.
enum class Effect : std::uint8_t {
  kInForce,   // acts on it
  kAccepted,  // checks, keeps and returns it, for parts of the engine that do not act on it yet
  kIgnored,   // knows it and does nothing; Row::reason says why
};

// One hint. Fields that a row leaves out are empty.
struct Row {
  Id id;
  // The canonical name: the standard's or ROMIO's where there is one, because libraries look for
  // those. A name that ends with '*' stands for all keys that begin so; such rows are kIgnored.
  std::string_view name;
  std::string_view aliases = {};  // other names with the same meaning, separated by spaces
  Type type = Type::kText;
  std::int64_t least = 0;  // numbers: a smaller one is replaced by the default
  std::int64_t most = 0;   // numbers: a larger one is replaced by `most`
  // kWord: the values, separated by '|', in the order of the hint's enum below.
  std::string_view words = {};
  // In the form that describe() returns; empty: no value, weir decides.
  std::string_view default_text = {};
  Settable settable = Settable::kAnytime;
  Effect effect = Effect::kIgnored;
  std::string_view text = {};    // what it does, one sentence
  std::string_view reason = {};  // kIgnored: why nothing is done
};

// The meanings of kWord hints, in the order of their words.
// romio_cb_read, romio_cb_write, romio_ds_read, romio_ds_write:
// weir_io: IoWay. IBM_largeblock_io:
enum class LargeBlock : std::uint8_t { kAuto, kFalse, kTrue, kSwitchable };
// weir_method, weir_domains, weir_merge, weir_exchange, weir_sparse:
enum class Method : std::uint8_t { kAuto, kIndependent, kTwoPhase };
enum class Domains : std::uint8_t { kAuto, kEven, kAligned, kStaticCyclic, kGroupCyclic };
enum class Merge : std::uint8_t { kAuto, kTrue, kFalse };
enum class Exchange : std::uint8_t { kAuto, kShared, kDirect, kPairwise };
enum class Sparse : std::uint8_t { kAuto, kTrue, kFalse };
// weir_striping:
enum class ChooseStriping : std::uint8_t { kAuto, kKeep };

// All rows, in the order of Id.
std::span<const Row> table();
const Row& row(Id id);

// Info keys and values up to this long fit every host MPI (Open MPI: 36 and 256 with the
// terminator).
inline constexpr std::size_t kShortestKeyLimit = 35;
inline constexpr std::size_t kShortestValueLimit = 255;

}  // namespace weir::hints

// The one table of hints: everything that parses, reports, prints or documents a hint reads these rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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
  kWeirExchange,
  kWeirSparse,
  kWeirPipelineDepth,
  kWeirMaxAcc,
};
inline constexpr std::size_t kHintCount = static_cast<std::size_t>(Id::kWeirMaxAcc) + 1;

// Whose hint it is.
enum class Family : std::uint8_t { kStandard, kRomio, kOmpio, kIbm, kWeir };

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
  kNever,    // only weir sets it, to inform the user
  kAtOpen,   // only MPI_File_open
  kAnytime,  // MPI_File_open, MPI_File_set_view, MPI_File_set_info
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
  Family family;
  // The canonical name: the standard's or ROMIO's where there is one, because libraries look for those.
  // A name that ends with '*' stands for all keys that begin so; such rows are kIgnored.
  std::string_view name;
  std::string_view aliases = {};  // other names with the same meaning, separated by spaces
  Type type = Type::kText;
  std::int64_t least = 0;           // numbers: a smaller one is replaced by the default
  std::int64_t most = 0;            // numbers: a larger one is replaced by `most`
  std::string_view words = {};      // kWord: the values, separated by '|', in the order of the enum below
  std::string_view default_text = {};  // in the form that describe() returns; empty: no value, weir decides
  Settable settable = Settable::kAnytime;
  Effect effect = Effect::kIgnored;
  std::string_view text = {};    // what it does, one sentence
  std::string_view reason = {};  // kIgnored: why nothing is done
};

// The meanings of kWord hints, in the order of their words.
enum class Toggle : std::uint8_t { kAutomatic, kEnable, kDisable };           // romio_cb_*, romio_ds_*
enum class LargeBlock : std::uint8_t { kAuto, kFalse, kTrue, kSwitchable };   // IBM_largeblock_io
enum class Method : std::uint8_t { kAuto, kIndependent, kTwoPhase };          // weir_method
enum class Domains : std::uint8_t { kAuto, kEven, kAligned, kStaticCyclic, kGroupCyclic };  // weir_domains
enum class Exchange : std::uint8_t { kAuto, kShared, kDirect, kPairwise };    // weir_exchange
enum class Sparse : std::uint8_t { kAuto, kTrue, kFalse };                    // weir_sparse

// All rows, in the order of Id.
std::span<const Row> table();
const Row& row(Id id);

// The row that `key` names, canonically, by an alias or by a '*' row; exact spelling. Null when there is none.
const Row* find(std::string_view key);

// The MPI call whose info key this is, when it is a reserved key of the standard that does not concern files.
std::optional<std::string_view> foreign_owner(std::string_view key);

// The non-empty parts of `text` between separators. The views point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

// Info keys and values up to this long fit every host MPI (Open MPI: 36 and 256 with the terminator).
inline constexpr std::size_t kShortestKeyLimit = 35;
inline constexpr std::size_t kShortestValueLimit = 255;

}  // namespace weir::hints

#include "hints/table.h"

#include <array>

namespace weir::hints {

namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kGiB = kKiB * kKiB * kKiB;
constexpr std::int64_t kMostBytes = 64 * kGiB;
constexpr std::int64_t kMostRanks = 1 << 24;
constexpr std::string_view kToggleWords = "automatic|enable|disable";

constexpr std::string_view kNoDeviceChoice = "no file system driver lets a file choose its devices";
constexpr std::string_view kByteStream = "files are streams of bytes on every file system weir drives";
constexpr std::string_view kDomainsDecide =
    "file domains are decided by the plan; see weir_domains and striping_unit";
constexpr std::string_view kNotDriven = "this version has no driver for that file system";
constexpr std::string_view kNoDirectIo = "this version always goes through the page cache";
constexpr std::string_view kNoMemoryKinds = "the host MPI's business; weir takes any memory the CPU can address";

constexpr std::array kTable = {
    // ---- MPI standard ----
    Row{.id = Id::kAccessStyle, .family = Family::kStandard, .name = "access_style",
        .text = "How the file will be accessed (read_once, sequential, random, ...).",
        .reason = "this version passes no access advice to the file system"},
    Row{.id = Id::kCollectiveBuffering, .family = Family::kStandard, .name = "collective_buffering",
        .type = Type::kBoolean, .effect = Effect::kAccepted,
        .text = "Whether collective calls may go through aggregators; romio_cb_read and romio_cb_write "
                "win over it."},
    Row{.id = Id::kCbBlockSize, .family = Family::kStandard, .name = "cb_block_size",
        .text = "Block size of collective buffering.", .reason = kDomainsDecide},
    Row{.id = Id::kCbBufferSize, .family = Family::kStandard, .name = "cb_buffer_size",
        .aliases = "io_ompio_bytes_per_agg coll_read_bufsize coll_write_bufsize", .type = Type::kBytes,
        .least = 1, .most = kMostBytes, .default_text = "16777216", .effect = Effect::kAccepted,
        .text = "Size of one collective buffer of an aggregator."},
    Row{.id = Id::kCbNodes, .family = Family::kStandard, .name = "cb_nodes",
        .aliases = "num_aggregators io_ompio_num_aggregators", .type = Type::kCount, .least = 1,
        .most = kMostRanks, .effect = Effect::kAccepted,
        .text = "Number of aggregators; without it weir derives one from nodes, servers and ranks."},
    Row{.id = Id::kChunked, .family = Family::kStandard, .name = "chunked",
        .text = "The file is a chunked array of these dimensions.", .reason = kByteStream},
    Row{.id = Id::kChunkedItem, .family = Family::kStandard, .name = "chunked_item",
        .text = "Size of an array entry of a chunked file.", .reason = kByteStream},
    Row{.id = Id::kChunkedSize, .family = Family::kStandard, .name = "chunked_size",
        .text = "Dimensions of a chunk of a chunked file.", .reason = kByteStream},
    Row{.id = Id::kFilename, .family = Family::kStandard, .name = "filename",
        .settable = Settable::kNever, .effect = Effect::kInForce,
        .text = "The name the file was opened by, for MPI_File_get_info."},
    Row{.id = Id::kFilePerm, .family = Family::kStandard, .name = "file_perm", .type = Type::kOctal,
        .least = 1, .most = 0777, .settable = Settable::kAtOpen, .effect = Effect::kInForce,
        .text = "Permissions of a file that open creates, less the umask; without it 666."},
    Row{.id = Id::kIoNodeList, .family = Family::kStandard, .name = "io_node_list",
        .text = "Devices that should store the file.", .reason = kNoDeviceChoice},
    Row{.id = Id::kNbProc, .family = Family::kStandard, .name = "nb_proc",
        .text = "Number of processes that will typically access the file.",
        .reason = "weir knows the communicator"},
    Row{.id = Id::kNumIoNodes, .family = Family::kStandard, .name = "num_io_nodes",
        .text = "Number of devices of the system.", .reason = kNoDeviceChoice},
    Row{.id = Id::kStripingFactor, .family = Family::kStandard, .name = "striping_factor",
        .aliases = "stripe_width fs_lustre_stripe_width", .type = Type::kCount, .least = 1,
        .most = 1 << 16, .settable = Settable::kAtOpen, .effect = Effect::kAccepted,
        .text = "Number of servers a new file is striped over, where the file system allows."},
    Row{.id = Id::kStripingUnit, .family = Family::kStandard, .name = "striping_unit",
        .aliases = "stripe_size fs_lustre_stripe_size", .type = Type::kBytes, .least = 1,
        .most = kMostBytes, .settable = Settable::kAtOpen, .effect = Effect::kAccepted,
        .text = "Bytes of a new file on one server before the next, where the file system allows."},
    Row{.id = Id::kAssertMemoryAllocKinds, .family = Family::kStandard,
        .name = "mpi_assert_memory_alloc_kinds",
        .text = "Kinds of memory that buffers are allocated from.", .reason = kNoMemoryKinds},
    Row{.id = Id::kMemoryAllocKinds, .family = Family::kStandard, .name = "mpi_memory_alloc_kinds",
        .text = "Kinds of memory that the MPI library supports.", .reason = kNoMemoryKinds},

    // ---- ROMIO ----
    Row{.id = Id::kRomioCbRead, .family = Family::kRomio, .name = "romio_cb_read", .type = Type::kWord,
        .words = kToggleWords, .default_text = "automatic", .effect = Effect::kAccepted,
        .text = "Whether collective reads go through aggregators: always, never, or where it pays."},
    Row{.id = Id::kRomioCbWrite, .family = Family::kRomio, .name = "romio_cb_write", .type = Type::kWord,
        .words = kToggleWords, .default_text = "automatic", .effect = Effect::kAccepted,
        .text = "Whether collective writes go through aggregators: always, never, or where it pays."},
    Row{.id = Id::kRomioDsRead, .family = Family::kRomio, .name = "romio_ds_read", .type = Type::kWord,
        .words = kToggleWords, .default_text = "automatic", .effect = Effect::kInForce,
        .text = "Data sieving in independent reads of many pieces: always, never, or where it pays."},
    Row{.id = Id::kRomioDsWrite, .family = Family::kRomio, .name = "romio_ds_write", .type = Type::kWord,
        .words = kToggleWords, .default_text = "automatic", .effect = Effect::kInForce,
        .text = "Data sieving in independent writes; acts only where no other rank's bytes can be lost."},
    Row{.id = Id::kIndRdBufferSize, .family = Family::kRomio, .name = "ind_rd_buffer_size",
        .aliases = "noncoll_read_bufsize", .type = Type::kBytes, .least = 1, .most = kMostBytes,
        .default_text = "4194304", .effect = Effect::kInForce,
        .text = "Size of the buffer for sieving independent reads."},
    Row{.id = Id::kIndWrBufferSize, .family = Family::kRomio, .name = "ind_wr_buffer_size",
        .aliases = "noncoll_write_bufsize", .type = Type::kBytes, .least = 1, .most = kMostBytes,
        .default_text = "524288", .effect = Effect::kInForce,
        .text = "Size of the buffer for sieving independent writes."},
    Row{.id = Id::kCbConfigList, .family = Family::kRomio, .name = "cb_config_list",
        .effect = Effect::kAccepted,
        .text = "Hosts that may hold aggregators and how many each, as host:number,..., * for any."},
    Row{.id = Id::kRomioNoIndepRw, .family = Family::kRomio, .name = "romio_no_indep_rw",
        .text = "Promise of no independent access, so that only aggregators open the file.",
        .reason = "deferred open is not needed: every rank opens the file"},
    Row{.id = Id::kRomioVisibilityImmediate, .family = Family::kRomio,
        .name = "romio_visibility_immediate", .type = Type::kBoolean, .default_text = "true",
        .settable = Settable::kNever, .effect = Effect::kInForce,
        .text = "Whether other ranks see written data without MPI_File_sync; HDF5 reads it."},
    Row{.id = Id::kRomioSynchronizedFlush, .family = Family::kRomio, .name = "romio_synchronized_flush",
        .text = "Whether MPI_File_sync flushes only after all ranks have come.",
        .reason = "this version has one way of flushing"},
    Row{.id = Id::kRomioFilesystemType, .family = Family::kRomio, .name = "romio_filesystem_type",
        .text = "Which of its drivers ROMIO chose.", .reason = "it names parts of ROMIO"},
    Row{.id = Id::kRomioAggregatorList, .family = Family::kRomio, .name = "romio_aggregator_list",
        .text = "Which ranks ROMIO made aggregators.", .reason = "it informs about ROMIO; see weir report"},
    Row{.id = Id::kRomioCbPfr, .family = Family::kRomio, .name = "romio_cb_pfr",
        .text = "Whether file domains stay the same from call to call.", .reason = kDomainsDecide},
    Row{.id = Id::kRomioCbFrTypes, .family = Family::kRomio, .name = "romio_cb_fr_types",
        .aliases = "romio_cb_fr_type", .text = "How file domains are cut.", .reason = kDomainsDecide},
    Row{.id = Id::kRomioCbFrAlignment, .family = Family::kRomio, .name = "romio_cb_fr_alignment",
        .text = "Boundaries that file domains keep to.", .reason = kDomainsDecide},
    Row{.id = Id::kRomioCbDsThreshold, .family = Family::kRomio, .name = "romio_cb_ds_threshold",
        .text = "Size from which aggregators sieve.", .reason = "weir decides by cost"},
    Row{.id = Id::kRomioCbAlltoall, .family = Family::kRomio, .name = "romio_cb_alltoall",
        .text = "Whether data are exchanged by MPI_Alltoallv.", .reason = "see weir_exchange"},
    Row{.id = Id::kRomioMinFdomainSize, .family = Family::kRomio, .name = "romio_min_fdomain_size",
        .text = "Least size of a file domain.", .reason = kDomainsDecide},
    Row{.id = Id::kDirectRead, .family = Family::kRomio, .name = "direct_read",
        .text = "Whether reads bypass the page cache.", .reason = kNoDirectIo},
    Row{.id = Id::kDirectWrite, .family = Family::kRomio, .name = "direct_write",
        .text = "Whether writes bypass the page cache.", .reason = kNoDirectIo},
    Row{.id = Id::kStartIodevice, .family = Family::kRomio, .name = "start_iodevice",
        .aliases = "romio_lustre_start_iodevice", .text = "First server of a new file's stripes.",
        .reason = kNoDeviceChoice},
    Row{.id = Id::kRomioLustreCoRatio, .family = Family::kRomio, .name = "romio_lustre_co_ratio",
        .text = "Most clients per Lustre server.", .reason = "see weir_domains and cb_nodes"},
    Row{.id = Id::kRomioLustreCollThreshold, .family = Family::kRomio,
        .name = "romio_lustre_coll_threshold",
        .text = "Request size from which ROMIO leaves out collective buffering on Lustre.",
        .reason = "weir decides by cost; see weir_method"},
    Row{.id = Id::kRomioLustreDsInColl, .family = Family::kRomio, .name = "romio_lustre_ds_in_coll",
        .text = "Whether aggregators may read, modify and write on Lustre.",
        .reason = "holes are left alone in collective writes on every file system"},
    Row{.id = Id::kRomioLustreLockAhead, .family = Family::kRomio, .name = "romio_lustre_cb_lock_ahead_*",
        .text = "Lustre locks asked for in advance.", .reason = kNotDriven},
    Row{.id = Id::kRomioPvfs2, .family = Family::kRomio, .name = "romio_pvfs2_*",
        .text = "Choices of ROMIO's PVFS2 driver.", .reason = kNotDriven},
    Row{.id = Id::kRomioDaos, .family = Family::kRomio, .name = "romio_daos_*",
        .text = "Choices of ROMIO's DAOS driver.", .reason = kNotDriven},
    Row{.id = Id::kPanfs, .family = Family::kRomio, .name = "panfs_*",
        .text = "Choices of ROMIO's PanFS driver.", .reason = kNotDriven},
    Row{.id = Id::kBlueGene, .family = Family::kRomio, .name = "bg_nodes_pset",
        .aliases = "bgl_nodes_pset", .text = "Aggregators per processor set of a Blue Gene.",
        .reason = "for another machine; see cb_nodes"},
    Row{.id = Id::kCbAlign, .family = Family::kRomio, .name = "cb_align",
        .text = "How Cray's ROMIO aligns file domains.", .reason = kDomainsDecide},

    // ---- OMPIO ----
    Row{.id = Id::kOmpioRelaxedOrdering, .family = Family::kOmpio,
        .name = "OMPIO_SHAREDFP_RELAXED_ORDERING",
        .text = "Whether writes through the shared pointer may end up in any order.",
        .reason = "the shared pointer always keeps the standard's order"},
    Row{.id = Id::kOmpioParameter, .family = Family::kOmpio, .name = "io_ompio_*",
        .text = "Other parameters of Open MPI's io/ompio component.",
        .reason = "they steer parts of OMPIO that weir does not have"},

    // ---- IBM ----
    Row{.id = Id::kIbmLargeblockIo, .family = Family::kIbm, .name = "IBM_largeblock_io",
        .aliases = "ibm_largeblock_io", .type = Type::kWord, .words = "auto|false|true|switchable",
        .default_text = "auto", .effect = Effect::kAccepted,
        .text = "true: every rank accesses the file itself; false: data go through I/O agents; "
                "switchable: may change after open."},
    Row{.id = Id::kIbmIoBufferSize, .family = Family::kIbm, .name = "IBM_io_buffer_size",
        .aliases = "ibm_io_buffer_size", .type = Type::kBytes, .least = 1, .most = kMostBytes,
        .effect = Effect::kAccepted,
        .text = "Stripe by which file blocks are bound to I/O agents; without it 16 file system blocks."},

    // ---- weir ----
    Row{.id = Id::kWeirMethod, .family = Family::kWeir, .name = "weir_method", .type = Type::kWord,
        .words = "auto|independent|two_phase", .default_text = "auto", .effect = Effect::kAccepted,
        .text = "How collective calls reach the file."},
    Row{.id = Id::kWeirDomains, .family = Family::kWeir, .name = "weir_domains", .type = Type::kWord,
        .words = "auto|even|aligned|static_cyclic|group_cyclic", .default_text = "auto",
        .effect = Effect::kAccepted, .text = "How the file is divided among aggregators."},
    Row{.id = Id::kWeirLocalAggregators, .family = Family::kWeir, .name = "weir_local_aggregators",
        .type = Type::kCount, .least = 1, .most = kMostRanks, .effect = Effect::kAccepted,
        .text = "Local aggregators of each node; without it the cost model chooses."},
    Row{.id = Id::kWeirExchange, .family = Family::kWeir, .name = "weir_exchange", .type = Type::kWord,
        .words = "auto|shared|direct|pairwise", .default_text = "auto", .effect = Effect::kAccepted,
        .text = "How data travel between ranks and aggregators: shared memory, direct messages, "
                "pairwise trades."},
    Row{.id = Id::kWeirSparse, .family = Family::kWeir, .name = "weir_sparse",
        .aliases = "IBM_sparse_access ibm_sparse_access", .type = Type::kWord,
        .words = "auto|true|false", .default_text = "auto", .effect = Effect::kAccepted,
        .text = "Whether only ranks that have bytes for each other exchange anything."},
    Row{.id = Id::kWeirPipelineDepth, .family = Family::kWeir, .name = "weir_pipeline_depth",
        .type = Type::kCount, .least = 1, .most = 64, .default_text = "2", .effect = Effect::kAccepted,
        .text = "Rounds in flight at once; 1 overlaps nothing."},
    Row{.id = Id::kWeirMaxAcc, .family = Family::kWeir, .name = "weir_max_acc", .type = Type::kCount,
        .least = 0, .most = 1 << 20, .default_text = "0", .effect = Effect::kAccepted,
        .text = "File ranges a prefetching read asks for ahead; 0 switches prefetching off."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].id != static_cast<Id>(i)) return false;
  }
  return kTable.size() == kHintCount;
}
static_assert(in_order(), "the rows stand in the order of Id, one for each");

// Keys the standard reserves for other objects; programs pass one info to many calls.
struct ForeignKeys {
  std::string_view owner;
  std::string_view keys;
};
constexpr std::array kForeign = {
    ForeignKeys{"MPI_Comm_spawn", "appnum arch argv command file host maxprocs path soft wdir"},
    ForeignKeys{"MPI_Open_port", "ip_address ip_port"},
    ForeignKeys{"MPI_Win_create",
                "accumulate_ops accumulate_ordering alloc_shared_noncontig mpi_accumulate_granularity "
                "mpi_minimum_memory_alignment no_locks same_disp_unit same_size"},
    ForeignKeys{"MPI_Comm_set_info",
                "mpi_assert_allow_overtaking mpi_assert_exact_length mpi_assert_no_any_source "
                "mpi_assert_no_any_tag mpi_assert_strict_start_ordering mpi_hw_resource_type"},
    ForeignKeys{"MPI_Session_init", "mpi_pset_name mpi_size thread_level"},
};

bool has_word(std::string_view words, std::string_view word) {
  for (std::string_view each : split(words, ' ')) {
    if (each == word) return true;
  }
  return false;
}

bool stands_for(std::string_view name, std::string_view key) {
  return name.ends_with('*') && key.starts_with(name.substr(0, name.size() - 1));
}

}  // namespace

std::span<const Row> table() { return kTable; }

const Row& row(Id id) { return kTable[static_cast<std::size_t>(id)]; }

const Row* find(std::string_view key) {
  for (const Row& row : kTable) {
    if (row.name == key || has_word(row.aliases, key)) return &row;
  }
  for (const Row& row : kTable) {
    if (stands_for(row.name, key)) return &row;
  }
  return nullptr;
}

std::optional<std::string_view> foreign_owner(std::string_view key) {
  for (const ForeignKeys& foreign : kForeign) {
    if (has_word(foreign.keys, key)) return foreign.owner;
  }
  return std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace weir::hints

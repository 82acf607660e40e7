// FileDriver and File: what the engine needs of a file system and of one open file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/extent.h"
#include "base/io_way.h"
#include "base/lock_protocol.h"
#include "base/status.h"
#include "driver/striping.h"

namespace weir::driver {

// One contiguous byte range of the file, and the memory it goes to or comes from.
struct IoRequest {
  std::int64_t offset = 0;    // in the file
  std::byte* data = nullptr;  // only read from when the direction is kWrite
  std::int64_t bytes = 0;
};

// What became of a batch. Requests are served in order: `bytes_moved` counts the bytes of the requests' prefix that
// was transferred, also on failure. Less than the batch asked for, with an ok status, means end of file (reads).
struct IoOutcome {
  std::int64_t bytes_moved = 0;
  Status status;

  // Adds what became of the next part of the batch, which asked for so many bytes. False where the batch ends with it.
  bool add(IoOutcome part, std::int64_t asked_bytes);
};

struct FileSystem;
std::int64_t bytes_of(std::span<const IoRequest> requests);

struct OpenMode {
  bool read = true;
  bool write = false;
  bool create = false;                 // create the file when it is missing
  bool exclusive = false;              // with create: fail when it exists
  unsigned permissions = 0666;         // of a file that is created; the umask takes from them
  StripingWish striping = {};          // likewise
  const FileSystem* forced = nullptr;  // the driver that the user wants; null: the one that the mount asks for
  IoWay io = IoWay::kAuto;             // a wish: another way moves the same bytes
};

enum class LockKind : std::uint8_t { kShared, kExclusive };

// What a driver can do; asked, never guessed from its name. Everything defaults to "cannot".
struct Capabilities {
  bool locks = false;         // lock() keeps other openers of the file out, on this node at least
  bool preallocates = false;  // preallocate() reserves space without writing it
  bool prefetches = false;    // prefetch() may take ranges
};

// How the file lies on its file system, as far as it can be known.
struct StorageLayout {
  std::int64_t lock_bytes = 4096;  // granularity at which writers disturb each other
  std::int64_t stripe_bytes = 0;   // 0: not striped, or unknown
  int stripe_count = 1;            // servers the file is spread over
  int first_server = -1;           // its number; -1: unknown
  std::string file_system;         // e.g. "ext4", "tmpfs", "fuse.ceph-fuse"
  bool network = false;            // other nodes may have the file open too
  bool keeps_writes = false;       // until a sync, other nodes may not see what one has written
  LockProtocol lock_protocol = LockProtocol::kNone;
  std::string driver = {};            // that serves it, e.g. "lustre"; empty: not a file of the operating system
  std::string striping_refused = {};  // why a striping that was asked for at open is not, or may not be, the file's

  // As far as it is known.
  Striping striping() const {
    return stripe_bytes > 0 ? Striping{stripe_bytes, stripe_count, first_server} : Striping();
  }
};

// What an open file has done so far: calls to the file system (not to weir), and the bytes they moved.
struct IoCounters {
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t syncs = 0;
  std::int64_t ranges_asked = 0;   // given to prefetch()
  std::int64_t ranges_taken = 0;   // of these
  std::int64_t bytes_bounced = 0;  // of those read and written, through a bounce buffer
  std::int64_t in_flight = 0;      // of the reads and writes, by a ring, while others were under way
  std::int64_t bytes_direct = 0;   // of those read and written, past the page cache

  bool operator==(const IoCounters&) const = default;
};

// Holds a byte-range lock until destroyed. REQUIRES: destroyed before its File is closed.
class RangeLock {
 public:
  virtual ~RangeLock() = default;
};

// One open file of one rank. LOCAL. transfer(), prefetch() and release() may be called from several threads at once.
class File {
 public:
  virtual ~File() = default;

  // Moves every request in order, between memory and file; short transfers, EINTR and EAGAIN are retried here and
  // nowhere else. Neighbouring requests that touch in the file may be served by one system call.
  // Stops at the first failure (the status names path, offset, errno) or, reading, at end of file. Where calls are
  // under way at a time (IoWay::kUring), requests behind the failure may have been served too; they are not counted.
  virtual IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) = 0;

  // Advice that these ranges, none of them empty, will be read soon, in this order. Returns how many of them, from the
  // first on, the file system takes to fetch them meanwhile. Waits for no data. There is no failure: what cannot be
  // advised is not taken, and reads as it would have.
  virtual std::int64_t prefetch(std::span<const Extent> ranges);
  // These ranges were taken, and need not be kept ready any longer. Drops nothing that somebody may still read.
  virtual void release(std::span<const Extent> ranges);

  virtual Result<std::int64_t> size() = 0;
  virtual Status resize(std::int64_t bytes) = 0;       // truncates, or extends with zeros
  virtual Status preallocate(std::int64_t bytes) = 0;  // space for [0, bytes); never shrinks, never changes bytes
  virtual Status sync() = 0;                           // data has reached the storage
  // What other nodes wrote and synced before is read from now on, and seen in the size. Nothing where the driver's
  // files are seen alike by all.
  virtual void refresh();
  // The same, but for the size where asking for it is dear: of a file that is new, or that is about to be closed.
  virtual void refresh_bytes();
  // As refresh(), of a range, for ranks that write: it may be cheaper. Of an empty one: the size.
  virtual void refresh_range(Extent range);
  // Another node has resized the file to so many bytes, and nobody writes meanwhile: this node sees that from now on.
  virtual Status resized(std::int64_t bytes);

  // Waits until the range is free, then keeps other openers of the file out, and other threads of this File too. What
  // others wrote under a lock before is read from now on.
  // An empty range locks nothing. REQUIRES: the calling thread holds no overlapping lock of this File.
  virtual Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) = 0;

  // Whether another opener holds a lock that would keep an exclusive one on this range waiting. Asks the file system,
  // not other threads of this File. A driver that cannot tell fails with kUnsupportedOperation.
  virtual Result<bool> locked_by_other(Extent range);

  virtual Capabilities capabilities() const = 0;
  virtual StorageLayout storage() const = 0;
  // Why bytes do not go as OpenMode::io asks, for people; empty where they do.
  virtual std::string io_replaced() const { return {}; }
  virtual IoCounters counters() const { return {}; }  // all zero where a driver does not count
  // Equal for all who have opened the same file, on any node, and of no other file of its file system. 0: not known.
  virtual std::uint64_t identity() const { return 0; }
  virtual Status close() = 0;  // reports what the close itself said; the file is closed in any case
};

class FileDriver {
 public:
  virtual ~FileDriver() = default;

  // `created` (may be null) tells whether this call made the file. A directory is an error (kBadFile).
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, bool* created) = 0;
  virtual Status remove(const std::string& path) = 0;
  // A name for the file that holds when the program changes its working directory.
  virtual std::string lasting_name(const std::string& path) const { return path; }
};

}  // namespace weir::driver

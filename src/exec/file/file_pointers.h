// FilePointers: where in a file a rank stands: its view, its individual pointer, and the pointer that all ranks share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/status.h"
#include "comm/shared_counter.h"
#include "driver/file_driver.h"
#include "exec/call/meeting.h"
#include "exec/file/flat_view.h"
#include "exec/independent/access.h"
#include "layout/file_view.h"

namespace weir::exec {

enum class Whence : std::uint8_t { kSet, kCurrent, kEnd };

// Pointers count etypes of the view. A sequential file has no individual pointer and cannot be sought. LOCAL and
// thread-safe but for what says COLLECTIVE.
class FilePointers {
 public:
  FilePointers(std::string path, bool sequential) : path_(std::move(path)), sequential_(sequential) {
    flat_.set(view_);
  }

  layout::FileView view() const;
  // The individual pointer goes to the begin; so shall the shared one have gone.
  void set_view(const layout::FileView& view);

  Status seek(driver::File& file, std::int64_t offset, Whence whence);
  Result<std::int64_t> position() const;                        // of the individual pointer
  Result<std::int64_t> byte_offset(std::int64_t offset) const;  // of a view offset
  void start_at(std::int64_t position);

  // The shared pointer; files that never use it work without one. Not while calls run.
  void share(std::unique_ptr<comm::SharedCounter> counter) { shared_ = std::move(counter); }
  std::unique_ptr<comm::SharedCounter> stop_sharing() { return std::move(shared_); }
  bool shares() const { return shared_ != nullptr; }
  Result<std::int64_t> shared_position();
  Status store_shared(std::int64_t position);
  // Whether this rank may have moved it since set_view().
  bool moved_shared() const { return moved_shared_.load(); }
  // Where the shared pointer goes by a seek. REQUIRES can_seek_shared().
  Status seek_shared(driver::File& file, std::int64_t offset, Whence whence);
  Status can_seek_shared() const;
  // Where in the file, in bytes, the shared pointer stands.
  Result<std::int64_t> current_displacement();

  // The place of an access of so many etypes; pointers move. In rank order, the place is left open.
  Result<std::int64_t> take(Positioning positioning, std::int64_t offset, std::int64_t etypes);
  // The offset in the file of an access of so many bytes by explicit offset or by the individual pointer, which moves.
  // Nothing, and no pointer moves, where the view has gaps or take() would fail.
  std::optional<std::int64_t> take_flat(Positioning positioning, std::int64_t offset, std::int64_t bytes);
  // Which etype of the view begins at an offset that take_flat() gave.
  std::int64_t flat_place(std::int64_t file_offset) const;
  // COLLECTIVE: places that follow each other in rank order from where the shared pointer stands. A refused access
  // takes no room.
  Status take_in_order(Access& access, Meeting& meeting);

 private:
  // Moves the individual pointer on and tells where it stood; nothing where that is too far.
  std::optional<std::int64_t> advance(std::int64_t etypes);
  Result<std::int64_t> end_position(driver::File& file) const;
  Status no_shared_pointer() const;
  Status refuse_sequential() const;

  const std::string path_;
  const bool sequential_;
  std::unique_ptr<comm::SharedCounter> shared_;
  mutable std::mutex mutex_;  // guards the view
  layout::FileView view_;
  FlatView flat_;  // of view_; read without the mutex
  std::atomic<std::int64_t> position_ = 0;
  std::atomic<bool> moved_shared_ = false;
};

}  // namespace weir::exec

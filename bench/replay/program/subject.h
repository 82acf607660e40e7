// A captured program, run again by the MPI-IO that stands behind MPI_File_*.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture.h"
#include "capture/walk.h"
#include "layout/request_list.h"
#include "replay/expected.h"
#include "workloads/program/meeting.h"
#include "workloads/program/mpi_type.h"

namespace bench {

class ReplaySubject {
 public:
  struct Places {
    std::string directory;
    std::map<std::string, std::string> hints;  // more than were captured, and stronger
  };

  // COLLECTIVE. Makes communicators and datatypes. Keeps the references.
  ReplaySubject(const weir::capture::Capture& capture, Places places, const Meeting& meeting);
  ReplaySubject(const ReplaySubject&) = delete;
  ReplaySubject& operator=(const ReplaySubject&) = delete;
  // COLLECTIVE.
  ~ReplaySubject();

  // COLLECTIVE. Files are as before the program; memory to be written has the values of `salt`.
  void prepare(std::uint32_t salt);
  // COLLECTIVE. All calls, in order; the seconds of them all.
  double run();
  // COLLECTIVE. Whether files hold what the captured layouts say, and reads brought what may be there.
  bool is_right(std::uint32_t salt);
  // COLLECTIVE.
  void remove_files() const;

  std::int64_t moved_bytes() const { return moved_bytes_; }  // by this rank
  std::int64_t accesses() const { return static_cast<std::int64_t>(accesses_.size()); }
  std::int64_t file_bytes() const;

 private:
  // An access of the program, in order: its memory, and what it brought.
  struct Access {
    std::int64_t begin = 0;  // of its memory, among all
    std::int64_t moved = 0;  // bytes, when it was read
  };
  // The memory of accesses of one structure.
  struct Shape {
    weir::layout::Layout layout;
    MpiType type;
  };
  struct File {
    MPI_File handle = MPI_FILE_NULL;
    std::vector<std::pair<MPI_Request, std::size_t>> running;  // and the access of each
    const weir::capture::Op* split = nullptr;                  // that has begun and not ended
    std::size_t split_access = 0;
  };

  void make_types();
  void place_accesses();
  void make_groups();
  void fill_accesses(std::uint32_t salt);
  void reset_file(std::size_t file) const;
  std::string path_of(std::size_t file) const;
  const Shape& shape_of(const weir::capture::Op& op) const;
  // What an access asks for, in its own memory. REQUIRES bytes.
  weir::layout::RequestList requests_of(const weir::capture::Seen& seen, std::size_t access);
  void call(const weir::capture::Seen& seen, std::vector<File>& files, std::size_t& access);
  void open(const weir::capture::Seen& seen, std::vector<File>& files);
  void set_view(const weir::capture::Seen& seen, File& file);
  void start_access(const weir::capture::Seen& seen, File& file, std::size_t access);
  void end_split(File& file);
  void finish(File& file);
  void note(std::size_t access, MPI_Status& status);
  bool reads_are_right(std::uint32_t salt);
  bool file_is_right(std::size_t file, std::uint32_t salt) const;

  const weir::capture::Capture& capture_;
  const Places places_;
  const Meeting& meeting_;
  const ReplayedFiles files_;
  std::vector<MPI_Comm> groups_;                          // of each group; null where this rank is in none
  std::map<std::pair<int, std::int64_t>, Shape> shapes_;  // of memory, by structure and first offset
  std::map<const weir::capture::Op*, std::pair<MpiType, MpiType>> views_;  // etype and file type
  std::vector<Access> accesses_;
  std::vector<std::byte> memory_;
  std::int64_t moved_bytes_ = 0;
};

}  // namespace bench

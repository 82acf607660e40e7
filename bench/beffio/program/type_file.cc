#include "type_file.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "agree.h"

namespace beffio {
namespace {

// An MPI_Info for as long as a call needs it; MPI_INFO_NULL without hints.
class Info {
 public:
  explicit Info(const Hints& hints) {
    if (hints.empty()) return;
    MPI_Info_create(&info_);
    for (const auto& [key, value] : hints) MPI_Info_set(info_, key.c_str(), value.c_str());
  }
  ~Info() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;

  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// A chunk of this rank, then those of the other ranks as a hole. The caller frees it.
MPI_Datatype strided(std::int64_t chunk_bytes, int ranks) {
  MPI_Datatype chunk = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(chunk_bytes), MPI_BYTE, &chunk);
  MPI_Type_create_resized(chunk, 0, chunk_bytes * ranks, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&chunk);
  return type;
}

using WriteCall = int (*)(MPI_File, const void*, int, MPI_Datatype, MPI_Status*);
using ReadCall = int (*)(MPI_File, void*, int, MPI_Datatype, MPI_Status*);

struct Calls {
  WriteCall write;
  ReadCall read;
};

Calls calls_of(Type type) {
  if (type == Type::kShared) return {MPI_File_write_ordered, MPI_File_read_ordered};
  if (is_collective(type)) return {MPI_File_write_all, MPI_File_read_all};
  return {MPI_File_write, MPI_File_read};
}

}  // namespace

TypeFile::TypeFile(Type type, Method method, const std::string& path, MPI_Comm comm)
    : type_(type), method_(method), comm_(comm), path_(path) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  if (type != Type::kSeparate) return;
  path_ += fmt::format(".{}", rank_);
  comm_ = MPI_COMM_SELF;
}

weir::Status TypeFile::open(const Hints& hints) {
  const int mode = method_ == Method::kRead      ? MPI_MODE_RDONLY
                   : method_ == Method::kRewrite ? MPI_MODE_RDWR
                                                 : MPI_MODE_CREATE | MPI_MODE_RDWR;
  const Info info(hints);
  return status_of(MPI_File_open(comm_, path_.c_str(), mode, info.get(), &file_), "opening", path_);
}

weir::Status TypeFile::close() {
  if (file_ == MPI_FILE_NULL) return {};
  return status_of(MPI_File_close(&file_), "closing", path_);
}

weir::Status TypeFile::sync() { return status_of(MPI_File_sync(file_), "synchronising", path_); }

MPI_Offset TypeFile::displacement(const Pattern& pattern, std::int64_t begin, std::int64_t segment_bytes) const {
  if (type_ == Type::kScatter) return begin + rank_ * pattern.chunk_bytes;
  if (is_size_driven(type_)) return begin + rank_ * segment_bytes;
  return begin;
}

weir::Status TypeFile::begin_pattern(const Pattern& pattern, std::int64_t begin, std::int64_t segment_bytes,
                                     const Hints& hints) {
  const Info info(hints);
  MPI_Datatype type = type_ == Type::kScatter ? strided(pattern.chunk_bytes, ranks_) : MPI_BYTE;
  const int code =
      MPI_File_set_view(file_, displacement(pattern, begin, segment_bytes), MPI_BYTE, type, "native", info.get());
  if (type != MPI_BYTE) MPI_Type_free(&type);
  return status_of(code, "setting the view of", path_);
}

weir::Status TypeFile::moved(int code, const MPI_Status& status, const Pattern& pattern) const {
  if (code != MPI_SUCCESS) return status_of(code, method_ == Method::kRead ? "reading" : "writing", path_);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  if (bytes == pattern.memory_bytes) return {};
  return {weir::ErrorClass::kIo,
          fmt::format("{} {}: {} bytes were moved instead of {}", name(method_), path_, bytes, pattern.memory_bytes)};
}

weir::Status TypeFile::write(const std::byte* memory, const Pattern& pattern) {
  MPI_Status status;
  const int count = static_cast<int>(pattern.memory_bytes);
  return moved(calls_of(type_).write(file_, memory, count, MPI_BYTE, &status), status, pattern);
}

weir::Status TypeFile::read(std::byte* memory, const Pattern& pattern) {
  MPI_Status status;
  const int count = static_cast<int>(pattern.memory_bytes);
  return moved(calls_of(type_).read(file_, memory, count, MPI_BYTE, &status), status, pattern);
}

std::int64_t TypeFile::striping_unit() const {
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file_, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return 0;
  std::array<char, 64> value{};
  int found = 0;
  MPI_Info_get(info, "striping_unit", static_cast<int>(value.size()) - 1, value.data(), &found);
  MPI_Info_free(&info);
  return found != 0 ? std::atoll(value.data()) : 0;
}

}  // namespace beffio

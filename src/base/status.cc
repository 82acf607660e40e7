#include "base/status.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace weir {

namespace {

struct ErrnoRow {
  int number;
  const char* name;
  const char* meaning;
  ErrorClass error_class;
};

// The errno values that file calls return, with the class the standard names for each.
constexpr std::array kErrnoRows = {
    ErrnoRow{EACCES, "EACCES", "permission denied", ErrorClass::kAccess},
    ErrnoRow{EPERM, "EPERM", "operation not permitted", ErrorClass::kAccess},
    ErrnoRow{ENOENT, "ENOENT", "no such file or directory", ErrorClass::kNoSuchFile},
    ErrnoRow{EEXIST, "EEXIST", "file exists", ErrorClass::kFileExists},
    ErrnoRow{ENAMETOOLONG, "ENAMETOOLONG", "file name too long", ErrorClass::kBadFile},
    ErrnoRow{ENOTDIR, "ENOTDIR", "a part of the path is not a directory", ErrorClass::kBadFile},
    ErrnoRow{EISDIR, "EISDIR", "is a directory", ErrorClass::kBadFile},
    ErrnoRow{ELOOP, "ELOOP", "too many symbolic links", ErrorClass::kBadFile},
    ErrnoRow{ENXIO, "ENXIO", "no such device or no reader", ErrorClass::kBadFile},
    ErrnoRow{ENODEV, "ENODEV", "no such device", ErrorClass::kBadFile},
    ErrnoRow{EROFS, "EROFS", "read-only file system", ErrorClass::kReadOnly},
    ErrnoRow{ENOSPC, "ENOSPC", "no space left on device", ErrorClass::kNoSpace},
    ErrnoRow{EDQUOT, "EDQUOT", "quota exceeded", ErrorClass::kQuota},
    ErrnoRow{EFBIG, "EFBIG", "file too large", ErrorClass::kNoSpace},
    ErrnoRow{ETXTBSY, "ETXTBSY", "file is being executed", ErrorClass::kFileInUse},
    ErrnoRow{EBUSY, "EBUSY", "device or resource busy", ErrorClass::kFileInUse},
    ErrnoRow{ENOMEM, "ENOMEM", "out of memory", ErrorClass::kNoMemory},
    ErrnoRow{EINVAL, "EINVAL", "invalid argument", ErrorClass::kIo},
    ErrnoRow{EIO, "EIO", "input/output error", ErrorClass::kIo},
    ErrnoRow{EBADF, "EBADF", "bad file descriptor", ErrorClass::kIo},
    ErrnoRow{EFAULT, "EFAULT", "bad address", ErrorClass::kBuffer},
    ErrnoRow{EMFILE, "EMFILE", "too many open files in this process", ErrorClass::kIo},
    ErrnoRow{ENFILE, "ENFILE", "too many open files in the system", ErrorClass::kIo},
    ErrnoRow{ESTALE, "ESTALE", "stale file handle", ErrorClass::kIo},
    ErrnoRow{ENOLCK, "ENOLCK", "no locks available", ErrorClass::kIo},
    ErrnoRow{EDEADLK, "EDEADLK", "lock would deadlock", ErrorClass::kIo},
    ErrnoRow{EINTR, "EINTR", "interrupted", ErrorClass::kIo},
    ErrnoRow{EAGAIN, "EAGAIN", "resource temporarily unavailable", ErrorClass::kIo},
    ErrnoRow{ESPIPE, "ESPIPE", "not seekable", ErrorClass::kUnsupportedOperation},
    ErrnoRow{EOPNOTSUPP, "EOPNOTSUPP", "operation not supported", ErrorClass::kUnsupportedOperation},
    ErrnoRow{ENOSYS, "ENOSYS", "function not implemented", ErrorClass::kUnsupportedOperation},
};

const ErrnoRow* find_row(int error_number) {
  for (const ErrnoRow& row : kErrnoRows) {
    if (row.number == error_number) return &row;
  }
  return nullptr;
}

}  // namespace

const char* name(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kOk: return "MPI_SUCCESS";
    case ErrorClass::kArgument: return "MPI_ERR_ARG";
    case ErrorClass::kAccess: return "MPI_ERR_ACCESS";
    case ErrorClass::kAmode: return "MPI_ERR_AMODE";
    case ErrorClass::kBadFile: return "MPI_ERR_BAD_FILE";
    case ErrorClass::kBuffer: return "MPI_ERR_BUFFER";
    case ErrorClass::kCommunicator: return "MPI_ERR_COMM";
    case ErrorClass::kConversion: return "MPI_ERR_CONVERSION";
    case ErrorClass::kCount: return "MPI_ERR_COUNT";
    case ErrorClass::kDatatype: return "MPI_ERR_TYPE";
    case ErrorClass::kDuplicateDatarep: return "MPI_ERR_DUP_DATAREP";
    case ErrorClass::kFile: return "MPI_ERR_FILE";
    case ErrorClass::kFileExists: return "MPI_ERR_FILE_EXISTS";
    case ErrorClass::kFileInUse: return "MPI_ERR_FILE_IN_USE";
    case ErrorClass::kInfo: return "MPI_ERR_INFO";
    case ErrorClass::kInternal: return "MPI_ERR_INTERN";
    case ErrorClass::kIo: return "MPI_ERR_IO";
    case ErrorClass::kNoMemory: return "MPI_ERR_NO_MEM";
    case ErrorClass::kNoSpace: return "MPI_ERR_NO_SPACE";
    case ErrorClass::kNoSuchFile: return "MPI_ERR_NO_SUCH_FILE";
    case ErrorClass::kNotSame: return "MPI_ERR_NOT_SAME";
    case ErrorClass::kOther: return "MPI_ERR_OTHER";
    case ErrorClass::kQuota: return "MPI_ERR_QUOTA";
    case ErrorClass::kReadOnly: return "MPI_ERR_READ_ONLY";
    case ErrorClass::kRequest: return "MPI_ERR_REQUEST";
    case ErrorClass::kUnsupportedDatarep: return "MPI_ERR_UNSUPPORTED_DATAREP";
    case ErrorClass::kUnsupportedOperation: return "MPI_ERR_UNSUPPORTED_OPERATION";
  }
  return "MPI_ERR_UNKNOWN";
}

ErrorClass class_of_errno(int error_number) {
  const ErrnoRow* row = find_row(error_number);
  return row != nullptr ? row->error_class : ErrorClass::kIo;
}

Status::Status(ErrorClass error_class, std::string text)
    : failure_(std::make_shared<const Failure>(Failure{error_class, std::move(text)})) {}

Status Status::from_errno(int error_number, std::string_view what, std::string_view path, std::int64_t offset) {
  const ErrnoRow* row = find_row(error_number);
  std::string place = offset < 0 ? std::string() : fmt::format(" at offset {}", offset);
  std::string reason =
      row != nullptr ? fmt::format("{} ({})", row->name, row->meaning) : fmt::format("errno {}", error_number);
  return Status(class_of_errno(error_number), fmt::format("{} of '{}'{}: {}", what, path, place, reason));
}

const std::string& Status::text() const {
  static const std::string kNone;
  return ok() ? kNone : failure_->text;
}

}  // namespace weir

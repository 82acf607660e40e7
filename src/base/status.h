// Status: how a call ended. Result<T>: a value or the status that says why there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir {

// The error classes of the MPI standard that weir returns; mpi/ maps them to the host's numbers.
enum class ErrorClass : std::int32_t {
  kOk,
  kArgument,
  kAccess,
  kAmode,
  kBadFile,
  kBuffer,
  kCommunicator,
  kConversion,
  kCount,
  kDatatype,
  kDuplicateDatarep,
  kFile,
  kFileExists,
  kFileInUse,
  kInfo,
  kInternal,
  kIo,
  kNoMemory,
  kNoSpace,
  kNoSuchFile,
  kNotSame,
  kOther,
  kQuota,
  kReadOnly,
  kRequest,
  kUnsupportedDatarep,
  kUnsupportedOperation,
};

// The name MPI gives the class, e.g. "MPI_ERR_NO_SPACE".
const char* name(ErrorClass error_class);

// How a call ended. Success costs one null pointer. A failure says what was tried on what, and what to do:
// the text holds path, offset and errno where they are known.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(ErrorClass error_class, std::string text);

  // A failure of the operating system: `what` and `path` are quoted in the text, followed by errno's name and
  // meaning; the class follows from errno. `offset` is quoted unless negative.
  static Status from_errno(int error_number, std::string_view what, std::string_view path, std::int64_t offset = -1);

  bool ok() const { return failure_ == nullptr; }
  ErrorClass error_class() const { return ok() ? ErrorClass::kOk : failure_->error_class; }
  const std::string& text() const;

  // Says that the caller has no use for this status.
  void ignore() const {}

  // This status, or `other` when this one is a success: the first failure wins.
  Status or_else(Status other) && { return ok() ? std::move(other) : std::move(*this); }

 private:
  struct Failure {
    ErrorClass error_class;
    std::string text;
  };
  std::shared_ptr<const Failure> failure_;
};

// The class that the standard names for an errno of open, read, write and the like.
ErrorClass class_of_errno(int error_number);

// A T, or a failure. REQUIRES ok() before value().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}            // NOLINT(google-explicit-constructor)
  Result(Status failure) : status_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace weir

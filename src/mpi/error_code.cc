#include "mpi/error_code.h"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>

#include "comm/mpi/host.h"

namespace weir::mpi {

namespace {

// MPICH's own maker of codes. Its MPI_Add_error_code hands out codes whose strings belong to other errors, so this
// exported function is used where it exists; its codes are not those of the standard ABI.
using MpichCreateCode = int (*)(int last_code, int fatal, const char* function, int line, int error_class,
                                const char* generic_text, const char* specific_text, ...);

MpichCreateCode mpich_create_code() {
  if constexpr (host::kStandardAbi) return nullptr;
  static const auto function = reinterpret_cast<MpichCreateCode>(dlsym(RTLD_DEFAULT, "MPIR_Err_create_code"));
  return function;
}

// In the standard ABI, Open MPI 6.0.0rc2 takes texts of 512 bytes, and has room for the 256 of its own interface.
constexpr std::size_t kLongestText = (host::kStandardAbi ? 256 : MPI_MAX_ERROR_STRING) - 1;

// Whether the code tells this text from now on.
bool tell(int code, const std::string& text) {
  return PMPI_Add_error_string(code, text.substr(0, kLongestText).c_str()) == MPI_SUCCESS;
}

}  // namespace

int host_class(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kOk: return MPI_SUCCESS;
    case ErrorClass::kArgument: return MPI_ERR_ARG;
    case ErrorClass::kAccess: return MPI_ERR_ACCESS;
    case ErrorClass::kAmode: return MPI_ERR_AMODE;
    case ErrorClass::kBadFile: return MPI_ERR_BAD_FILE;
    case ErrorClass::kBuffer: return MPI_ERR_BUFFER;
    case ErrorClass::kCommunicator: return MPI_ERR_COMM;
    case ErrorClass::kConversion: return MPI_ERR_CONVERSION;
    case ErrorClass::kCount: return MPI_ERR_COUNT;
    case ErrorClass::kDatatype: return MPI_ERR_TYPE;
    case ErrorClass::kDuplicateDatarep: return MPI_ERR_DUP_DATAREP;
    case ErrorClass::kFile: return MPI_ERR_FILE;
    case ErrorClass::kFileExists: return MPI_ERR_FILE_EXISTS;
    case ErrorClass::kFileInUse: return MPI_ERR_FILE_IN_USE;
    case ErrorClass::kInfo: return MPI_ERR_INFO;
    case ErrorClass::kInternal: return MPI_ERR_INTERN;
    case ErrorClass::kIo: return MPI_ERR_IO;
    case ErrorClass::kNoMemory: return MPI_ERR_NO_MEM;
    case ErrorClass::kNoSpace: return MPI_ERR_NO_SPACE;
    case ErrorClass::kNoSuchFile: return MPI_ERR_NO_SUCH_FILE;
    case ErrorClass::kNotSame: return MPI_ERR_NOT_SAME;
    case ErrorClass::kOther: return MPI_ERR_OTHER;
    case ErrorClass::kQuota: return MPI_ERR_QUOTA;
    case ErrorClass::kReadOnly: return MPI_ERR_READ_ONLY;
    case ErrorClass::kRequest: return MPI_ERR_REQUEST;
    case ErrorClass::kUnsupportedDatarep: return MPI_ERR_UNSUPPORTED_DATAREP;
    case ErrorClass::kUnsupportedOperation: return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  return MPI_ERR_UNKNOWN;
}

int ErrorCodes::code_of(const Status& status) {
  const int error_class = host_class(status.error_class());
  const std::string& text = status.text();
  if (status.ok() || text.empty()) return error_class;
  std::scoped_lock lock(mutex_);
  if (MpichCreateCode create = mpich_create_code()) {
    return create(MPI_SUCCESS, 0, "weir", 0, error_class, "**io", "**io %s", text.c_str());
  }
  std::vector<Code>& codes = codes_[error_class];
  auto place = std::ranges::find(codes, text, &Code::text);
  if (place == codes.end()) {
    if (codes.size() < kMostCodes) {
      int added = error_class;
      if (PMPI_Add_error_code(error_class, &added) != MPI_SUCCESS) return error_class;
      codes.insert(codes.begin(), {added, ""});
    }
    place = codes.begin();
    if (!tell(place->number, text)) return error_class;
    place->text = text;
  }
  std::rotate(place, place + 1, codes.end());
  return codes.back().number;
}

}  // namespace weir::mpi

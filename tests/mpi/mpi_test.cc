#include "mpi_test.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace mpi_test {

namespace {

constexpr std::pair<int, const char*> kClassNames[] = {
#define NAMED(error_class) \
  { error_class, #error_class }
    NAMED(MPI_SUCCESS),
    NAMED(MPI_ERR_ACCESS),
    NAMED(MPI_ERR_AMODE),
    NAMED(MPI_ERR_ARG),
    NAMED(MPI_ERR_BAD_FILE),
    NAMED(MPI_ERR_BUFFER),
    NAMED(MPI_ERR_COMM),
    NAMED(MPI_ERR_CONVERSION),
    NAMED(MPI_ERR_COUNT),
    NAMED(MPI_ERR_DISP),
    NAMED(MPI_ERR_DUP_DATAREP),
    NAMED(MPI_ERR_FILE),
    NAMED(MPI_ERR_FILE_EXISTS),
    NAMED(MPI_ERR_FILE_IN_USE),
    NAMED(MPI_ERR_INFO),
    NAMED(MPI_ERR_INTERN),
    NAMED(MPI_ERR_IN_STATUS),
    NAMED(MPI_ERR_IO),
    NAMED(MPI_ERR_NO_MEM),
    NAMED(MPI_ERR_NO_SPACE),
    NAMED(MPI_ERR_NO_SUCH_FILE),
    NAMED(MPI_ERR_NOT_SAME),
    NAMED(MPI_ERR_OTHER),
    NAMED(MPI_ERR_QUOTA),
    NAMED(MPI_ERR_READ_ONLY),
    NAMED(MPI_ERR_REQUEST),
    NAMED(MPI_ERR_TYPE),
    NAMED(MPI_ERR_UNKNOWN),
    NAMED(MPI_ERR_UNSUPPORTED_DATAREP),
    NAMED(MPI_ERR_UNSUPPORTED_OPERATION),
#undef NAMED
};

std::string class_name(int error_class) {
  for (const auto& [number, name] : kClassNames) {
    if (number == error_class) return name;
  }
  return "error class " + std::to_string(error_class);
}

std::string running_test() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return "none";
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (char& letter : name) {
    if (letter == '/') letter = '-';
  }
  return name;
}

}  // namespace

int rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int size() {
  int value = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

int thread_level() {
  int level = 0;
  MPI_Query_thread(&level);
  return level;
}

bool under_weir() {
  Dl_info where{};
  const bool found = dladdr(dlsym(RTLD_NEXT, "MPI_File_open"), &where) != 0;
  return found && std::string_view(where.dli_fname).find("libweir") != std::string_view::npos;
}

bool same_everywhere(int value) {
  std::array<int, 2> extremes = {value, -value};
  MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return extremes[0] == -extremes[1];
}

int error_class(int code) {
  int value = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &value);
  return value;
}

std::string error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return text.data();
}

testing::AssertionResult is_success(const char* call_text, int code) {
  if (code == MPI_SUCCESS) return testing::AssertionSuccess();
  return testing::AssertionFailure() << call_text << "\n  failed with " << class_name(error_class(code)) << ": "
                                     << error_text(code);
}

testing::AssertionResult is_class(const char* /*class_text*/, const char* call_text, int expected_class, int code) {
  return is_class_in("", call_text, {expected_class}, code);
}

testing::AssertionResult is_class_in(const char* /*classes_text*/, const char* call_text,
                                     const std::vector<int>& expected_classes, int code) {
  const int found = error_class(code);
  std::string expected;
  for (const int error_class : expected_classes) {
    if (found == error_class) return testing::AssertionSuccess();
    expected += " " + class_name(error_class);
  }
  return testing::AssertionFailure() << call_text << "\n  gave " << class_name(found) << " (" << error_text(code)
                                     << ")\n  expected" << expected;
}

Scratch::Scratch(std::string_view name)
    : path_(environment("TEST_DIR") + "/" + running_test() + "." + std::string(name)) {
  if (rank() == 0) unlink(path_.c_str());
  meet("a new scratch file");
}

Scratch::~Scratch() {
  meet("the end of a scratch file");
  if (rank() == 0) unlink(path_.c_str());
}

File::File(const char* path, int amode, MPI_Comm comm, MPI_Info info) {
  EXPECT_OK(MPI_File_open(comm, path, amode, info, &handle_)) << path;
}

void File::close() {
  if (handle_ == MPI_FILE_NULL) return;
  EXPECT_OK(MPI_File_close(&handle_));
  EXPECT_EQ(handle_, MPI_FILE_NULL);
}

Type::~Type() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

Type Type::contiguous(int count, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, element, &type);
  return Type(type);
}

Type Type::vector(int count, int block_length, int stride, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, block_length, stride, element, &type);
  return Type(type);
}

Type Type::resized(MPI_Datatype element, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(element, lower_bound, extent, &type);
  return Type(type);
}

void make_file(const char* path, const Bytes& bytes) {
  if (rank() == 0) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    EXPECT_TRUE(file.good()) << "cannot make " << path;
  }
  meet("a file made by rank 0");
}

Bytes file_bytes(const char* path) {
  meet("a file to be checked");
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

bool exists(const char* path) { return access(path, F_OK) == 0; }

std::int64_t file_size(const char* path) {
  struct stat facts {};
  return stat(path, &facts) == 0 ? facts.st_size : -1;
}

Bytes pattern(std::size_t bytes, unsigned seed) {
  Bytes result(bytes);
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::uint8_t& byte : result) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return result;
}

std::int64_t moved_bytes(const MPI_Status& status) {
  MPI_Count bytes = -1;
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return bytes;
}

int count_in(const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(&status, type, &count);
  return count;
}

int elements_in(const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_elements(&status, type, &count);
  return count;
}

MPI_Offset position(MPI_File file) {
  MPI_Offset offset = -1;
  EXPECT_OK(MPI_File_get_position(file, &offset));
  return offset;
}

MPI_Offset shared_position(MPI_File file) {
  MPI_Offset offset = -1;
  EXPECT_OK(MPI_File_get_position_shared(file, &offset));
  return offset;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

unsigned fresh_seed() {
  const std::string given = environment("TEST_SEED");
  auto seed = static_cast<unsigned>(std::chrono::system_clock::now().time_since_epoch().count() / 1000000);
  if (!given.empty()) seed = static_cast<unsigned>(std::stoul(given));
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  if (rank() == 0) std::printf("seed %u\n", seed);
  return seed;
}

}  // namespace mpi_test

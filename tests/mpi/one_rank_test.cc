// Collective calls whose arguments are wrong on one rank only: no rank hangs, all get the same class of error, and the
// file can be used afterwards.
#include <algorithm>
#include <functional>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

class OneRank : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the hosts hang or go on alone";
    if (size() == 1) GTEST_SKIP() << "needs two ranks";
    make_file(scratch_.path(), pattern(400, 3));
    EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch_.path(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_));
  }
  void TearDown() override {
    if (file_ == MPI_FILE_NULL) return;
    int value = 0;
    EXPECT_OK(MPI_File_read_at_all(file_, 4 * rank(), &value, 4, MPI_BYTE, MPI_STATUS_IGNORE)) << "usable afterwards";
    EXPECT_OK(MPI_File_close(&file_));
  }
  MPI_File file() const { return file_; }
  const char* path() const { return scratch_.path(); }

  // Once with the first rank and once with the last one at fault; `call` returns a code.
  static void expect_everywhere(int expected_class, const std::function<int(bool at_fault)>& call) {
    for (const int culprit : {0, size() - 1}) {
      const int code = call(rank() == culprit);
      EXPECT_CLASS(expected_class, code) << "rank " << culprit << " is at fault";
      meet("the end of a call that failed");
    }
  }

 private:
  Scratch scratch_;
  MPI_File file_ = MPI_FILE_NULL;
};

TEST_F(OneRank, SeekSharedWithAnUnknownWhence) {
  expect_everywhere(MPI_ERR_ARG,
                    [&](bool at_fault) { return MPI_File_seek_shared(file(), 0, at_fault ? 12345 : MPI_SEEK_SET); });
}

TEST_F(OneRank, SeekSharedWithAnotherWhence) {
  expect_everywhere(MPI_ERR_NOT_SAME, [&](bool at_fault) {
    return MPI_File_seek_shared(file(), 0, at_fault ? MPI_SEEK_END : MPI_SEEK_SET);
  });
}

TEST_F(OneRank, OpenWithoutAPlaceForTheHandle) {
  expect_everywhere(MPI_ERR_ARG, [&](bool at_fault) {
    MPI_File opened = MPI_FILE_NULL;
    return MPI_File_open(MPI_COMM_WORLD, path(), MPI_MODE_RDONLY, MPI_INFO_NULL, at_fault ? nullptr : &opened);
  });
}

TEST_F(OneRank, OpenWithAnotherMode) {
  for (const int amode : {0, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_MODE_RDONLY | MPI_MODE_CREATE, 1 << 29}) {
    expect_everywhere(MPI_ERR_NOT_SAME, [&](bool at_fault) {
      MPI_File opened = MPI_FILE_NULL;
      return MPI_File_open(MPI_COMM_WORLD, path(), at_fault ? amode : MPI_MODE_RDONLY, MPI_INFO_NULL, &opened);
    });
  }
}

TEST_F(OneRank, OpenOfANullPath) {
  MPI_File opened = MPI_FILE_NULL;
  const bool at_fault = rank() == size() - 1;
  const int code = MPI_File_open(MPI_COMM_WORLD, at_fault ? nullptr : path(), MPI_MODE_RDONLY, MPI_INFO_NULL, &opened);
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, code);
}

// An info that is none: the null pointer, or zero.
TEST_F(OneRank, Info) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  expect_everywhere(MPI_ERR_INFO,
                    [&](bool at_fault) { return MPI_File_set_info(file(), at_fault ? MPI_Info{} : MPI_INFO_NULL); });
  expect_everywhere(MPI_ERR_INFO, [&](bool at_fault) {
    MPI_File opened = MPI_FILE_NULL;
    return MPI_File_open(MPI_COMM_WORLD, path(), MPI_MODE_RDONLY, at_fault ? MPI_Info{} : MPI_INFO_NULL, &opened);
  });
  expect_everywhere(MPI_ERR_INFO, [&](bool at_fault) {
    return MPI_File_set_view(file(), 0, MPI_BYTE, MPI_BYTE, "native", at_fault ? MPI_Info{} : MPI_INFO_NULL);
  });
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

TEST_F(OneRank, View) {
  const auto set_view = [&](MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep) {
    return MPI_File_set_view(file(), displacement, etype, filetype, datarep, MPI_INFO_NULL);
  };
  expect_everywhere(MPI_ERR_UNSUPPORTED_DATAREP, [&](bool at_fault) {
    return set_view(0, MPI_BYTE, MPI_BYTE, at_fault ? "no such thing" : "native");
  });
  expect_everywhere(MPI_ERR_UNSUPPORTED_DATAREP,
                    [&](bool at_fault) { return set_view(0, MPI_BYTE, MPI_BYTE, at_fault ? nullptr : "native"); });
  expect_everywhere(MPI_ERR_ARG,
                    [&](bool at_fault) { return set_view(at_fault ? -5 : 0, MPI_BYTE, MPI_BYTE, "native"); });
  expect_everywhere(MPI_ERR_TYPE, [&](bool at_fault) {
    return set_view(0, at_fault ? MPI_DATATYPE_NULL : MPI_BYTE, MPI_BYTE, "native");
  });
  expect_everywhere(MPI_ERR_TYPE, [&](bool at_fault) {
    return set_view(0, MPI_BYTE, at_fault ? MPI_DATATYPE_NULL : MPI_BYTE, "native");
  });
}

TEST_F(OneRank, Sizes) {
  expect_everywhere(MPI_ERR_NOT_SAME, [&](bool at_fault) { return MPI_File_set_size(file(), at_fault ? -1 : 400); });
  expect_everywhere(MPI_ERR_NOT_SAME, [&](bool at_fault) { return MPI_File_preallocate(file(), at_fault ? -1 : 400); });
}

// Every collective way to access data.
class OneRankAccess : public OneRank, public testing::WithParamInterface<AccessOp> {
 protected:
  int run(MPI_Offset offset, void* data, MPI_Count count, MPI_Datatype type) {
    return GetParam().run(file(), offset, data, count, type, MPI_STATUS_IGNORE);
  }
};

TEST_P(OneRankAccess, BadArguments) {
  std::vector<int> data(64, 1);
  expect_everywhere(MPI_ERR_COUNT, [&](bool at_fault) { return run(0, data.data(), at_fault ? -1 : 0, MPI_INT); });
  expect_everywhere(MPI_ERR_TYPE,
                    [&](bool at_fault) { return run(0, data.data(), 0, at_fault ? MPI_DATATYPE_NULL : MPI_INT); });
  expect_everywhere(MPI_ERR_BUFFER,
                    [&](bool at_fault) { return run(0, at_fault ? nullptr : data.data(), at_fault ? 1 : 0, MPI_INT); });
  if (GetParam().pointer != Pointer::kExplicit) return;
  expect_everywhere(MPI_ERR_ARG, [&](bool at_fault) { return run(at_fault ? -1 : 0, data.data(), 0, MPI_INT); });
}

// A converted copy of a buffer that no memory can hold.
TEST_P(OneRankAccess, MoreThanMemoryHolds) {
  EXPECT_OK(MPI_File_set_view(file(), 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
  const Type huge = Type::contiguous(1 << 30, MPI_DOUBLE);
  std::vector<int> data(64, 1);
  expect_everywhere(MPI_ERR_NO_MEM, [&](bool at_fault) { return run(0, data.data(), at_fault ? 1 << 20 : 0, huge); });
  EXPECT_OK(MPI_File_set_view(file(), 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
}

bool conversion_fails = false;

int convert(void* memory, MPI_Datatype, int count, void* in_file, MPI_Offset, void* writing) {
  if (conversion_fails) return MPI_ERR_OTHER;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(int);
  if (writing != nullptr) {
    std::copy_n(static_cast<char*>(memory), bytes, static_cast<char*>(in_file));
  } else {
    std::copy_n(static_cast<char*>(in_file), bytes, static_cast<char*>(memory));
  }
  return MPI_SUCCESS;
}

int extent_of(MPI_Datatype type, MPI_Aint* extent, void*) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  *extent = bytes;
  return MPI_SUCCESS;
}

TEST_P(OneRankAccess, ConversionThatFails) {
  static bool registered = false;
  static char writing = 0;
  if (!registered) {
    EXPECT_OK(MPI_Register_datarep("fails_on_one", &convert, nullptr, &extent_of, nullptr));
    EXPECT_OK(MPI_Register_datarep("fails_on_one_writing", nullptr, &convert, &extent_of, &writing));
  }
  registered = true;
  const char* datarep = GetParam().writes() ? "fails_on_one_writing" : "fails_on_one";
  EXPECT_OK(MPI_File_set_view(file(), 0, MPI_INT, MPI_INT, datarep, MPI_INFO_NULL));
  expect_everywhere(MPI_ERR_CONVERSION, [&](bool at_fault) {
    conversion_fails = at_fault;
    int value = 7;
    const MPI_Offset place = rank();
    if (!GetParam().writes()) MPI_File_seek(file(), place, MPI_SEEK_SET);
    return run(place, &value, 1, MPI_INT);
  });
  conversion_fails = false;
  EXPECT_OK(MPI_File_set_view(file(), 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
}

INSTANTIATE_TEST_SUITE_P(Every, OneRankAccess,
                         testing::ValuesIn(ops_where([](const AccessOp& op) { return op.collective; })),
                         op_name<testing::TestParamInfo<AccessOp>>);

// A rank that has not ended its split call, while the others have: its next one is refused, and theirs with it.
TEST_F(OneRank, SplitBegunAgainBeforeItsEnd) {
  int first = 0;
  int second = 0;
  EXPECT_OK(MPI_File_read_at_all_begin(file(), 0, &first, 1, MPI_INT));
  const auto end_first = [&] { EXPECT_OK(MPI_File_read_at_all_end(file(), &first, MPI_STATUS_IGNORE)); };
  if (rank() != 0) end_first();
  int code = MPI_File_read_at_all_begin(file(), 0, &second, 1, MPI_INT);
  if (rank() != 0) code = MPI_File_read_at_all_end(file(), &second, MPI_STATUS_IGNORE);
  EXPECT_CLASS(MPI_ERR_IO, code);
  if (rank() == 0) end_first();
}

}  // namespace

// File handles as integers (MPI 5.0), and error handlers with a state (an extension of MPICH).
#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;

#if MPI_VERSION >= 5

TEST(IntHandles, ThereAndBack) {
  Scratch scratch;
  const Scratch other("other");
  const File file(scratch.path(), kUpdate);
  const File second(other.path(), kUpdate);
  EXPECT_EQ(MPI_File_fromint(MPI_File_toint(file)), static_cast<MPI_File>(file));
  EXPECT_NE(MPI_File_toint(file), MPI_File_toint(second));
  EXPECT_EQ(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)), MPI_FILE_NULL);
  MPI_Offset bytes = -1;
  EXPECT_OK(MPI_File_get_size(MPI_File_fromint(MPI_File_toint(second)), &bytes));
  EXPECT_EQ(bytes, 0);
}

TEST(IntHandles, OfAClosedFileNameNone) {
  Scratch scratch;
  File file(scratch.path(), kUpdate);
  const int number = MPI_File_toint(file);
  file.close();
  MPI_Offset bytes = -1;
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_size(MPI_File_fromint(number), &bytes));
}

#else

TEST(IntHandles, ThereAndBack) { GTEST_SKIP() << "MPI_File_toint is of MPI 5.0; this is " << MPI_VERSION; }

#endif

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 50000000

struct Calls {
  int raised = 0;
  int ended = 0;
  MPI_File file = MPI_FILE_NULL;
};

TEST(StatefulErrorHandler, GetsItsStateAndGivesItBack) {
  Scratch scratch;
  Calls calls;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  const auto on_error = [](MPI_File file, int, void* state) {
    static_cast<Calls*>(state)->raised += 1;
    static_cast<Calls*>(state)->file = file;
  };
  const auto at_end = [](void* state) { static_cast<Calls*>(state)->ended += 1; };
  EXPECT_OK(MPIX_File_create_errhandler_x(on_error, at_end, &calls, &handler));
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_set_errhandler(file, handler));
    EXPECT_OK(MPI_Errhandler_free(&handler));
    EXPECT_NE(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_SUCCESS);
    EXPECT_EQ(calls.raised, 1);
    EXPECT_EQ(calls.file, static_cast<MPI_File>(file));
    EXPECT_EQ(calls.ended, 0);
  }
  EXPECT_EQ(calls.ended, 1);
}

#else

TEST(StatefulErrorHandler, GetsItsStateAndGivesItBack) {
  GTEST_SKIP() << "MPIX_File_create_errhandler_x is an extension of MPICH 5";
}

#endif

}  // namespace

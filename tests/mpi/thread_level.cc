// Prints, on rank 0, the thread level that the MPI library came up with: thread_level init|single|...|multiple
// [window]. With `init` by MPI_Init, else by MPI_Init_thread with that level; one line "provided LEVEL queried LEVEL
// main YES". With `window`, a window is made and written to as well: osc/pt2pt of Open MPI refuses that under
// MPI_THREAD_MULTIPLE.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr const char* name_of(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  if (level == MPI_THREAD_SERIALIZED) return "serialized";
  return level == MPI_THREAD_MULTIPLE ? "multiple" : "?";
}

// Starts MPI; returns the level it says it provides.
int start(int* argc, char*** argv, std::string_view wish) {
  int provided = -1;
  if (wish == "init") {
    MPI_Init(argc, argv);
    MPI_Query_thread(&provided);
    return provided;
  }
  for (const int level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE}) {
    if (wish == name_of(level)) MPI_Init_thread(argc, argv, level, &provided);
  }
  return provided;
}

// COLLECTIVE. Whether every rank finds its left neighbour's number in its window.
bool window_works(int rank, int ranks) {
  int value = -1;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  return value == (rank + ranks - 1) % ranks;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  const std::string_view wish = argv[1];
  const bool with_window = argc > 2 && std::string_view(argv[2]) == "window";
  const int provided = start(&argc, &argv, wish);
  int queried = -1;
  int is_main = 0;
  int rank = 0;
  int ranks = 0;
  MPI_Query_thread(&queried);
  MPI_Is_thread_main(&is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool right = !with_window || window_works(rank, ranks);
  if (rank == 0) {
    std::printf("provided %s queried %s main %s%s\n", name_of(provided), name_of(queried), is_main != 0 ? "yes" : "no",
                with_window ? (right ? " window works" : " window WRONG") : "");
  }
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

# The romio suite: the programs of src/mpi/romio/test in MPICH's source. Sourced by run, which calls these functions.
# shellcheck shell=bash

suite_source_package=mpich
suite_binary_package=libmpich12

# Programs in the directory that the suite's runtests leaves out, in the form of suite_tests.
romio_unlisted_tests() {
  cat << 'END'
external32|1|external32 datarep is BIG ENDIAN|60|external32||
creat_excl|4|No Errors|60|creat_excl|-fname test|
perf|4|-|60|perf|-fname test|
fperf|4|-|60|fperf|-fname test|
big_extents|4|No Errors|60|big_extents|test|
large_file|1|Data read back is correct|300|large_file|-fname test|large
large_array|4|each:data read back is correct|300|large_array|-fname test|large
coll_perf|4|-|600|coll_perf|-fname test|needs a file of 14 GB, and has no option for a smaller one
END
}

# What MPICH's configure would put into the sources that are templates.
romio_configure() {
  sed -e 's/@LL@/lld/g' -e 's/@F77MPIOINC@//' -e 's/@FORTRAN_MPI_OFFSET@/integer (kind=MPI_OFFSET_KIND)/' \
    -e 's/@F77IARGC@/iargc()/' -e 's/@F77GETARG@/call getarg(i,str)/' "$1"
}

# MPI_LB and MPI_UB, which some tests use. MPI 3.0 removed them; Open MPI's library still has them, its mpi.h does not.
romio_openmpi_header() {
  cat << 'END'
#include <mpi.h>
extern struct ompi_predefined_datatype_t ompi_mpi_lb, ompi_mpi_ub;
#define MPI_LB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
END
}

# suite_build MPI SOURCE BUILD: builds every program into BUILD. A program that does not build is left out there.
suite_build() {
  local mpi=$1 test_source=$2/src/mpi/romio/test build=$3 source name flags=''
  for source in "$test_source"/*.[cf].in; do
    romio_configure "$source" > "$build/$(basename "$source" .in)"
  done
  if [[ $mpi == openmpi ]]; then
    romio_openmpi_header > "$build/removed.h"
    flags="-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -include $build/removed.h"
  fi
  cp "$test_source"/*.c "$test_source/test_hintfile" "$build"
  for source in "$build"/*.c "$build"/*.f; do
    name=$(basename "${source%.*}")
    case $source in
      *.c) echo "mpicc.$mpi -O1 -w $flags -o $build/$name $source" ;;
      *.f) echo "mpif77.$mpi -O1 -w -fallow-argument-mismatch -o $build/$name $source" ;;
    esac
  done | xargs -P "$(cores)" -I '{}' sh -c '{} || echo "does not build: {}"'
}

# suite_tests SOURCE BUILD: one line NAME|RANKS|TEXT|SECONDS|PROGRAM|ARGUMENTS|REASON for each test. TEXT is what a
# passing test prints (- if nothing), REASON why it is not run. Ranks and arguments are those of the suite's runtests.
suite_tests() {
  local runtests=$1/src/mpi/romio/test/runtests.in build=$2
  # shellcheck disable=SC2016  # the suite's variables, not ours
  sed -nE 's/^[[:space:]]*\$mpirun -np ([0-9]+) \.\/([^ ]+) *(.*)$/\2|\1|No Errors|60|\2|\3|/p' "$runtests" |
    sed -e 's/\$FILENAME/test/' -e "s#\\\$srcdir#$build#"
  romio_unlisted_tests
}

# The mpich-io suite: test/mpi/io of MPICH's source, and the I/O parts of its Fortran, C++ and error tests. Sourced by
# run, which calls these functions.
# shellcheck shell=bash

suite_source_package=mpich
suite_binary_package=libmpich12

mpich_io_directories=(io errors/io f77/io f90/io f08/io cxx/io)

# suite_build MPI SOURCE BUILD: the suite's own configure and makefiles, in BUILD. A program that does not build is left
# out there. The suite's configure makes the Fortran 2008 tools only from inside an MPICH build, so that one file is
# compiled here. OMPI_OMIT_...=0 lets Open MPI's mpi.h declare the MPI-1 functions that the suite's tools mention.
suite_build() {
  local mpi=$1 test_source=$2/test/mpi build=$3 directory extra
  (cd "$build" && "$test_source/configure" -q MPICC="mpicc.$mpi" MPICXX="mpicxx.$mpi" MPIF77="mpif77.$mpi" \
    MPIFC="mpif90.$mpi" CPPFLAGS=-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 FFLAGS=-fallow-argument-mismatch \
    FCFLAGS=-fallow-argument-mismatch --disable-threads --disable-rma --disable-spawn --disable-dependency-tracking) ||
    return 1
  (cd "$build/util" && "mpif90.$mpi" -c "$test_source/util/mtest_f08.f90" -o mtest_f08.o) || return 1
  for directory in "${mpich_io_directories[@]}"; do
    extra=()
    [[ $directory != f08/io ]] || extra=("LDADD=../../util/mtest_f08.o")
    make -k -j "$(cores)" -C "$build/$directory" "${extra[@]}" || true
  done
}

# mpich_io_reason MEMORY: why a test that needs MEMORY GB is not run here; nothing if it can be.
mpich_io_reason() {
  local needed=$1 available
  available=$(awk '/^MemAvailable:/ {print $2 / 1048576}' /proc/meminfo)
  if awk "BEGIN {exit !($needed > $available)}"; then
    echo "needs $needed GB of memory"
  elif awk "BEGIN {exit !($needed > 1)}"; then
    echo large
  fi
}

# mpich_io_is_long NAME: whether it is one of the programs that make 24 000 collective calls, or calls with the shared
# file pointer. They are the same program in five dialects.
mpich_io_is_long() { [[ $1 =~ /io/i?write(all|ord|sh|atall) ]]; }

# suite_tests SOURCE BUILD: one line NAME|RANKS|TEXT|SECONDS|PROGRAM|ARGUMENTS|REASON for each test. TEXT is what a
# passing test prints, REASON why it is not run. Ranks and arguments are those in the suite's own testlist.
suite_tests() {
  local test_source=$1/test/mpi build=$2 directory list name ranks options option arguments reason seconds
  for directory in "${mpich_io_directories[@]}"; do
    list=$build/$directory/testlist
    [[ -e $list ]] || list=$test_source/$directory/testlist
    while read -r name ranks options; do
      [[ -n $name && $name != '#'* ]] || continue
      arguments='' reason='' seconds=180
      for option in $options; do
        case $option in
          arg=*) arguments+=" ${option#arg=}" ;;
          mem=*) reason=$(mpich_io_reason "${option#mem=}") ;;
        esac
      done
      if mpich_io_is_long "$directory/$name"; then
        seconds=600 reason=long
      fi
      echo "$directory/$name|$ranks|No Errors|$seconds|$directory/$name|$arguments|$reason"
    done < "$list"
  done
}

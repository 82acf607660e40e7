# The mpich-rma suite: test/mpi/rma of MPICH's source, one-sided communication, in which weir has no part: with weir
# preloaded it has to go as under the host alone. Sourced by run, which calls these functions.
# shellcheck shell=bash

suite_source_package=mpich
suite_binary_package=libmpich12
export MPI_SINGLE_COPY=cma # windows need it under Open MPI

# suite_build MPI SOURCE BUILD: the suite's own configure and makefiles, in BUILD. A program that does not build is left
# out there. OMPI_OMIT_...=0 lets Open MPI's mpi.h declare the MPI-1 functions that the suite's tools mention.
suite_build() {
  local mpi=$1 test_source=$2/test/mpi build=$3
  (cd "$build" && "$test_source/configure" -q MPICC="mpicc.$mpi" MPICXX="mpicxx.$mpi" MPIF77="mpif77.$mpi" \
    MPIFC="mpif90.$mpi" CPPFLAGS=-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 FFLAGS=-fallow-argument-mismatch \
    FCFLAGS=-fallow-argument-mismatch --disable-threads --disable-spawn --disable-dependency-tracking) || return 1
  make -k -j "$(cores)" -C "$build/rma" || true
}

# suite_tests SOURCE BUILD: one line NAME|RANKS|TEXT|SECONDS|PROGRAM|ARGUMENTS|REASON for each test that was built; ranks
# and arguments are those in the suite's own testlist. No more than 8 ranks: they would wait for each other on two cores.
suite_tests() {
  local test_source=$1/test/mpi build=$2 list name ranks options option arguments number=0
  list=$build/rma/testlist
  [[ -e $list ]] || list=$test_source/rma/testlist
  while read -r name ranks options; do
    [[ -n $name && $name != '#'* && -x $build/rma/$name ]] || continue
    number=$((number + 1)) arguments=''
    for option in $options; do
      [[ $option != arg=* ]] || arguments+=" ${option#arg=}"
    done
    ((ranks <= 8)) || ranks=8
    echo "rma/$name.$number|$ranks|No Errors|60|rma/$name|$arguments|"
  done < "$list"
}

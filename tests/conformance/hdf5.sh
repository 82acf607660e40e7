# The hdf5 suite: testpar of HDF5's source, built against the HDF5 that is installed for each MPI (its headers that are
# not public come from the source). Sourced by run, which calls these functions.
#
# Sizes are cut by the suite's own means: NPROCS=4 instead of 6 ranks, and HDF5TestExpress=3 ("smoke test"), which
# shortens t_cache and t_shapesame. Set either in the environment for longer runs.
# shellcheck shell=bash

suite_source_package=hdf5
suite_binary_package=libhdf5-openmpi-103-1

export HDF5TestExpress=${HDF5TestExpress:-3}
hdf5_ranks=${NPROCS:-4}
suite_remark="NPROCS=$hdf5_ranks, HDF5TestExpress=$HDF5TestExpress"

hdf5_programs=(t_mpi t_bigio t_cache t_cache_image t_pread t_pshutdown t_prestart t_init_term t_shapesame
  t_filters_parallel t_pflush1 t_pflush2)

# suite_build MPI SOURCE BUILD: builds what testpar/Makefile.am does, in BUILD; leaves out what does not build.
suite_build() {
  local mpi=$1 source=$2 build=$3 part program
  local flags libraries
  read -r -a flags <<< "-O1 -w -I$build -I$source/src -I$source/test -I$source/testpar \
    $(pkg-config --cflags-only-I "hdf5-$mpi")"
  read -r -a libraries <<< "$(pkg-config --libs "hdf5-$mpi")"
  sed "s#@srcdir@#$source/test#" "$source/test/H5srcdir_str.h.in" > "$build/H5srcdir_str.h"
  for part in h5test testframe cache_common swmr_common external_common; do
    "mpicc.$mpi" "${flags[@]}" -c "$source/test/$part.c" -o "$build/$part.o" || return 1
  done
  ar rc "$build/libh5test.a" "$build"/*.o
  {
    echo "-o $build/testphdf5 testphdf5.c t_dset.c t_file.c t_file_image.c t_mdset.c t_ph5basic.c t_coll_chunk.c" \
      "t_span_tree.c t_chunk_alloc.c t_filter_read.c t_prop.c t_coll_md_read.c"
    for program in "${hdf5_programs[@]}"; do
      echo "-o $build/$program $program.c"
    done
  } | (cd "$source/testpar" && xargs -P "$(cores)" -I '{}' \
    sh -c "mpicc.$mpi ${flags[*]} {} $build/libh5test.a ${libraries[*]} -lm || echo 'does not build: {}'")
}

# suite_tests SOURCE BUILD: one line NAME|RANKS|TEXT|SECONDS|PROGRAM|ARGUMENTS|REASON for each test. TEXT is what a
# passing test prints (- if nothing), REASON why it is not run.
suite_tests() {
  local ranks=$hdf5_ranks
  cat << END
t_mpi|$ranks|MPI tests finished with no errors|300|t_mpi||
testphdf5|$ranks|PHDF5 tests finished with no errors|900|testphdf5||
t_cache|$ranks|-|1800|t_cache||long
t_cache_image|$ranks|-|600|t_cache_image||
t_pread|$ranks|-|300|t_pread||
t_pshutdown|$ranks|-|120|t_pshutdown||
t_prestart|$ranks|-|120|t_prestart||
t_init_term|$ranks|-|120|t_init_term||
t_shapesame|$ranks|Shape Same tests finished with no errors|900|t_shapesame||
t_filters_parallel|$ranks|-|900|t_filters_parallel||
testpflush|$ranks|-|120|t_pflush2||
t_bigio|$ranks|-|1200|t_bigio||large
END
}

# suite_before NAME: the program to run first, in the same directory, whatever its exit status.
suite_before() {
  case $1 in
    testpflush) echo t_pflush1 ;;
    t_prestart) echo t_pshutdown ;;
  esac
}

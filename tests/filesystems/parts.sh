# The parts of tests/filesystems/run. To be sourced there.
# shellcheck shell=bash disable=SC2154  # variables of run

# in_directory VARIANT COMMAND...: runs a command with `directory`, of that kind, and `files`, not there yet, inside.
in_directory() {
  local variant=$1 directory=$mount_point/$1
  shift
  make_directory "$variant" "$directory" > "$scratch/log" 2>&1 || die "no directory '$variant': $(tail -n 3 "$scratch/log")"
  files=$directory/files
  "$@"
  on_first_node rm -rf "$directory"
}

# run_suites VARIANT: the suites in a directory of this kind.
run_suites() {
  local suite
  if [[ -n $short ]]; then
    run_suite "$1: mpi_consistency, a part" "$build/bin/mpi_consistency_$mpi" '--gtest_filter=Sync.*:Close.*:*Contiguous'
    return
  fi
  for suite in consistency open access; do run_suite "$1: mpi_$suite" "$build/bin/mpi_${suite}_$mpi"; done
  run_collective "$1"
}

# run_collective VARIANT: random collective calls without hints.
run_collective() {
  local -x TEST_PROGRAMS=2
  run_suite "$1: mpi_collective, no hints" "$build/bin/mpi_collective_$mpi"
}

# run_programs VARIANT: random programs; each counts.
run_programs() {
  local log=$scratch/programs.log result=0 good bad
  "$weir_root/tests/programs/run" --on "cluster-$mpi" --seconds "$program_seconds" --build "$build" --files "$files" \
    --per-node "$ranks_per_node" --limit "$program_limit" > "$log" 2>&1 || result=$?
  read -r good bad < <(sed -nE 's/^cluster-.*: ([0-9]+) programs passed, ([0-9]+) failed.*/\1 \2/p' "$log") || true
  passed=$((passed + ${good:-0}))
  printf 'passed  %-8s %s: %d random programs\n' "$mpi" "$1" "${good:-0}"
  ((result == 0)) || {
    failed=$((failed + (${bad:-0} > 0 ? bad : 1)))
    printf 'FAILED  %-8s %s: random programs\n' "$mpi" "$1"
    tail -n 40 "$log" | cut -c 1-400
  }
}

# run_mpi: all parts under $mpi.
run_mpi() {
  local part variant file
  for file in lib/$mpi/libweir.so bin/{mpi_consistency,mpi_open,mpi_access,mpi_collective,mpi_server_faults,cluster_matrix,programs}_"$mpi"; do
    [[ -e $build/$file ]] ||
      die "$build/$file is missing: build weir first (cmake --preset release && cmake --build build)"
  done
  build_shims
  step "$file_system, $nodes nodes with $ranks_per_node ranks each under $(mpi_title "$mpi")"
  for part in "${parts[@]}"; do
    case $part in
      suites) for variant in $(variants); do in_directory "$variant" run_suites "$variant"; done ;;
      programs) for variant in $(variants); do in_directory "$variant" run_programs "$variant"; done ;;
      matrix) in_directory "$(variants | awk '{print $NF}')" run_matrix ;;
      faults) run_faults ;;
      *) die "no part called '$part'" ;;
    esac
  done
}

# Shared by the tests of the program: how it is started. After tests/tool/common.sh, with
#   BENCH_LAUNCH, BENCH_PROGRAM, BENCH_WEIR   the launcher of tests/mpi, the program, libweir.so
# shellcheck shell=bash disable=SC2154,SC2034  # variables of the sourced and the sourcing script
mkdir "$folder/files"

# workloads PEER MPI RANKS ARGUMENTS...: the command that runs the program under "host" or "weir", in the array `run`.
workloads() {
  local peer=$1 mpi=$2 ranks=$3 weir=''
  shift 3
  [ "$peer" = host ] || weir=$BENCH_WEIR
  run=(env LAUNCH_WEIR="$weir" LAUNCH_TIMEOUT=100 "$BENCH_LAUNCH" "$mpi" "$ranks" -- "$BENCH_PROGRAM" "$@")
}

# nothing_left: the program has removed its files.
nothing_left() {
  checks=$((checks + 1))
  [ -z "$(ls -A "$folder/files")" ] && return
  failures=$((failures + 1))
  printf 'FAILED: left behind: %s\n' "$(ls "$folder/files")"
  rm -f "$folder"/files/*
}

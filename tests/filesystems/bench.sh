# Comparisons on a file system, for tests/filesystems/run. To be sourced there.
# shellcheck shell=bash disable=SC2154  # variables of run

# bench_workloads: one per line, as the program `workloads` takes them.
bench_workloads() {
  ((${#bench_names[@]})) || bench_names=(coll_perf cyclic:block=64 discontiguous irregular flash contiguous)
  printf '%s\n' "${bench_names[@]}"
}

# bench_subjects: what is compared: an MPI and an MPI-IO or hints for weir, one pair per line.
bench_subjects() {
  local name hints
  for name in "${mpis[@]}"; do
    case $name in
      openmpi) printf '%s\n' "openmpi ompio" "openmpi romio" "openmpi weir" ;;
      mpich) printf '%s\n' "mpich romio" "mpich weir" ;;
    esac
    for hints in "${bench_hints[@]}"; do printf '%s\n' "$name $hints"; done
  done
}

# bench_start WORKLOAD DIRECTION MPI SUBJECT: one start; its result is appended to $bench_lines. Block I/O is measured in
# it, in turn with the workload.
bench_start() {
  local mpi=$3 without_weir='' hints=() shim directory=$mount_point/bench log=$scratch/log result=0
  shim=$scratch/shim-$mpi.so
  case $4 in
    ompio) without_weir=yes && local -x OMPI_MCA_io=ompio ;;
    romio) without_weir=yes && local -x OMPI_MCA_io=romio321 ;;
    *=*) hints=(--hints "$4") ;;
  esac
  on_first_node mkdir -p "$directory"
  start_ranks "$timeout" "$build/lib/$mpi/workloads" --workload "$1" --direction "$2" --size "$bench_bytes" --repeats 1 \
    --warmups 0 --dir "$directory" "${hints[@]}" > "$log" 2>&1 &
  wait $! || result=$?
  cluster_clear
  on_first_node rm -rf "$directory"
  if ((result == 0)) && grep -q '"verified":true' "$log"; then
    grep '^{' "$log" | sed "s/^{/{\"subject\":\"$4\",\"host\":\"$mpi\",\"asked\":\"$1\",/" >> "$bench_lines"
    passed=$((passed + 1))
  else
    mpi=$mpi count_run 1 "$1 $2 under $4" "$log"
  fi
}

# run_bench: rounds of all subjects for each workload, one after the other, so that all see the same machine.
run_bench() {
  local workload direction round subject
  bench_lines=$scratch/bench.lines
  : > "$bench_lines"
  for mpi in "${mpis[@]}"; do build_shims; done
  cluster_rate 1gbit
  while read -r workload <&3; do
    for direction in write read; do
      for ((round = 0; round < bench_rounds; ++round)); do
        while read -ra subject <&4; do
          bench_start "$workload" "$direction" "${subject[@]}"
        done 4< <(bench_subjects | shuf)
      done
      say "$workload $direction done"
    done
  done 3< <(bench_workloads)
  "$here/bench-table" "$bench_lines" "$bench_output"
}

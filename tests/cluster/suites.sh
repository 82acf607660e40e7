# Test suites on the ranks of an emulated cluster. To be sourced, after ranks.sh. Reads also timeout and files, a directory
# on the nodes that is not there yet; counts in passed and failed.
# shellcheck shell=bash disable=SC2154

# on_first_node COMMAND...: where files are seen as the ranks see them.
on_first_node() { (cluster_exec weir0 "$@"); }

# count_run RESULT NAME LOG: a run that is over; LOG is shown if it failed.
count_run() {
  if (($1 == 0)); then
    passed=$((passed + 1))
    printf 'passed  %-8s %s\n' "$mpi" "$2"
  else
    failed=$((failed + 1))
    printf 'FAILED  %-8s %s\n' "$mpi" "$2"
    tail -n 40 "$3" | cut -c 1-400
  fi
}

# run_suite NAME PROGRAM [ARGUMENT]...: one run of a test suite; counts it.
run_suite() {
  local name=$1 log=$scratch/log result=0 leftovers
  shift
  export TEST_DIR=$files
  on_first_node mkdir "$files"
  start_ranks "$timeout" "$@" > "$log" 2>&1 &
  wait $! || result=$?
  [[ $result != 124 && $result != 137 ]] || echo "TIMED OUT after $timeout s" >> "$log"
  leftovers=$(on_first_node ls -A "$files")
  if ((result == 0)) && [[ -n $leftovers ]]; then
    echo "LEFT BEHIND: $leftovers" >> "$log"
    result=1
  fi
  ((result != 0)) || grep -q "$((nodes * ranks_per_node)) ranks, under weir" "$log" || result=1
  count_run "$result" "$name" "$log"
  cluster_clear
  on_first_node rm -rf "$files"
}

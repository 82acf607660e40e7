# The matrix of combinations for tests/cluster/run. To be sourced there.
# shellcheck shell=bash disable=SC2154  # variables of run

matrix_most_hangs=6
matrix_seconds=3600

# matrix_start FROM LOG: runs the program of $mpi from combination FROM on; returns its exit code.
matrix_start() {
  local result=0 options=(--from "$1" --only "$only")
  [[ -z $matrix ]] || options+=(--all)
  start_ranks "$matrix_seconds" "$build/bin/cluster_matrix_$mpi" "$files" "${options[@]}" > "$2" 2>&1 &
  wait $! || result=$?
  cluster_clear
  return "$result"
}

# matrix_last LOG: the line of the combination that was begun last.
matrix_last() { grep '^run ' "$1" | tail -n 1; }

# run_matrix: all combinations under $mpi; counts each. One that hangs or fails ends the program, which is started again
# behind it: not for ever, since where one hangs many may.
run_matrix() {
  local log=$scratch/matrix.log from=0 troubles=0 last begun
  on_first_node mkdir "$files"
  while true; do
    if matrix_start "$from" "$log" && grep -q '^all combinations done' "$log"; then
      matrix_count "$log"
      break
    fi
    matrix_count "$log"
    last=$(matrix_last "$log")
    begun=$(grep -c '^run ' "$log" || true)
    count_run 1 "matrix: ${last:-did not start}" "$log"
    troubles=$((troubles + 1))
    from=$(($(awk '{print $2}' <<< "${last:-x 0}") + 1))
    if ((troubles >= matrix_most_hangs || begun == 0)); then
      echo "matrix: given up after $troubles failures; combinations from $from on were not run"
      break
    fi
  done
  on_first_node rm -rf "$files"
}

# matrix_count LOG: counts the combinations that passed.
matrix_count() {
  local good
  good=$(grep -c '^passed ' "$1" || true)
  passed=$((passed + good))
  echo "passed  $mpi: $good combinations, $(awk '/^passed / {s += $3} END {printf "%.0f s", s}' "$1")"
}

# Sparse access against a dense exchange, for tests/cluster/run. To be sourced there.
# shellcheck shell=bash disable=SC2154  # variables of run

sparse_block=16384
sparse_hints="weir_method=two_phase;weir_domains=even;cb_nodes=4;cb_buffer_size=$((16 * sparse_block))"

# sparse_ways: the runs: a sparsity in per cent, a direction, a way to exchange.
sparse_ways() {
  local sparsity
  for sparsity in 100 50 25 10 1; do echo "$sparsity write direct"; done
  echo "100 read direct"
  echo "10 read direct"
  echo "1 write shared"
  echo "1 read shared"
}

# sparse_field NAME FILE: the sum of a number over all files of a report, as far as they were used collectively.
sparse_field() {
  grep '"two_phase_accesses":[1-9]' "$2" | sed 's/"most_of_a_rank".*//' | grep -o "\"$1\":[0-9]*" |
    awk -F: '{sum += $2} END {print sum + 0}'
}

# sparse_messages FILE: data messages, inside nodes and between them.
sparse_messages() {
  echo $(($(sparse_field messages_inside_nodes "$1") + $(sparse_field messages_between_nodes "$1")))
}

# sparse_run SPARSE SPARSITY DIRECTION EXCHANGE LOG: one verified access; leaves its report in $scratch/SPARSE.json.
sparse_run() {
  local report=$scratch/$1.json result=0
  local -x WEIR_REPORT=$report
  rm -f "$report"
  mkdir "$scratch/files"
  start_ranks "$timeout" "$build/lib/$mpi/workloads" --workload "sparse:sparsity=$2" --direction "$3" \
    --size $((16 * 4 * sparse_block)) --repeats 1 --warmups 0 --block no --dir "$scratch/files" \
    --hints "$sparse_hints;weir_exchange=$4;weir_sparse=$1" >> "$5" 2>&1 &
  wait $! || result=$?
  cluster_clear
  rm -rf "$scratch/files"
  ((result == 0)) && grep -q "\"sparse\":$1" "$report"
}

# run_sparse SPARSITY DIRECTION EXCHANGE: the same access in both modes; counts it. At 100 % every rank has a block in
# every window and sends as many messages in both; below, fewer with sparse access.
run_sparse() {
  local log=$scratch/log result=0 sparse=0 dense=0
  : > "$log"
  if sparse_run true "$@" "$log" && sparse_run false "$@" "$log" && (($(grep -c '"verified":true' "$log") == 2)); then
    sparse=$(sparse_messages "$scratch/true.json") dense=$(sparse_messages "$scratch/false.json")
    echo "messages: $sparse sparse, $dense dense" >> "$log"
    (($1 == 100 ? sparse == dense && dense > 0 : sparse < dense)) || result=1
  else
    result=1
  fi
  count_run "$result" "sparsity $1 %, $2, $3 exchange: $sparse messages sparse, $dense dense" "$log"
}

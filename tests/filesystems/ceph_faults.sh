# Faults of CephFS: quotas, mounts for reading, an object server that does not answer. To be sourced by ceph.sh.
# shellcheck shell=bash disable=SC2154  # variables of run

# with_mount NAME OPTION... -- COMMAND...: a command while the file system is also mounted at $scratch/NAME with options.
with_mount() {
  local mount_point=$scratch/$1 mount_options=()
  shift
  while [[ $1 != -- ]]; do mount_options+=("$1") && shift; done
  shift
  mkdir -p "$mount_point"
  mount_all > "$scratch/log" 2>&1 || die "no mount with ${mount_options[*]}: $(tail -n 3 "$scratch/log")"
  cluster_keep
  "$@"
  unmount_all
}

unmount_all() {
  local node
  for ((node = 0; node < nodes; ++node)); do (cluster_exec "weir$node" umount -l "$mount_point") || true; done
}

fault_program() { echo "$build/bin/mpi_server_faults_$mpi"; }

run_quota() {
  in_quota() {
    on_first_node setfattr -n ceph.quota.max_bytes -v 1048576 "$mount_point/stripes-1"
    run_suite "a quota" "$(fault_program)" '--gtest_filter=Quota.*'
  }
  in_directory stripes-1 in_quota
}

run_read_only() {
  on_first_node sh -c "mkdir '$mount_point/given' && echo xyz > '$mount_point/given/file'"
  with_mount readonly -o ro -- run_read_only_suite
  on_first_node rm -rf "$mount_point/given"
}

# The directory is there already, and cannot be made: not run_suite's way.
run_read_only_suite() {
  local -x TEST_DIR=$mount_point/given
  local log=$scratch/log result=0
  start_ranks "$timeout" "$(fault_program)" '--gtest_filter=ReadOnlyMount.*' > "$log" 2>&1 &
  wait $! || result=$?
  count_run "$result" "a mount for reading" "$log"
  cluster_clear
}

# Clients give up after 4 s; the server answers nothing for 12.
run_silent_server() {
  with_mount impatient --rados_osd_op_timeout=4 -- in_directory stripes-4 run_silent_suite
}

run_silent_suite() {
  local server pausing
  server=$(< "$(ls "$servers"/run/osd.0.*.pid)")
  (sleep 5 && kill -STOP "$server" && sleep 12 && kill -CONT "$server") &
  pausing=$!
  run_suite "an object server that does not answer" "$(fault_program)" '--gtest_filter=SilentServer.*'
  wait "$pausing"
}

run_faults() {
  run_quota
  run_read_only
  run_silent_server
}

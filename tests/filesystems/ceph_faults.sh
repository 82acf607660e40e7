# Faults of CephFS: quotas, mounts for reading, object servers that do not answer or are killed. To be sourced by ceph.sh.
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

# Two more object servers, with pools of their own, are killed one after the other. Where the other one has copies, calls go
# on; where nobody has, they fail when the clients give up, after 4 s.
run_dead_server() {
  local number=$((3 + 2 * dead_servers)) apart=apart$dead_servers
  dead_servers=$((dead_servers + 1))
  make_apart "$apart" "$number" > "$scratch/log" 2>&1 || die "no object servers apart: $(tail -n 3 "$scratch/log")"
  cluster_keep
  in_pool "$apart-copied" run_while_killed "$number" "an object server is killed, there are copies" DeadServer.CopiesServe
  { ceph_on weir7 ceph osd purge "$number" --yes-i-really-mean-it && make_pool "$apart" single 1; } > "$scratch/log" 2>&1 ||
    die "no pool on the other object server: $(tail -n 3 "$scratch/log")"
  with_mount impatient --rados_osd_op_timeout=4 -- in_pool "$apart-single" run_while_killed $((number + 1)) \
    "an object server is killed, there are no copies" DeadServer.RanksFailTogether
}

dead_servers=0 # pairs of them

# make_apart NAME NUMBER: object servers NUMBER and NUMBER + 1, and the pool NAME-copied on both.
make_apart() {
  local number
  ceph_on weir7 ceph osd crush add-bucket "$1" root || return
  for number in "$2" $(($2 + 1)); do
    ceph_object_server "$number" --osd_crush_update_on_start=false &&
      ceph_on weir7 ceph osd crush add "osd.$number" 1 "root=$1" || return
  done
  ceph_on weir7 ceph osd crush rule create-replicated "$1" "$1" osd && make_pool "$1" copied 2
}

# make_pool APART NAME COPIES
make_pool() {
  ceph_on weir7 sh -e -c "ceph osd pool create '$1-$2' 8 8 replicated '$1'
    ceph osd pool set '$1-$2' size $3 --yes-i-really-mean-it
    ceph fs add_data_pool files '$1-$2'"
}

# in_pool POOL COMMAND...: with `files` in a directory whose files lie in that pool.
in_pool() {
  local pool=$1 directory=$mount_point/$1
  shift
  on_first_node mkdir "$directory"
  await 30 on_first_node setfattr -n ceph.dir.layout.pool -v "$pool" "$directory" 2> /dev/null ||
    die "files cannot be put into the pool $pool"
  files=$directory/files
  "$@"
}

# run_while_killed NUMBER NAME TEST: an object server ends some seconds after the begin.
run_while_killed() {
  local server killing
  server=$(< "$(ls "$servers/run/osd.$1".*.pid)")
  (sleep 5 && kill -KILL "$server") &
  killing=$!
  run_suite "$2" "$(fault_program)" "--gtest_filter=$3"
  wait "$killing"
}

run_faults() {
  run_quota
  run_read_only
  run_silent_server
  run_dead_server
}

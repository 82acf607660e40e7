# CephFS: a monitor, a manager and a metadata server on weir7, three object servers on weir4 to weir6, which keep objects in
# memory; a mount by ceph-fuse on each of weir0 to weir3. To be sourced by run.
#
# Of 16 placement groups, as few as would do, one server had 8 and another 2: 128 spread data as evenly as on real clusters.
# With several threads each, servers came to tell of 16 EiB in use after some gigabytes, and refused writes: hence one.
# shellcheck shell=bash disable=SC2154  # variables of run

file_system_title() { echo "CephFS $(ceph --version | awk '{print $3}')"; }

# ceph_on NODE COMMAND...: a command of Ceph's on a node.
ceph_on() {
  local node=$1
  shift
  (cd "$servers" && CEPH_CONF=$servers/ceph.conf cluster_exec "$node" "$@")
}

ceph_configuration() {
  cat << END
[global]
fsid = $1
mon_initial_members = a
mon_host = [v2:$cluster_network.8:3300,v1:$cluster_network.8:6789]
public_network = $cluster_network.0/24
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_memory_target = 939524096
osd_op_num_shards = 1
osd_op_num_threads_per_shard = 1
mds_cache_memory_limit = 268435456
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
client_caps_release_delay = 0
run_dir = $servers/run
admin_socket = $servers/run/\$name.\$pid.asok
pid_file = $servers/run/\$name.\$pid.pid
log_file = $servers/log/\$name.log
mon_cluster_log_file = $servers/log/cluster.log
crash_dir = $servers/log
mon_data = $servers/mon
mgr_data = $servers/mgr
mds_data = $servers/mds
osd_data = $servers/osd\$id
keyring = $servers/keyring
END
}

new_uuid() { cat /proc/sys/kernel/random/uuid; }

# ceph_object_server NUMBER [OPTION]...: on weir4, weir5 and weir6 in turn.
ceph_object_server() {
  local uuid number=$1 node=weir$((4 + $1 % 3))
  shift
  uuid=$(new_uuid)
  mkdir "$servers/osd$number"
  [[ $(ceph_on weir7 ceph osd new "$uuid" "$number") == "$number" ]] &&
    ceph_on "$node" ceph-osd -i "$number" --mkfs --osd-uuid "$uuid" &&
    ceph_on "$node" ceph-osd -i "$number" "$@"
}

ceph_servers() {
  local fsid number pids=() pid
  fsid=$(new_uuid)
  mkdir -p "$servers"/{run,log,mon,mgr,mds}
  touch "$servers/keyring"
  ceph_configuration "$fsid" > "$servers/ceph.conf"
  for ((number = 0; number < 8; ++number)); do
    (cluster_exec "weir$number" sh -c "mount -t tmpfs tmpfs /run && mkdir /run/ceph") || return
  done
  ceph_on weir7 monmaptool --create --addv a "[v2:$cluster_network.8:3300,v1:$cluster_network.8:6789]" \
    --fsid "$fsid" monmap &&
    ceph_on weir7 sh -c "ceph-mon --mkfs -i a --monmap monmap && ceph-mon -i a && ceph-mgr -i a" || return
  for number in 0 1 2; do
    ceph_object_server "$number" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || return; done
  ceph_on weir7 sh -c "ceph osd pool create data 128 128 && ceph osd pool create metadata 8 8 &&
    ceph fs new files metadata data && ceph-mds -i a"
  await 60 ceph_serves
}

ceph_serves() { ceph_on weir7 ceph mds stat 2> /dev/null | grep -q up:active; }

# mount_node NODE [OPTION]...: a client on a node.
mount_node() {
  local node=$1
  shift
  ceph_on "$node" ceph-fuse -n client.admin "$@" "$mount_point"
}

start_servers() { ceph_servers; }

# variants: what directories are tested.
variants() { echo "stripes-1 stripes-4 stripes-8"; }

# make_directory VARIANT DIRECTORY: files made there get stripes of 64 KiB on that many objects at a time.
make_directory() {
  on_first_node mkdir "$2" &&
    on_first_node setfattr -n ceph.dir.layout -v \
      "stripe_unit=65536 stripe_count=${1#stripes-} object_size=4194304" "$2"
}

# shellcheck source=/dev/null
source "$here/ceph_faults.sh"

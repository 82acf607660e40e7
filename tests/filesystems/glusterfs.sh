# GlusterFS: a volume of four bricks on weir4 to weir7, mounted on each of weir0 to weir3 as it comes, with all its caches.
# To be sourced by run.
# shellcheck shell=bash disable=SC2154  # variables of run

file_system_title() { glusterfs --version | sed -n '1s/^glusterfs /GlusterFS /p'; }

# gluster_on NODE COMMAND...
gluster_on() {
  local node=$1
  shift
  (cluster_exec "$node" gluster --mode=script "$@")
}

# glusterfs_room NODE: a node's own state of GlusterFS.
glusterfs_room() {
  mkdir -p "$servers/$1"/{state,log,brick}
  (cluster_exec "$1" sh -e -c "
    mount --bind '$servers/$1/state' /var/lib/glusterd
    mount --bind '$servers/$1/log' /var/log/glusterfs
    mount -t tmpfs tmpfs /run
    mkdir /run/gluster")
}

glusterfs_answers() { gluster_on weir4 pool list > /dev/null 2>&1; }
glusterfs_is_whole() { (($(gluster_on weir4 pool list | grep -c Connected) == 4)); }
glusterfs_volume() {
  local node bricks=()
  for node in weir4 weir5 weir6 weir7; do bricks+=("$node:$servers/$node/brick"); done
  gluster_on weir4 volume create files "${bricks[@]}" force
}

start_servers() {
  local node
  for node in weir{0..7}; do glusterfs_room "$node" || return; done
  for node in weir{4..7}; do (cluster_exec "$node" glusterd -p /run/glusterd.pid) || return; done
  await 20 glusterfs_answers || return
  for node in weir{5..7}; do gluster_on weir4 peer probe "$node" || return; done
  await 20 glusterfs_is_whole && await 10 glusterfs_volume && gluster_on weir4 volume start files
}

mount_node() {
  local node=$1
  shift
  (cluster_exec "$node" mount -t glusterfs "$@" weir4:/files "$mount_point")
}

variants() { echo "default"; }

make_directory() { on_first_node mkdir "$2"; }

run_faults() { say "no faults are made on this file system"; }

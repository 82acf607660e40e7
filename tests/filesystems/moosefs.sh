# MooseFS: the master on weir4, chunk servers on weir4 to weir7, a mount by mfsmount on each of weir0 to weir3. To be sourced
# by run.
# shellcheck shell=bash disable=SC2154  # variables of run

file_system_title() { echo "MooseFS $(mfsmount -V 2>&1 | sed -n 's/^MFS version: *\([^ ]*\).*/\1/p')"; }

moosefs_common="WORKING_USER = root
WORKING_GROUP = root
LOCK_MEMORY = 0
DISABLE_OOM_KILLER = 0
NICE_LEVEL = 0"

moosefs_master() {
  mkdir -p "$servers/master"
  cp /var/lib/mfs/metadata.mfs.empty "$servers/master/metadata.mfs"
  echo "* / rw,alldirs,maproot=0" > "$servers/exports.cfg"
  : > "$servers/topology.cfg"
  cat > "$servers/master.cfg" << END
$moosefs_common
LIMIT_GLIBC_MALLOC_ARENAS = 0
DATA_PATH = $servers/master
EXPORTS_FILENAME = $servers/exports.cfg
TOPOLOGY_FILENAME = $servers/topology.cfg
END
  (cluster_exec weir4 mfsmaster -c "$servers/master.cfg" start)
}

# moosefs_chunks NODE
moosefs_chunks() {
  mkdir -p "$servers/$1"/{data,chunks}
  echo "$servers/$1/chunks" > "$servers/$1/disks.cfg"
  cat > "$servers/$1/server.cfg" << END
$moosefs_common
DATA_PATH = $servers/$1/data
HDD_CONF_FILENAME = $servers/$1/disks.cfg
HDD_LEAVE_SPACE_DEFAULT = 256MiB
MASTER_HOST = $cluster_network.5
END
  (cluster_exec "$1" mfschunkserver -c "$servers/$1/server.cfg" start)
}

start_servers() {
  local node
  moosefs_master || return
  for node in weir4 weir5 weir6 weir7; do moosefs_chunks "$node" || return; done
}

mount_node() {
  local node=$1
  shift
  (cluster_exec "$node" mfsmount "$mount_point" -H "$cluster_network.5" "$@")
}

variants() { echo "default"; }

# make_directory VARIANT DIRECTORY: one copy of every chunk.
make_directory() {
  on_first_node mkdir "$2" && on_first_node mfssetgoal 1 "$2"
}

run_faults() { say "no faults are made on this file system"; }

# NFS 4.2: the kernel's server on weir4, which keeps an ext4 in memory; a mount on each of weir0 to weir3, whose networks are
# apart, so that each has a client, with caches, of its own. To be sourced by run. Where this machine's kernel has no NFS, all
# of it happens in a virtual machine (machine.sh), which is slow: hence fewer ranks.
# shellcheck shell=bash disable=SC2034,SC2154  # variables of run

ranks_per_node=2 all_nodes=5 program_limit=300 usual_timeout=900 usual_parts=(suites programs)

# shellcheck source=/dev/null
source "$here/machine.sh"

file_system_title() { echo "NFS 4.2 of Linux $(uname -r)"; }

obstacle() { cluster_obstacle; }

# needs_machine: whether this kernel cannot do it.
needs_machine() {
  local module
  for module in nfsd nfsv4; do
    grep -qw "${module%v4}" /proc/filesystems || modprobe -q "$module" || return 0
  done
  return 1
}

# The server's own mounts and state are weir4's alone.
start_servers() {
  modprobe -q loop || true # where it is no part of the kernel
  truncate -s 1G "$servers/disk" && mkdir "$servers/files" && mkfs.ext4 -q -m 0 "$servers/disk" || return
  (cluster_exec weir4 sh -e -c "
    mount -o loop,noatime '$servers/disk' '$servers/files'
    chmod 777 '$servers/files'
    mount -t tmpfs tmpfs /run
    mount -t tmpfs tmpfs /var/lib/nfs
    mkdir /var/lib/nfs/v4recovery
    touch /var/lib/nfs/etab /var/lib/nfs/rmtab
    mount -t nfsd nfsd /proc/fs/nfsd
    exportfs -o rw,no_root_squash,no_subtree_check,sync,fsid=0 '*:$servers/files'
    rpc.mountd --no-udp --no-nfs-version 3
    echo 10 > /proc/fs/nfsd/nfsv4leasetime
    echo 10 > /proc/fs/nfsd/nfsv4gracetime
    rpc.nfsd --no-nfs-version 3 --nfs-version 4.2 --no-udp 8")
}

mount_node() {
  local node=$1
  shift
  (($#)) || set -- -o vers=4.2
  (cluster_exec "$node" mount -t nfs4 "$@" "$cluster_network.5:/" "$mount_point")
}

variants() { echo "default"; }

make_directory() { on_first_node mkdir "$2"; }

run_faults() { say "no faults are made on this file system"; }

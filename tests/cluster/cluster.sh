# A cluster of emulated nodes on this machine. To be sourced.
#
# A node is a process that holds a network, host name, IPC and mount namespace; a further one holds the switch that the
# nodes are plugged into. The machine's own network is not touched: all addresses, links and mounts live in the
# namespaces and vanish with them. Files are those of the machine, the same on all nodes.
# shellcheck shell=bash

cluster_network=10.84.0

# cluster_obstacle: why there can be no cluster here; nothing when there can.
cluster_obstacle() {
  local command
  if ((EUID != 0)); then
    echo "not root: emulated nodes are namespaces, which need root" && return
  fi
  for command in ip unshare nsenter setpriv setsid; do
    command -v "$command" > /dev/null || { echo "no '$command' here: see scripts/install-packages" && return; }
  done
  unshare --net --uts --ipc --mount true 2> /dev/null || { echo "namespaces are not permitted here" && return; }
  unshare --net sh -c 'ip link add probe0 type veth peer name probe1 && ip link add probe2 type bridge' 2> /dev/null ||
    echo "the kernel has no veth or bridge devices"
}

# cluster_hold NAME NAMESPACE...: starts the process that holds a node, in a session of its own so that signals to this
# shell's process group pass it by. It ends with this shell, whatever ends that.
cluster_hold() {
  local name=$1
  shift
  setsid setpriv --pdeathsig KILL unshare "$@" sleep infinity < /dev/null > /dev/null 2>&1 &
  echo $! > "$WEIR_CLUSTER/$name.pid"
}

# cluster_await NAME: waits until the process has its namespaces, and remembers its network, by which all processes of
# the node are found again even when the one that held it is gone.
cluster_await() {
  local pid attempt
  pid=$(< "$WEIR_CLUSTER/$1.pid")
  for ((attempt = 0; attempt < 250; ++attempt)); do
    if [[ $(cat "/proc/$pid/comm" 2> /dev/null) == sleep ]]; then
      readlink "/proc/$pid/ns/net" > "$WEIR_CLUSTER/$1.net"
      return
    fi
    sleep 0.02
  done
  echo "node $1 does not start" >&2
  return 1
}

# cluster_plug NODE NUMBER: connects a node to the switch and makes it look like a machine of its own.
cluster_plug() {
  local pid switch
  pid=$(< "$WEIR_CLUSTER/$1.pid")
  switch=$(< "$WEIR_CLUSTER/switch.pid")
  nsenter -t "$switch" -n ip link add "$1" type veth peer name eth0 netns "$pid" &&
    nsenter -t "$switch" -n ip link set "$1" master weir-switch up &&
    nsenter -t "$pid" -n -u -i -m -- sh -e -c "
      hostname $1
      ip link set lo up
      ip addr add $cluster_network.$(($2 + 1))/24 dev eth0
      ip link set eth0 up
      mount --make-rprivate /
      mount -t sysfs sysfs /sys
      mount -t tmpfs -o size=1g tmpfs /dev/shm
      mount --bind '$WEIR_CLUSTER/hosts' /etc/hosts"
}

# cluster_up NODES: starts nodes called weir0, weir1, ...; sets and exports WEIR_CLUSTER, the directory of their process
# ids. Afterwards, and also when it fails, cluster_down has to be called.
cluster_up() {
  local node nodes=$1
  WEIR_CLUSTER=$(mktemp -d "${TMPDIR:-/tmp}/weir-cluster.XXXXXX") || return
  export WEIR_CLUSTER
  : > "$WEIR_CLUSTER/kept"
  echo "127.0.0.1 localhost" > "$WEIR_CLUSTER/hosts"
  cluster_hold switch --net
  for ((node = 0; node < nodes; ++node)); do
    echo "$cluster_network.$((node + 1)) weir$node" >> "$WEIR_CLUSTER/hosts"
    cluster_hold "weir$node" --net --uts --ipc --mount
  done
  cluster_await switch && nsenter -t "$(< "$WEIR_CLUSTER/switch.pid")" -n sh -e -c \
    'ip link add weir-switch type bridge; ip link set weir-switch up' || return
  for ((node = 0; node < nodes; ++node)); do
    cluster_await "weir$node" && cluster_plug "weir$node" "$node" || return
  done
}

# cluster_exec NODE COMMAND...: becomes a command on a node, in this directory; to be called in a subshell. The command
# is asked to end when the shell that started it is gone.
cluster_exec() {
  local pid
  pid=$(< "$WEIR_CLUSTER/$1.pid")
  shift
  exec setpriv --pdeathsig TERM nsenter -t "$pid" -n -u -i -m --wdns="$PWD" -- "$@"
}

# cluster_rate RATE: the speed of every node's link, in both directions, e.g. 1gbit.
cluster_rate() {
  local file node shape="root tbf rate $1 burst 256kb latency 50ms"
  for file in "$WEIR_CLUSTER"/weir*.pid; do
    node=$(basename "$file" .pid)
    # shellcheck disable=SC2086  # words of tc
    nsenter -t "$(< "$file")" -n tc qdisc replace dev eth0 $shape &&
      nsenter -t "$(< "$WEIR_CLUSTER/switch.pid")" -n tc qdisc replace dev "$node" $shape || return
  done
}

# cluster_processes: the processes that live on the nodes, without those that hold them and those that are kept.
cluster_processes() {
  local own holders networks process pid network
  own=$(readlink /proc/self/ns/net)
  holders=" $(cat "$WEIR_CLUSTER"/*.pid "$WEIR_CLUSTER/kept" 2> /dev/null | tr '\n' ' ') "
  networks=" $(cat "$WEIR_CLUSTER"/*.net 2> /dev/null | tr '\n' ' ') "
  for process in /proc/[0-9]*; do
    pid=${process#/proc/}
    network=$(readlink "$process/ns/net" 2> /dev/null) || continue
    [[ $network != "$own" && $networks == *" $network "* && $holders != *" $pid "* ]] || continue
    echo "$pid"
  done
}

# cluster_keep: what runs on the nodes now, servers and mounts, is kept by cluster_clear.
cluster_keep() {
  : > "$WEIR_CLUSTER/kept"
  cluster_processes > "$WEIR_CLUSTER/kept.new"
  mv "$WEIR_CLUSTER/kept.new" "$WEIR_CLUSTER/kept"
}

# cluster_clear: ends what still runs on the nodes and is not kept, politely first. The nodes stay.
cluster_clear() {
  local signal attempt pids
  for signal in TERM KILL; do
    for ((attempt = 0; attempt < 20; ++attempt)); do
      mapfile -t pids < <(cluster_processes)
      ((${#pids[@]})) || return 0
      ((attempt)) || kill "-$signal" "${pids[@]}" 2> /dev/null || true
      sleep 0.1
    done
  done
}

# cluster_down: ends everything that runs on the nodes, then the nodes; nothing of them is left.
cluster_down() {
  local file pid
  [[ -n ${WEIR_CLUSTER:-} ]] || return 0
  : > "$WEIR_CLUSTER/kept"
  cluster_clear
  for file in "$WEIR_CLUSTER"/*.pid; do
    [[ -e $file ]] || continue
    pid=$(< "$file")
    kill -KILL "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
  done
  rm -rf "$WEIR_CLUSTER"
  unset WEIR_CLUSTER
}

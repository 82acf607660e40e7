# Ranks of an MPI on the nodes of an emulated cluster. To be sourced, after cluster.sh. Reads mpi, nodes, ranks_per_node,
# build, scratch and weir_root; ranks, where set, is their number: the last nodes may have fewer.
# shellcheck shell=bash disable=SC2154

cluster_scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# build_shims: what keeps waiting ranks from spinning, and MPICH from hanging at the end. Sets shim.
build_shims() {
  shim=$scratch/shim-$mpi.so
  case $mpi in
    openmpi) mpicc.openmpi -O2 -shared -fPIC "$weir_root/tests/conformance/idle.c" -o "$shim" -ldl ;;
    mpich)
      mpicc.mpich -O2 -shared -fPIC "$weir_root/tests/conformance/idle.c" "$cluster_scripts/finalize.c" -o "$shim" -ldl
      ;;
  esac
}

# hosts SUFFIX: the nodes, each followed by SUFFIX, divided by commas.
hosts() {
  local node names=()
  for ((node = 0; node < nodes; ++node)); do names+=("weir$node$1"); done
  local IFS=,
  echo "${names[*]}"
}

# start_ranks SECONDS COMMAND...: runs a command on all ranks of $mpi, under weir unless without_weir is set.
start_ranks() {
  local preload=$shim ranks=${ranks:-$((nodes * ranks_per_node))} seconds=$1 command name
  shift
  [[ -n ${without_weir:-} ]] || preload=$build/lib/$mpi/libweir.so:$preload
  case $mpi in
    openmpi)
      command=(mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -np "$ranks"
        -H "$(hosts ":$ranks_per_node")" --mca plm_rsh_agent "$cluster_scripts/node-shell" --mca pml ob1
        --mca btl "self,vader,tcp" --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0
        --mca btl_vader_single_copy_mechanism none --mca mpi_yield_when_idle 1 -x "LD_PRELOAD=$preload")
      for name in TEST_DIR TEST_SMALL_DIR TEST_HINTS TEST_PROGRAMS TEST_SEED WEIR_THREADS WEIR_REPORT OMPI_MCA_io; do
        [[ -z ${!name:-} ]] || command+=(-x "$name")
      done
      ;;
    mpich)
      command=(env "UCX_TLS=tcp,self" UCX_NET_DEVICES=eth0 mpirun.mpich -launcher ssh
        -launcher-exec "$cluster_scripts/node-shell" -hosts "$(hosts '')" -ppn "$ranks_per_node" -n "$ranks" -genv LD_PRELOAD "$preload")
      ;;
  esac
  cluster_exec weir0 timeout --kill-after=5 "$seconds" "${command[@]}" "$@" < /dev/null
}

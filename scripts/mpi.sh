# How to start programs under each host MPI, on a machine that may have fewer cores than ranks. To be sourced, after
# common.sh.
# shellcheck shell=bash

# mpis_installed: the host MPIs that can be used here, one per line.
mpis_installed() {
  local mpi
  for mpi in openmpi mpich; do
    if command -v "mpicc.$mpi" > /dev/null && command -v "mpirun.$mpi" > /dev/null; then
      echo "$mpi"
    fi
  done
}

# choose_mpis: unless the array mpis names some, it gets all that are installed.
choose_mpis() {
  ((${#mpis[@]})) || mapfile -t mpis < <(mpis_installed)
  ((${#mpis[@]})) || die "no MPI found: run scripts/install-packages"
}

# mpi_title MPI: its name and version for people.
mpi_title() {
  case $1 in
    openmpi) echo "Open MPI $(mpirun.openmpi --version 2>&1 | sed -n '1s/.*) //p')" ;;
    mpich) echo "MPICH $(mpirun.mpich --version | sed -n 's/^ *Version: *//p')" ;;
    *) die "no MPI called '$1': use openmpi or mpich" ;;
  esac
}

# mpi_io_title MPI: what the MPI calls its own MPI-IO.
mpi_io_title() {
  case $1 in
    openmpi) echo OMPIO ;;
    mpich) echo ROMIO ;;
  esac
}

# idle_shim SOURCE OUTPUT: builds a shim, to be preloaded, that makes waiting ranks leave the core to others. Without one,
# 4 ranks of MPICH on 2 cores spend nearly all their time spinning.
idle_shim() {
  local source=$1 output=$2
  [[ $output -nt $source ]] && return 0
  mkdir -p "$(dirname "$output")"
  cc -O2 -shared -fPIC "$source" -o "$output" -ldl
}

# mpi_run MPI RANKS SECONDS PRELOAD COMMAND...: runs a command on RANKS ranks for at most SECONDS. PRELOAD is a list of
# libraries divided by ':' (may be empty) that only the ranks see, not the launcher. Returns 124 after a timeout.
# LAUNCHER_OPTIONS (an array) is put before the command where set. MPI_SINGLE_COPY is how Open MPI copies between
# processes (default: none); without any, MPI_Win_create has no component to use there.
mpi_run() {
  local mpi=$1 ranks=$2 seconds=$3 preload=$4
  shift 4
  local options=()
  if declare -p LAUNCHER_OPTIONS &> /dev/null; then
    options=("${LAUNCHER_OPTIONS[@]}")
  fi
  # process_vm_readv is refused in most containers
  local -x OMPI_MCA_btl_vader_single_copy_mechanism=${MPI_SINGLE_COPY:-none}
  case $mpi in
    openmpi)
      [[ -z $preload ]] || options+=(-x "LD_PRELOAD=$preload")
      timeout --kill-after=5 "$seconds" mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none \
        -np "$ranks" "${options[@]}" "$@" < /dev/null
      ;;
    mpich)
      [[ -z $preload ]] || options+=(-genv LD_PRELOAD "$preload")
      timeout --kill-after=5 "$seconds" mpirun.mpich -n "$ranks" "${options[@]}" "$@" < /dev/null
      ;;
  esac
}

# end_leftovers DIRECTORY: ends processes still working in DIRECTORY. A launcher that was stopped by a timeout can leave
# ranks behind.
end_leftovers() {
  local directory link pid
  directory=$(realpath "$1")
  for link in /proc/[0-9]*/cwd; do
    [[ $(readlink "$link" 2> /dev/null || true) == "$directory"* ]] || continue
    pid=${link#/proc/}
    pid=${pid%/cwd}
    kill -KILL "$pid" 2> /dev/null || true
  done
}

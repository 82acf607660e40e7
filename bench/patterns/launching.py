"""Starts the program `patterns` under weir or under an MPI-IO of the host, in fair conditions for both."""

import dataclasses
import os
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Options of the launcher that choose an MPI-IO of the host.
LAUNCHER_OPTIONS = {
    ("openmpi", "ompio"): ["--mca", "io", "ompio"],
    ("openmpi", "romio"): ["--mca", "io", "romio321"],
}

# scripts/mpi.sh knows how to start programs under each MPI.
SCRIPT = """
source "$1/scripts/common.sh" && source "$1/scripts/mpi.sh" || exit 1
shim=$2/bench/patterns/idle.so
idle_shim "$1/tests/mpi/idle.c" "$shim"
mpi=$3 ranks=$4 seconds=$5 library=$6 LAUNCHER_OPTIONS=($7)
shift 7
[[ $mpi == mpich ]] || shim=''
mpi_run "$mpi" "$ranks" "$seconds" "$library${library:+${shim:+:}}$shim" "$@"
"""


@dataclasses.dataclass(frozen=True)
class Run:
    """What one table shows."""

    mpi: str
    ranks: int
    directory: str
    peers: tuple
    build: str

    def title(self):
        return f"{self.mpi}, {self.ranks} ranks, {self.directory}"

    def program(self):
        return os.path.join(self.build, "bench", "patterns", f"patterns_{self.mpi}")

    def library(self):
        return os.path.join(self.build, "lib", self.mpi, "libweir.so")


def peers_of(mpi, wanted):
    """The peers that an MPI has; MPICH's own MPI-IO is ROMIO."""
    if mpi == "openmpi":
        return wanted
    names = ["romio" if peer == "host" else peer for peer in wanted if peer != "ompio"]
    return list(dict.fromkeys(names))


def require_programs(runs):
    for run in runs:
        for path in [run.program()] + [run.library()] * ("weir" in run.peers):
            if not os.path.exists(path):
                sys.exit(f"{path} is missing: cmake --build {run.build} --target patterns_{run.mpi} weir_{run.mpi}")


def processes_in(directory):
    """Those working in the directory, with their parents: the launcher and its ranks, however they were started."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == directory:
                with open(f"/proc/{name}/stat", encoding="utf-8") as stat:
                    found[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            pass  # it has ended, or is not ours
    return found


def end_processes(directory):
    """First asks those that started the others, which then clean up after themselves."""
    parents = processes_in(directory)
    signal_all([process for process in parents if parents[process] not in parents], signal.SIGTERM)
    deadline = time.monotonic() + 5
    while processes_in(directory) and time.monotonic() < deadline:
        time.sleep(0.05)
    signal_all(processes_in(directory), signal.SIGKILL)


def signal_all(processes, kind):
    for process in processes:
        try:
            os.kill(process, kind)
        except ProcessLookupError:
            pass


def launch(run, peer, arguments, seconds, scratch):
    """Runs the program in `scratch`, a directory in memory. The empty text if it went well, otherwise what happened."""
    library = run.library() if peer == "weir" else ""
    options = " ".join(LAUNCHER_OPTIONS.get((run.mpi, peer), []))
    command = ["bash", "-c", SCRIPT, "bash", ROOT, run.build, run.mpi, str(run.ranks), str(seconds), library, options]
    log = os.path.join(scratch, "log")
    # Open MPI's shared memory goes away with the directory, whatever ended the ranks.
    environment = dict(os.environ, TMPDIR=scratch, OMPI_MCA_btl_vader_backing_directory=scratch)
    try:
        with open(log, "w", encoding="utf-8") as output:
            code = subprocess.run(command + [run.program()] + arguments, cwd=scratch, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False).returncode
    finally:
        end_processes(scratch)
    if code in (124, 137):
        return f"> {seconds} s"
    if code != 0:
        with open(log, encoding="utf-8", errors="replace") as lines:
            print("failed:", *lines.readlines()[-15:], sep="\n    ", file=sys.stderr)
        return "failed"
    return ""

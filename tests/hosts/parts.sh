# The parts of a run in one suite. To be sourced by run, which has the table and the options.
# shellcheck shell=bash
# shellcheck disable=SC2154  # suite, only, jobs, weir_root: run; root, root_kept: root.sh

# mpi_name MPI: with its version there; abi_MPI: the same MPI by its library of the standard ABI.
mpi_name() {
  case $1 in
    abi_*) echo "ABI of $(mpi_name "${1#abi_}")" ;;
    openmpi) echo "Open MPI $(root_enter mpirun.openmpi --version | sed -n '1s/.*) //p')" ;;
    mpich) echo "MPICH $(root_enter mpirun.mpich --version | sed -n 's/^ *Version: *//p')" ;;
  esac
}

# The targets that the tests below need.
test_targets() {
  root_enter bash -c "cmake --build build --target help" |
    sed -nE 's/^((mpi|fortran|app|programs)_[A-Za-z0-9_]*(openmpi|mpich|abi_host)|programs): .*/\1/p' | grep -v '^mpi_test_'
}

# Those that `cmake --install` needs, and so the packages, beside the libraries and the command.
installed_targets() {
  local mpi
  for mpi in openmpi mpich; do printf '%s\n' workloads_$mpi replay_$mpi b_eff_io_$mpi machine_$mpi; done
}

build() {
  local targets
  count_command "configured" configure root_enter cmake --preset release -DWEIR_ABI_TESTS=ON || return 1
  mapfile -t targets < <(test_targets && installed_targets)
  count_command "built, without warnings" build root_enter cmake --build build -j "$jobs" --target \
    weir_tool weir_openmpi weir_mpich weir_abi bench_idle "${targets[@]}"
}

# run_tests TITLE LABEL PATTERN: the tests with that label whose names match.
run_tests() {
  local title=$1 junit=$root/weir/build/hosts.xml log=$root_kept/${2}_${1%%[ ,]*}.log tests failures skips
  rm -f "$junit"
  root_forget_jobs
  root_enter ctest --test-dir build -j "$jobs" -L "^$2\$" -R "$3" --output-on-failure --output-junit hosts.xml \
    > "$log" 2>&1 || true
  tests=$(grep -c '<testcase ' "$junit" 2> /dev/null || true)
  failures=$(grep -c 'status="fail"' "$junit" 2> /dev/null || true)
  skips=$(grep -cE 'status="(notrun|disabled)"' "$junit" 2> /dev/null || true)
  if ((${tests:-0} == 0)); then
    [[ -n $only ]] || count "$title (no tests)" 0 0 1
    return 0
  fi
  count "$title" $((tests - failures - skips)) "$failures" "$skips"
  ((failures == 0)) || grep -E '\*\*\*(Failed|Timeout|Exception)' "$log" | sed 's/^/    /' >&2 || true
}

# The parts that run under one MPI.
test_mpi() {
  local mpi=$1 name
  wanted mpi || wanted fortran || wanted apps || return 0
  name=$(mpi_name "$mpi")
  say "$suite: tests under $name"
  ! wanted mpi || run_tests "mpi, $name" "$mpi" "^mpi_.*$only"
  ! wanted fortran || run_tests "fortran, $name" "$mpi" "^fortran.*$only"
  ! wanted apps || run_tests "apps, $name" "$mpi" "^app_.*$only"
}

# The tests that were built once for the standard ABI, under each MPI that has it.
test_abi() {
  local mpi
  for mpi in abi_openmpi abi_mpich; do
    if root_enter ctest --test-dir build -N -L "^$mpi\$" | grep -q 'Total Tests: 0'; then
      count "$(mpi_name $mpi): none here" 0 0 1
    else
      say "$suite: tests under the $(mpi_name $mpi)"
      run_tests "$(mpi_name $mpi)" $mpi "${only:-.}"
    fi
  done
}

# The suite's own packages: made, installed with apt, tried, removed.
test_packages() {
  say "$suite: packages"
  rm -rf "$root/weir/build/packages"
  root_forget_jobs
  count_command "packages made" cpack root_enter bash -c 'cd build && cpack -G DEB -B packages' || return 0
  count_command "packages installed and tried" installed root_enter tests/hosts/packages_test build/packages || true
}

# The unpacked source of an MPICH, as inside: that suite's, or this machine's where that cannot be had any more.
suites_source() {
  local fetch='source scripts/common.sh && source tests/conformance/source.sh && source_package mpich libmpich12' found
  if found=$(root_enter bash -c "$fetch /weir/build/conformance/source" 2> "$root_kept/source.log"); then
    echo "$found"
  elif found=$(cd "$weir_root" && bash -c "$fetch '$hosts_directory/source'" 2>> "$root_kept/source.log"); then
    mkdir -p "$root/weir/build/conformance/source"
    cp -a "$found" "$root/weir/build/conformance/source"
    echo "/weir/build/conformance/source/$(basename "$found")"
  else
    return 1
  fi
}

# MPICH's I/O test programs, under both MPIs.
test_suites() {
  local mpi name line source
  count_command "packages for public suites" conformance root_enter scripts/install-packages conformance || return 0
  source=$(suites_source) || { count "public suites: no source of MPICH" 0 0 1 && return 0; }
  for name in romio mpich-io; do
    for mpi in openmpi mpich; do
      say "$suite: $name of $(basename "$source") under $(mpi_name $mpi)"
      root_enter tests/conformance/run $name --mpi $mpi --brief --source "$source" > "$root_kept/${name}_$mpi.log" 2>&1 || true
      line=$(sed -nE "s/^$name, .*: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\1 \2 \3/p" \
        "$root_kept/${name}_$mpi.log")
      # shellcheck disable=SC2086  # three numbers
      count "$name, $(mpi_name $mpi)" ${line:-0 1 0}
      grep -E ' (FAIL|timeout) ' "$root_kept/${name}_$mpi.log" | sed 's/^/    /' >&2 || true
    done
  done
}

# Programs of this suite with the libraries that this machine has built, where it is a Debian 12.
test_older() {
  local mpi program good bad
  local programs=(open access views requests errors int_handles)
  if ! grep -qs '^VERSION_ID="12"' /etc/os-release || [[ ! -e $weir_root/build/lib/openmpi/libweir.so ]]; then
    count "libraries of Debian 12: none here" 0 0 1
    return 0
  fi
  rm -rf "$root/weir/older"
  mkdir -p "$root/weir/older"
  cp -r "$weir_root/build/lib" "$root/weir/older"
  for mpi in openmpi mpich; do
    say "$suite: Debian 12's library under $(mpi_name $mpi)"
    good=0 bad=0
    for program in "${programs[@]}"; do
      if quietly "$root_kept/older_${mpi}_$program.log" root_enter env LAUNCH_TIMEOUT=120 \
        "LAUNCH_WEIR=/weir/older/lib/$mpi/libweir.so" LAUNCH_IDLE=/weir/build/lib/mpich/idle.so \
        tests/mpi/launch $mpi 4 -- "build/bin/mpi_${program}_$mpi"; then
        good=$((good + 1))
      else
        bad=$((bad + 1))
      fi
    done
    count "Debian 12's library, $(mpi_name $mpi)" $good $bad 0
  done
}

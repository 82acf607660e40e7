# Runs one test under the host's MPI-IO and under weir, judges it, and keeps the score. To be sourced by run.
# shellcheck shell=bash

# passed LOG STATUS TEXT RANKS: whether a run was good: exit status 0, and TEXT in its output (- for no text; each:TEXT
# for a text from every rank).
passed() {
  local log=$1 status=$2 text=$3 ranks=$4
  ((status == 0)) || return 1
  case $text in
    -) return 0 ;;
    each:*) (($(grep -c -F -e "${text#each:}" "$log") == ranks)) ;;
    *) grep -q -F -e "$text" "$log" ;;
  esac
}

# run_side SIDE: runs the test in the variables of run_test under SIDE, host or weir, and prints ok, FAIL or timeout.
run_side() {
  local side=$1 status=0 preload=() scratch log before
  scratch=$scratch_root/$mpi.$side
  log=$log_root/${name//\//-}.$side.log
  [[ $side == host ]] || preload+=("$weir_root/build/lib/$mpi/libweir.so")
  preload+=("$idle_library")
  rm -rf "$scratch"
  mkdir -p "$scratch"
  ln -s "$build/$program" "$scratch" # some programs start themselves again, from the current directory
  local LAUNCHER_OPTIONS=()
  [[ $side != host || -z $host_io ]] || LAUNCHER_OPTIONS=(--mca io "$host_io")
  local libraries
  libraries=$(IFS=: && echo "${preload[*]}")
  before=$(suite_before "$name")
  # shellcheck disable=SC2086  # the arguments are words
  (
    cd "$scratch" || exit 1
    export TMPDIR=$TMPDIR/$side # two mpirun of Open MPI making the same directory at once can fail
    [[ -z $before ]] || mpi_run "$mpi" "$ranks" "$seconds" "$libraries" "$build/$before" || true
    mpi_run "$mpi" "$ranks" "$seconds" "$libraries" "./${program##*/}" $arguments
  ) 2>&1 |
    { head -c 1000000 && cat > /dev/null; } > "$log" || status=${PIPESTATUS[0]}
  end_leftovers "$scratch"
  if passed "$log" "$status" "$text" "$ranks"; then
    echo ok
  elif ((status == 124 || status == 137)); then
    echo timeout
  else
    echo FAIL
  fi
  [[ -n $keep ]] || rm -rf "$scratch"
}

# run_sides: both sides of the test in the variables of run_test, into host and weir. Most of a small test is starting
# up, so that both run at the same time, but one by one if they are large.
run_sides() {
  if [[ -n $brief ]]; then
    weir=$(run_side weir)
    [[ $weir == ok ]] || host=$(run_side host)
    return
  fi
  run_side host > "$scratch_root/host" &
  [[ -z $all ]] || wait
  if [[ -z $host_only ]]; then
    run_side weir > "$scratch_root/weir" &
    wait
    weir=$(cat "$scratch_root/weir")
  fi
  wait
  host=$(cat "$scratch_root/host")
}

# known_reason SUITE MPI TEST: the reason in the file of known failures, if there is one.
known_reason() {
  local suite mpi test reason
  while read -r suite mpi test reason; do
    # shellcheck disable=SC2053  # the file has patterns
    if [[ $1 == $suite && $2 == $mpi && $3 == $test ]]; then
      echo "$reason"
      return 0
    fi
  done < <(grep -v -e '^#' -e '^$' "$here/known")
}

# verdict HOST WEIR REASON: the score of a test: passed, failed or skipped. Under weir a test has to pass, unless it
# fails under the host as well for a reason that is known.
verdict() {
  local host=$1 weir=$2 reason=$3
  if [[ $weir == ok ]]; then
    echo passed
  elif [[ $weir == - || ($host != ok && -n $reason) ]]; then
    echo skipped
  else
    echo failed
  fi
}

# reason_not_to_run REASON: why not to run the test in the variables of run_test; nothing if it is to be run. REASON is
# what the suite says: "large" and "long" are left to --all.
reason_not_to_run() {
  local known
  case $1 in
    '' | large | long)
      if [[ ! -x $build/$program ]]; then
        known=$(known_reason "$suite" "$mpi" "$name")
        echo "does not build${known:+: $known}"
      elif [[ -n $1 && -z $all ]]; then
        [[ $1 == large ]] && echo 'takes gigabytes: run with --all' || echo 'takes long: run with --all'
      fi
      ;;
    *) echo "$1" ;;
  esac
}

# run_test LINE: runs a line of suite_tests, prints its row and appends it to the results file as
# NAME|RANKS|HOST|WEIR|VERDICT|REMARK.
run_test() {
  local name ranks text seconds program arguments reason host=- weir=- score remark
  IFS='|' read -r name ranks text seconds program arguments reason <<< "$1"
  reason=$(reason_not_to_run "$reason")
  [[ -z $timeout ]] || seconds=$timeout
  if [[ -z $reason ]]; then
    run_sides
    [[ ($host == ok || -n $brief) && $weir == ok ]] || reason=$(known_reason "$suite" "$mpi" "$name")
  fi
  remark=$reason
  score=$(verdict "$host" "$weir" "$reason")
  if [[ $score == failed ]]; then
    remark="see ${log_root#"$weir_root"/}/${name//\//-}.weir.log"
  fi
  printf '%-28s %5s  %-8s %-8s %s\n' "$name" "$ranks" "$host" "$weir" "$remark"
  echo "$name|$ranks|$host|$weir|$score|$reason" >> "$results"
}

# count_results PATTERN: how many lines of the results file match.
count_results() { grep -c -E -e "$1" "$results" || true; }

# print_score: the count of the results file. Returns 1 if a test failed.
print_score() {
  local passes failures skips host
  passes=$(count_results '\|passed\|') failures=$(count_results '\|failed\|') skips=$(count_results '\|skipped\|')
  host="host alone: $(count_results '^[^|]*\|[^|]*\|ok\|') passed"
  [[ -z $brief ]] || host="under the host: only what fails under weir"
  printf '%s, %s: %d passed, %d failed, %d skipped (%s)\n\n' \
    "$suite" "$(mpi_title "$mpi")" "$passes" "$failures" "$skips" "$host"
  ((failures == 0))
}

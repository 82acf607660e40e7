# Shared by the shell tests of the command: a folder of their own, and checks that count.
# shellcheck shell=bash
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
unset LD_PRELOAD WEIR_HINTS WEIR_LIBRARY_DIR WEIR_REPORT WEIR_TIMELINE WEIR_CAPTURE
checks=0 failures=0

# expect CODE TEXT COMMAND...: the command exits with CODE and prints TEXT (an extended regular expression).
expect() {
  local code=$1 text=$2 output got
  shift 2
  checks=$((checks + 1))
  output=$(timeout 120 "$@" 2>&1 < /dev/null)
  got=$?
  if [ "$got" -eq "$code" ] && grep -Eq -- "$text" <<< "$output"; then return; fi
  failures=$((failures + 1))
  printf 'FAILED: %s\n  exit code %s, wanted %s; wanted text: %s\n%s\n' "$*" "$got" "$code" "$text" "$output"
}

# refused TEXT COMMAND...: exits with 2, says TEXT, and did not run the program (probe writes a file when run).
refused() {
  local text=$1
  shift
  rm -f "$folder/probe.out"
  expect 2 "$text" "$@"
  if [ -e "$folder/probe.out" ]; then
    failures=$((failures + 1))
    printf 'FAILED: the program was run by: %s\n' "$*"
  fi
}

finish() {
  echo "$checks checks, $failures failures"
  [ "$failures" -eq 0 ]
}

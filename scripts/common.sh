# Messages and small helpers shared by demo, check and the scripts. To be sourced, not run.
# shellcheck shell=bash

if [[ -t 2 ]]; then
  _bold=$'\e[1m' _red=$'\e[31m' _plain=$'\e[0m'
else
  _bold='' _red='' _plain=''
fi

# step TEXT: a new phase begins.
step() { printf '%s==> %s%s\n' "$_bold" "$*" "$_plain" >&2; }

# say TEXT: one line of progress.
say() { printf '    %s\n' "$*" >&2; }

# die TEXT: says what went wrong and ends the script.
die() {
  printf '%serror:%s %s\n' "$_red" "$_plain" "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: runs a command with its output in LOG; shows the end of LOG if it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" > "$log" 2>&1; then
    printf '%s\n' "--- the end of $log:" >&2
    tail -n 30 "$log" >&2
    return 1
  fi
}

# cores: how many jobs to build with.
cores() { nproc 2> /dev/null || echo 2; }

# configure_and_build PRESET DIR TARGETS...: configures a CMake preset and builds it, quiet when all is up to date.
# Without targets, everything is built.
configure_and_build() {
  local preset=$1 directory=$2
  shift 2
  quietly "$directory/configure.log" cmake --preset "$preset" ||
    die "cmake could not configure preset '$preset'; see $directory/configure.log"
  local targets=()
  (($# == 0)) || targets=(--target "$@")
  NINJA_STATUS='    [%f/%t] ' cmake --build "$directory" -j "$(cores)" "${targets[@]}" |
    sed -u -e '/Re-checking globbed directories/d' -e '/ninja: no work to do/d' >&2 ||
    die "the build of preset '$preset' failed; the compiler's messages are above"
}

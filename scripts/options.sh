# Options on command lines. To be sourced, after common.sh.
# shellcheck shell=bash

# take_options SPECS ARGUMENTS...: reads `--NAME VALUE` into a variable; into an array, behind what it has. SPECS is a
# list of `NAME` or, where the variable is called otherwise, `NAME=VARIABLE`. --help shows usage(); what is not in the
# list ends the script.
take_options() {
  local specs=$1 name
  shift
  while (($#)); do
    [[ $1 != -h && $1 != --help ]] || { usage && exit 0; }
    name=$(variable_of "$1" "$specs")
    [[ -n $name ]] || { usage >&2 && die "not understood: $1"; }
    (($# > 1)) || die "$1 needs a value"
    if [[ $(declare -p "$name") == 'declare -a'* ]]; then
      local -n values=$name
      values+=("$2")
    else
      printf -v "$name" '%s' "$2"
    fi
    shift 2
  done
}

# variable_of OPTION SPECS: nothing when the option is not in the list.
variable_of() {
  local spec
  for spec in $2; do
    if [[ $1 == "--${spec%=*}" ]]; then echo "${spec#*=}"; fi
  done
}

# Root file systems of Debian suites, kept between runs, and commands inside them. To be sourced, after common.sh.
# shellcheck shell=bash

# Where they are kept: 1.5 to 2 GB for each suite.
hosts_directory=${WEIR_HOSTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/weir/hosts}

# Packages that are not installed there: the page of `weir report` is the same everywhere.
root_without=${WEIR_HOSTS_WITHOUT:-npm chromium}

# use_root SUITE: the directory `root` is this suite's from now on; `root_kept` is what is kept beside it.
use_root() {
  root_suite=$1
  root_kept=$hosts_directory/$1
  root=$root_kept/root
}

# root_obstacle: why no root file system can be made or entered here; nothing if one can.
root_obstacle() {
  if ((EUID != 0)); then
    echo "root is needed to make and enter a root file system"
  elif ! command -v debootstrap > /dev/null; then
    echo "debootstrap is not installed: run scripts/install-packages hosts"
  elif ! unshare --mount true 2> /dev/null; then
    echo "mount namespaces are not allowed here"
  fi
}

# package_source: where this machine gets its Debian packages from.
package_source() {
  local line
  line=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2> /dev/null |
    sed -nE -e 's/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' -e 's/^URIs: *([^ ]+).*/\1/p' | grep -E '/debian/?$' | head -n 1)
  echo "${line:-http://deb.debian.org/debian}"
}

# root_make SUITE: makes the base of the root file system if it is not there.
root_make() {
  [[ ! -e $root_kept/base ]] || return 0
  say "$1: a root file system in $root"
  rm -rf "$root"
  mkdir -p "$root"
  quietly "$root_kept/debootstrap.log" debootstrap --variant=minbase "$1" "$root" "$(package_source)" || return 1
  apt-config dump Acquire > "$root/etc/apt/apt.conf.d/90acquire"
  touch "$root_kept/base"
}

# root_environment: what commands inside see, one variable per line. Open MPI's shared memory is called vader before
# Debian 13; it cannot copy between processes in most containers.
root_environment() {
  local shared=sm
  [[ $root_suite != bookworm ]] || shared=vader
  cat << END
HOME=/root
LC_ALL=C.UTF-8
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CCACHE_DIR=/ccache
CCACHE_BASEDIR=/weir
CCACHE_NOHASHDIR=yes
CCACHE_SLOPPINESS=pch_defines,time_macros
CMAKE_C_COMPILER_LAUNCHER=ccache
CMAKE_CXX_COMPILER_LAUNCHER=ccache
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_btl=self,$shared
OMPI_MCA_btl_${shared}_single_copy_mechanism=none
WEIR_WITHOUT_PACKAGES=$root_without
END
}

# root_enter COMMAND...: runs a command inside, as root, with a clean environment, in /weir. It has its own mounts and
# processes, which go away with it; what compilers made is kept in /ccache.
root_enter() {
  local environment
  mapfile -t environment < <(root_environment)
  mkdir -p "$root_kept/ccache" "$root/ccache" "$root/weir"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # shellcheck disable=SC2016  # for the shell inside
  unshare --mount --pid --fork --kill-child --propagation private -- "$BASH" -c '
    root=$1 ccache=$2
    shift 2
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" &&
      mount -t tmpfs tmpfs "$root/dev/shm" && mount --bind "$ccache" "$root/ccache" &&
      exec chroot "$root" /usr/bin/env -i "$@"
  ' bash "$root" "$root_kept/ccache" "${environment[@]}" bash -c 'cd /weir && exec "$@"' bash "$@"
}

# root_forget_jobs: what launchers that crashed have left. Numbers of processes begin anew inside, and the next launcher with
# the same number would fail.
root_forget_jobs() { rm -rf "$root"/tmp/prte.* "$root"/tmp/ompi.*; }

# root_install: the packages that weir needs, by its own script, and ccache.
root_install() {
  quietly "$root_kept/packages.log" root_enter scripts/install-packages build test &&
    quietly "$root_kept/ccache.log" root_enter bash -c \
      'command -v ccache > /dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ccache'
}

# root_clone REPOSITORY: a clean clone of its HEAD as /weir inside, without what was built before.
root_clone() {
  rm -rf "$root/weir"
  git clone -q --no-local --depth 1 "file://$1" "$root/weir"
}

# Fetches Debian source packages from the machine's own package sources. To be sourced, after common.sh.
#
# The machine's lists of package sources are copied, with "deb" turned into "deb-src", into private apt directories
# under the cache; nothing on the system is changed, and root is not needed.
# shellcheck shell=bash

# as_source_lists DIRECTORY: writes the machine's package sources, as sources of source packages, into DIRECTORY.
as_source_lists() {
  local directory=$1 file
  mkdir -p "$directory"
  rm -f "$directory"/*
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -s $file ]] || continue
    sed -nE 's/^[[:space:]]*deb([[:space:]])/deb-src\1/p' "$file" > "$directory/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -s $file ]] || continue
    sed -E 's/^Types:.*/Types: deb-src/' "$file" > "$directory/$(basename "$file")"
  done
  [[ -n $(cat "$directory"/* 2> /dev/null) ]] ||
    die "no package sources in /etc/apt: put the Debian sources there, then run this again"
}

# apt CACHE COMMAND...: apt-get on the private directories.
private_apt() {
  local cache=$1
  shift
  apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$cache/sources" \
    -o Dir::State::Lists="$cache/lists" -o Dir::Cache="$cache/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 -o Acquire::Retries=3 "$@"
}

# download PACKAGE VERSION CACHE: the files of a source package, into the current directory. Not every source of
# binary packages has source packages too: a failed update only matters if the package is not found then.
download() {
  local package=$1 version=$2 cache=$3
  as_source_lists "$cache/sources"
  mkdir -p "$cache/lists/partial" "$cache/cache/archives/partial"
  private_apt "$cache" update > "$cache/update.log" 2>&1 || true
  private_apt "$cache" source --download-only "$package=$version" > "$cache/source.log" 2>&1 ||
    private_apt "$cache" source --download-only "$package" > "$cache/source.log" 2>&1 || {
    cat "$cache/update.log" "$cache/source.log" >&2
    die "the source package $package could not be had from this machine's package sources (messages above)"
  }
}

# source_package PACKAGE BINARY CACHE: unpacks, once and unpatched, the source package that the installed package BINARY
# was built from, and prints its directory. The directory's name is PACKAGE-VERSION.
source_package() {
  local package=$1 binary=$2 cache=$3 version directory
  version=$(dpkg-query -W -f '${source:Version}' "$binary" 2> /dev/null) ||
    die "package $binary is not installed: run scripts/install-packages"
  directory=$cache/$package-$version
  if [[ ! -e $directory/.unpacked ]]; then
    command -v dpkg-source > /dev/null || die "dpkg-source is missing: run scripts/install-packages"
    say "fetching the source package $package $version"
    rm -rf "$directory" "$cache/download"
    mkdir -p "$cache/download"
    (cd "$cache/download" && download "$package" "$version" "$cache/apt") || exit 1
    quietly "$cache/unpack.log" dpkg-source --no-check --skip-patches -x "$cache"/download/"$package"_*.dsc "$directory" ||
      die "the source package $package could not be unpacked; see $cache/unpack.log"
    rm -rf "$cache/download" "$cache/apt"
    touch "$directory/.unpacked"
  fi
  echo "$directory"
}

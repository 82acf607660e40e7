# A virtual machine for what this machine's kernel cannot do: Debian's kernel, with this machine's files as its own, which it
# can change in its memory only. To be sourced by run. Needs no image; without hardware support about 14 times slower.
# shellcheck shell=bash disable=SC2154  # variables of run

machine_store=${XDG_CACHE_HOME:-$HOME/.cache}/weir/machine
machine_modules=(virtio_pci 9pnet_virtio 9p overlay) # until the machine sees files

# machine_kernel: Debian's newest kernel is unpacked, not installed, once. Sets kernel, its directory, and release.
machine_kernel() {
  local package
  package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-/ {print $2; exit}')
  [[ -n $package ]] || die "apt knows no linux-image-amd64: refresh its lists (apt-get update)"
  kernel=$machine_store/$package release=${package#linux-image-}
  [[ ! -e $kernel/complete ]] || return 0
  say "fetching $package"
  rm -rf "$kernel" && mkdir -p "$kernel"
  (cd "$kernel" && apt-get download -q "$package" && dpkg-deb -x ./*.deb . && rm ./*.deb && depmod -b . "$release") \
    > "$scratch/log" 2>&1 || die "no kernel: $(tail -n 3 "$scratch/log")"
  touch "$kernel/complete"
}

# machine_first_files DIRECTORY: what the kernel needs before it sees this machine's files.
machine_first_files() {
  local module file
  mkdir -p "$1"/{proc,sys,dev,lower,upper,root,modules}
  cp "$(command -v busybox)" "$1/busybox"
  cp "$here/machine-first" "$1/init"
  for module in "${machine_modules[@]}"; do
    modprobe -d "$kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" {print $2}'
  done | awk '!seen[$0]++' > "$scratch/modules"
  while read -r file; do
    cp "$file" "$1/modules"
    basename "$file" >> "$1/modules/order"
  done < "$scratch/modules"
}

# run_in_machine ARGUMENT...: this script in a virtual machine; its output and exit code.
run_in_machine() {
  local result=0 variables
  machine_kernel
  machine_first_files "$scratch/first"
  (cd "$scratch/first" && find . | cpio -o -H newc --quiet) > "$scratch/first.cpio"
  printf '%q ' "$here/run" "$@" > "$scratch/command"
  # What the kernel does not know becomes a variable of its first process.
  variables="weir_second=$here/machine-second weir_command=$scratch/command weir_modules=$kernel/lib/modules"
  qemu-system-x86_64 -nodefaults -display none -no-reboot -accel tcg,thread=multi -cpu max -smp "$(nproc)" -m 4096 \
    -kernel "$kernel/boot/vmlinuz-$release" -initrd "$scratch/first.cpio" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off $variables" \
    -virtfs local,path=/,mount_tag=files,security_model=none,readonly=on,multidevs=remap \
    -device isa-debug-exit,iobase=0xf4,iosize=4 -serial "file:$scratch/console" -serial stdio < /dev/null || result=$?
  # The machine says 1 more than the code, of which qemu makes an odd number.
  ((result >= 3)) || { tail -n 20 "$scratch/console" >&2 && die "the virtual machine ended early"; }
  return $(((result - 3) / 2))
}

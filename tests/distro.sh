#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs both commands of README.md on a fresh system of another release: debootstrap into
# build/distro, a clone of what is committed here, then `make run` and `make test` as root and as a
# user who has the packages. With a foreign ARCH=arm64 the system runs under qemu-user, too slowly
# for all of `make test`: it runs `make run` and the quick suites. Needs root, debootstrap, and for
# a foreign ARCH qemu-user-static with its entry in binfmt_misc.
#   tests/distro.sh [bookworm|trixie [amd64|arm64]]     make distro [DIST=trixie] [ARCH=arm64]
set -eu
cd "$(dirname "$0")/.."
dist=${1:-trixie} arch=${2:-$(dpkg --print-architecture)}
here=$(dpkg --print-architecture)
mirror=${MIRROR:-http://deb.debian.org/debian}
place=$PWD/build/distro/$dist-$arch
root=$place/root

refuse() { echo "distro: $1" >&2; exit 2; }
case $dist in bookworm | trixie) ;; *) refuse "DIST=$dist: legal: bookworm, trixie" ;; esac
case $arch in amd64 | arm64) ;; *) refuse "ARCH=$arch: legal: amd64, arm64" ;; esac
[ "$(id -u)" = 0 ] || refuse "debootstrap and chroot need root; type: sudo make distro DIST=$dist ARCH=$arch"
command -v debootstrap > /dev/null || refuse "debootstrap is not here; install the package debootstrap"
[ "$arch" = "$here" ] || [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] ||
  refuse "a system of $arch does not run here; install the packages qemu-user-static and binfmt-support"

leave() { for folder in proc sys dev; do ! mountpoint -q "$root/$folder" || umount -Rl "$root/$folder" || true; done; }
trap leave EXIT
trap 'exit 130' INT TERM

mkdir -p "$place"
if [ ! -e "$place/made" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase --arch="$arch" --include=git,make,gcc,ca-certificates "$dist" "$root" "$mirror" > "$place/debootstrap.log" 2>&1 ||
    refuse "debootstrap failed: $(tail -n 1 "$place/debootstrap.log"); all of it is in $place/debootstrap.log"
  chroot "$root" useradd -m user
  touch "$place/made"
fi
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"

failed=0
# try USER COMMAND...: runs in that user's clone; prints the seconds, the megabytes of its folder,
# and its last line
try() {
  local who=$1 home log start=$SECONDS status=0
  shift
  home=$([ "$who" = root ] && echo /root || echo "/home/$who")
  log=$place/$who-$2.log
  chroot "$root" su - "$who" -s /bin/bash -c "cd $home/mrpb && $*" > "$log" 2>&1 < /dev/null || status=$?
  [ "$status" = 0 ] || failed=$((failed + 1))
  printf '%s %s, %s: %s: exit %d after %d s, %d MB: %s\n' "$dist" "$arch" "$who" "$*" "$status" $((SECONDS - start)) \
    "$(du -sm "$root$home/mrpb" | cut -f1)" "$(tail -n 1 "$log" | cut -c1-100)"
}
git bundle create -q "$root/mrpb.bundle" HEAD
chmod 644 "$root/mrpb.bundle"
for who in root user; do
  home=$([ "$who" = root ] && echo /root || echo "/home/$who")
  chroot "$root" su - "$who" -s /bin/bash -c "rm -rf $home/mrpb && git -c init.defaultBranch=main -c advice.detachedHead=false clone -q /mrpb.bundle $home/mrpb"
  try "$who" make run
  if [ "$arch" = "$here" ]; then try "$who" make test; else try "$who" make check; fi
  rm -rf "$root$home/mrpb/build/rtl"
done
[ "$failed" = 0 ]

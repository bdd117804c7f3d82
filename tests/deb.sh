#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks the packages of `make deb` into a folder: the programs run, C and Python find their
# library, each file is in exactly one package.
#   tests/deb.sh [FOLDER=build/deb]
set -u
cd "$(dirname "$0")/.."
debs=$(realpath "${1:-build/deb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
root=$work/root
mkdir "$root" "$work/home"
for p in mrpb libmrpb2 libmrpb-dev python3-mrpb; do
  true_ "$p: one package" test "$(ls "$debs/${p}"_*.deb | wc -l)" = 1
  dpkg-deb -x "$debs/${p}"_*.deb "$root"
  dpkg-deb -c "$debs/${p}"_*.deb | awk '!/^d/ {print $6}' >> "$work/files"
done
true_ "no file is in two" test -z "$(sort "$work/files" | uniq -d)"
lib=$(dirname "$(ls "$root"/usr/lib/*/libmrpb.so)")
export HOME=$work/home LD_LIBRARY_PATH=$lib PYTHONPATH=$root/usr/lib/python3/dist-packages
cd "$work/home" || exit 1
mrpb=$root/usr/bin/mrpb
case_ "the version" 0 "^mrpb $(dpkg-deb -f "$debs"/mrpb_*.deb Version)\$" "$mrpb" version
case_ "a run" 0 '^  cycles +[0-9]+' "$mrpb" run -c base-s --kernel micro-chain-l1 --cut 4
case_ "C against Verilog" 0 '^matched 1000 cycles, queue_selector' "$mrpb" cosim queue_selector --cycles 1000
case_ "a proof" 0 '^proved queue_selector' "$mrpb" prove queue_selector --set QUEUES=3
case_ "the manual" 0 'MRPB' zcat "$root/usr/share/man/man1/mrpb.1.gz"
printf '#include <libmrpb.h>\n#include <stdio.h>\nint main(void) { return puts(mrpb_version()) < 0; }\n' > one.c
flags=$(PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs mrpb)
# shellcheck disable=SC2086
case_ "C" 0 '^[0-9]+\.' sh -c "cc -o one one.c $flags && ./one"
case_ "Python" 0 '^[0-9]+' python3 -c 'import mrpb; print(mrpb.run("micro-chain-l1", cut=4)["cycles"])'
echo "deb: $passed passed, $failed failed"
[ "$failed" = 0 ]

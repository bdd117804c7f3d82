#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the documents build with the library and nothing else, and print or write what the pages say (make stage).
set -eu
cd "$(dirname "$0")/.."
dir=build/examples
rm -rf "$dir" && mkdir -p "$dir"
compile() { gcc -std=c11 -Wall -Wextra -Werror -O2 -Icmodel -o "$dir/$1" "$2" build/libmrpb.a; }

compile kernel docs/examples/kernel/two_domains.c
(cd "$dir" && ./kernel)
vcd=$(ls "$dir"/*.vcd)
grep -q '^\$dumpvars' "$vcd"

# Programs of others, with the installed library alone (make stage): C, C++ and SystemC, by pkg-config, against the shared
# library and the static one; docs/library.md shows what they print.
stage=$PWD/build/stage/usr/local
export PKG_CONFIG_LIBDIR=$stage/lib/pkgconfig LD_LIBRARY_PATH=$stage/lib SC_COPYRIGHT_MESSAGE=DISABLE
installed() { pkg-config --define-prefix "$@" mrpb; }
printed() { awk -v name="    \$ ./$1" '$0 == name {on = 1; next} on && !/^    / {exit} on {print substr($0, 5)}' docs/library.md; }
shows() { # shows NAME COMPILER...: built in an empty folder, runs and prints what the page says
  local name=$1
  shift
  mkdir -p "$dir/$name"
  (cd "$dir/$name" && "$@" && { ldd "./$name" | grep -q "$stage/lib/libmrpb.so.0" || [[ " $* " == *.a\ * ]]; } && "./$name" > out)
  [ -s "$dir/$name/out" ] && diff <(printed "$name") "$dir/$name/out" || { echo "examples: $name"; exit 1; }
}
here=$PWD/docs/examples/library
strict=(-Wall -Wextra -Wpedantic -Werror)
shows mshr gcc -std=c11 "${strict[@]}" -o mshr "$here/mshr.c" $(installed --cflags --libs)
shows mshr clang-14 -std=c11 "${strict[@]}" -o mshr "$here/mshr.c" $(installed --cflags) "$stage/lib/libmrpb.a"
shows cache g++ -std=c++11 "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags --libs)
shows cache clang++-14 -std=c++20 "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags --libs)
shows module_systemc g++ -std=c++17 -Wall -Wextra -Werror -o module_systemc "$here/module_systemc.cpp" $(installed --cflags --libs) -lsystemc
unset PKG_CONFIG_LIBDIR LD_LIBRARY_PATH
# A kernel of one's own, as clang wrote it, on two configurations: the same memory, and what a host computes.
gather() {
  build/mrpb run -c "$1" --ptx docs/examples/ptx/gather.ptx --kernel gather --grid 64 --block 256 --arg buf:65536 \
    --arg buf:65536:rand --arg buf:65536:iota --arg 16384 --dump 0:"$2" --dump 1:"$dir/table.bin" --check > "$dir/gather.out"
}
gather configs/base-s.conf "$dir/a.bin"
gather configs/base-l-mrpb.conf "$dir/b.bin"
cmp "$dir/a.bin" "$dir/b.bin"
diff <(od -An -v -tx4 -w4 "$dir/a.bin") \
  <(od -An -v -tx4 -w4 "$dir/table.bin" | awk '{t[NR-1]=$0} END {for (i=0;i<16384;i++) print t[i*64%16384]}')
echo "examples: 7 passed, 0 failed"

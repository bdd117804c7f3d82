#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the pages build with nothing but the library, and print or write what the pages
# say (make stage).
set -eu
cd "$(dirname "$0")/.."
dir=build/examples llvm=$(make -s show-llvm)
rm -rf "$dir" && mkdir -p "$dir"
compile() { gcc -std=c11 -Wall -Wextra -Werror -O2 -Icmodel -o "$dir/$1" "$2" build/libmrpb.a; }

compile kernel docs/examples/kernel/two_domains.c
(cd "$dir" && ./kernel)
vcd=$(ls "$dir"/*.vcd)
grep -q '^\$dumpvars' "$vcd"

# MRPB, MSHR, PRT and a memory, wired together in C on the kernel and in Verilog: every signal that
# both have must agree in every cycle; both schedulers write the same wave; one wrong line of the
# Verilog is noticed.
compile composition docs/examples/composition/composition.c
composed=$PWD/docs/examples/composition rtl=$PWD/rtl
(
  cd "$dir"
  ./composition 3000 event > event.out && mv composition.vcd event.vcd
  ./composition 3000 > composition.out
  cmp event.out composition.out && cmp event.vcd composition.vcd
  verilog() { # verilog NAME TOP.v
    iverilog -g2005 -y "$rtl" -o "$1" "$composed/composition_tb.v" "$2" && vvp -n "$1" +cycles=3000 > "$1.out"
  }
  verilog composition_v "$composed/composition.v"
  grep -qxF "$(cat composition.out)" composition_v.out
  "$composed/lockstep.sh" u_composition composition.vcd composition_verilog.vcd 4 80
  sed 's/busy_q <= ~half_q;/busy_q <= ~half_q | (line_q == 7'"'"'d99);/' "$composed/composition.v" > wrong.v
  verilog wrong_v wrong.v
  if "$composed/lockstep.sh" u_composition composition.vcd composition_verilog.vcd > wrong.out; then
    echo "examples: a wrong composition is not noticed"
    exit 1
  fi
  grep -q 'busy_q' wrong.out
)
awk 'NF && !/^[-*[@#]/ && !/^\[/ {print}' "$composed/composition.gtkw" | sed 's/\[[0-9:]*\]$//' | while read -r name; do
  awk -v name="$name" '$1 == "$scope" {p = p $3 "."} $1 == "$upscope" {sub(/[^.]*\.$/, "", p)} $1 == "$var" && p $5 == name {f = 1} END {exit !f}' \
    "$dir/composition.vcd" || { echo "examples: composition.gtkw: the wave has no $name"; exit 1; }
done

# Other people's programs, with the installed libraries alone (make stage): C, C++ and SystemC, by
# pkg-config, with the shared library and the static one; docs/library.md shows what they print.
stage=$PWD/build/stage/usr/local
export PKG_CONFIG_LIBDIR=$stage/lib/pkgconfig LD_LIBRARY_PATH=$stage/lib MRPB_DATA=$stage/share/mrpb SC_COPYRIGHT_MESSAGE=DISABLE
installed() { pkg-config --define-prefix "$@" mrpb; }
printed() { awk -v name="    \$ ./$1" '$0 == name {on = 1; next} on && !/^    / {exit} on {print substr($0, 5)}' docs/library.md; }
shows() { # shows NAME COMPILER...: builds in an empty folder, runs and prints what the page says
  local name=$1
  shift
  mkdir -p "$dir/$name"
  (cd "$dir/$name" && "$@" && { ldd "./$name" | grep -q "$stage/lib/libmrpb.*\.so\.[0-9]" || [[ " $* " == *.a\ * ]]; } && "./$name" > out)
  [ -s "$dir/$name/out" ] && diff <(printed "$name") "$dir/$name/out" || { echo "examples: $name"; exit 1; }
}
here=$PWD/docs/examples/library
# The composition, built outside the project as its page says.
sed 's/^#include "mrpb.h"/#include <libmrpb.h>/; /^#include "/d' "$composed/composition.c" > "$dir/outside.c"
(cd "$dir" && gcc -std=c11 -Wall -Wextra -Werror -o outside outside.c $(installed --cflags --libs) && ./outside 3000 | cmp - composition.out)
strict=(-Wall -Wextra -Wpedantic -Werror)
shows mshr gcc -std=c11 "${strict[@]}" -o mshr "$here/mshr.c" $(installed --cflags --libs)
shows mshr clang-$llvm -std=c11 "${strict[@]}" -o mshr "$here/mshr.c" $(installed --cflags) "$stage/lib/libmrpb.a"
gpu() { pkg-config --define-prefix "$@" mrpb-gpu; }
shows gpu gcc -std=c11 "${strict[@]}" -o gpu "$here/gpu.c" $(gpu --cflags --libs)
shows gpu clang-$llvm -std=c11 "${strict[@]}" -o gpu "$here/gpu.c" $(gpu --cflags) "$stage/lib/libmrpb-gpu.a" $(gpu --static --libs-only-l | sed s/-lmrpb-gpu//)
shows cache g++ -std=c++11 "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags --libs)
shows cache clang++-$llvm -std=c++20 "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags --libs)
shows cache g++ -std=c++20 "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags --libs)
for std in 14 17; do shows cache g++ -std=c++$std "${strict[@]}" -o cache "$here/cache.cpp" $(installed --cflags) "$stage/lib/libmrpb.a" -lm; done
shows module_systemc g++ -std=c++17 -Wall -Wextra -Werror -o module_systemc "$here/module_systemc.cpp" $(installed --cflags --libs) -lsystemc
unset PKG_CONFIG_LIBDIR LD_LIBRARY_PATH MRPB_DATA
# A user's kernel, compiled by clang, on two configurations: the same memory, which equals what a
# host computes.
gather() {
  build/mrpb run -c "$1" --ptx docs/examples/ptx/gather.ptx --kernel gather --grid 64 --block 256 --arg buf:65536 \
    --arg buf:65536:rand --arg buf:65536:iota --arg 16384 --dump 0:"$2" --dump 1:"$dir/table.bin" --check > "$dir/gather.out"
}
gather configs/base-s.conf "$dir/a.bin"
gather configs/base-l-mrpb.conf "$dir/b.bin"
cmp "$dir/a.bin" "$dir/b.bin"
diff <(od -An -v -tx4 -w4 "$dir/a.bin") \
  <(od -An -v -tx4 -w4 "$dir/table.bin" | awk '{t[NR-1]=$0} END {for (i=0;i<16384;i++) print t[i*64%16384]}')
echo "examples: 13 passed, 0 failed"

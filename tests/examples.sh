#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the documents build with the library and nothing else, and print or write what the pages say.
set -eu
cd "$(dirname "$0")/.."
dir=build/examples
rm -rf "$dir" && mkdir -p "$dir"
compile() { gcc -std=c11 -Wall -Wextra -Werror -O2 -Icmodel -o "$dir/$1" "$2" build/libmrpb.a; }

compile kernel docs/examples/kernel/two_domains.c
(cd "$dir" && ./kernel)
vcd=$(ls "$dir"/*.vcd)
grep -q '^\$dumpvars' "$vcd"

compile library docs/examples/library/mshr.c
"$dir/library" > "$dir/library.out"
diff <(sed -n 's/^    \(entry 0\|read [78]\)/\1/p' docs/library.md) "$dir/library.out"
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
echo "examples: 3 passed, 0 failed"

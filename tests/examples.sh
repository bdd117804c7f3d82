#!/usr/bin/env bash
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
echo "examples: 2 passed, 0 failed"

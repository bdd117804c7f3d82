#!/usr/bin/env bash
# The kernel alone: the example of docs/kernel.md builds with the library and nothing else, and its wave is right.
set -eu
cd "$(dirname "$0")/.."
dir=build/kernel-example
rm -rf "$dir" && mkdir -p "$dir"
gcc -std=c11 -Wall -Wextra -Werror -O2 -Icmodel -o "$dir/example" docs/examples/kernel/*.c build/libmrpb.a
(cd "$dir" && ./example)
[ -s "$(ls "$dir"/*.vcd)" ]
echo "kernel example: 1 passed, 0 failed"

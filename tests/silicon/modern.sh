#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of tests/silicon/modern/, at a sixty-fourth of their size: the comparisons of each launch
# file hold on the executor and beside a GPU (the model: build/fake); a wrong kernel is noticed; set
# `modern` of counters.list has all of them. If clang 14 is installed, the PTX must be what it writes.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
folder=tests/silicon/modern
export LD_LIBRARY_PATH=build/fake
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }

holds() { # holds FILE OPTIONS...: comparisons were made, and held
  if build/mrpb run --launch "$1" --let cut=64 "${@:2}" > "$work/out" 2>&1 &&
    grep -qE '[1-9][0-9]* comparisons? held$' "$work/out"; then good; else bad "$*: $(tail -n 1 "$work/out" | head -c 400)"; fi
}

for file in "$folder"/*.launch; do
  holds "$file" --functional
  holds "$file" --gpu
done

# Each launch file is in the list, and the list has no other.
awk '$1 == "modern" { print $5 }' tests/silicon/counters.list | sort > "$work/listed"
printf '%s\n' "$folder"/*.launch | sort > "$work/there"
if cmp -s "$work/listed" "$work/there"; then good; else bad "set modern of counters.list: $(diff "$work/listed" "$work/there" | grep '^[<>]' | head -n 1)"; fi

# Without its shuffles a block's sum lacks what the other lanes have. Of 131072 = 15 * 8738 + 2 products 15 have the sum 30.
sed 's/^\tshfl\.sync\.bfly\.b32 *\t\(%f[0-9]*\), \(%f[0-9]*\), .*/\tmov.f32 \1, \2;/' "$folder/dot.ptx" > "$work/dot.ptx"
cp "$folder/dot.launch" "$work"
build/mrpb run --functional --launch "$work/dot.launch" --let cut=64 > "$work/out" 2>&1
if [ $? = 1 ] && grep -qE '^mrpb run: .*/dot\.launch:[0-9]+: total\[0\] is .*, expected 262141; 1 of 1 differ' "$work/out"; then good; else
  bad "a wrong sum is not noticed: $(head -c 400 "$work/out")"
fi

clang=
. tests/recorded.sh
if recorded_ "the texts of $folder" "clang version 14" clang-14 --version; then
  clang=", clang 14"
  for source in "$folder"/*.cu; do
    if docs/examples/ptx/compile.sh "$source" > "$work/ptx" 2> "$work/out" && cmp -s "$work/ptx" "${source%.cu}.ptx"; then good; else
      bad "${source%.cu}.ptx is not what clang 14 writes of $source; docs/examples/ptx/compile.sh writes it: $(head -n 1 "$work/out")"
    fi
  done
fi
echo "modern kernels$clang: $passed passed, $failed failed"
[ "$failed" = 0 ]

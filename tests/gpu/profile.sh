#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts by instruction and by buffer (docs/profile.md), of the 28 programs on SMs of the paper and on
# in-order cores: their sums are the counts of the run, and the run is the one without.
#   [MRPB=build/mrpb] tests/gpu/profile.sh [PROGRAM...]
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# same NAME CONFIG OPTIONS...: such a run with and without. The columns in `nonzero` count something.
same() {
  local name=$1 config=$2
  shift 2
  rm -f "$work"/whole.* "$work"/seen.* "$work"/*.csv
  [ -f "$config" ] || config=configs/$config.conf
  "$mrpb" run -c "$config" "$@" --json "$work/whole.json" > "$work/whole.txt" 2>&1
  "$mrpb" run -c "$config" "$@" --json "$work/seen.json" --by-pc "$work/pc.csv" --by-buffer "$work/buffer.csv" > "$work/seen.txt" 2>&1
  true_ "$name: the same report" cmp -s "$work/whole.txt" "$work/seen.txt"
  true_ "$name: sums" python3 tests/gpu/profile.py "$work/whole.json" "$work/seen.json" "$work/pc.csv" "$work/buffer.csv" tb/parts/profile.def tb/gpu/cores/counts.def ${nonzero:-}
}

turn=0
while read -r program suite type option value; do
  [[ $program =~ ^[a-z0-9] ]] || continue
  [ $# = 0 ] || [[ " $* " == *" $program "* ]] || continue
  case $option in
  --cut) value=4 ;;
  --steps) value=2 ;;
  --size) value=$((value / 4)) ;;
  esac
  configs=(base-s base-s-mrpb base-l-mrpb)
  same "$program" "${configs[turn++ % 3]}" --kernel "$program" "$option" "$value"
  same "$program in order" h200 --kernel "$program" "$option" "$value"
done < configs/figures/programs.list
true_ "programs were tried" test "$passed" -ge 2
if [ $# = 0 ]; then
  true_ "28 programs" test "$turn" = 28
  same "no queues" base-s-mrpb --kernel syr2k --cut 2 --set MRPB_REORDER=0
  same "oldest first" base-s --kernel syr2k --cut 2 --set SCHEDULER=gto
  same "limited warps" base-s-mrpb --kernel syr2k --cut 2 --set SCHEDULER=gto --set SWL_LIMIT=2
  same "an answer later" base-s-mrpb --kernel atax --cut 2 --set MRPB_ANSWER=2
  same "tracked by the MSHR table" base-s-mrpb --kernel atax --cut 2 --set BYPASS_TRACKING=mshr
  same "checked" base-s-mrpb --kernel atax --cut 2 --check
  same "with threads" base-s --kernel hs --size 64 --threads 2
  printf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 8\nCLUSTER = 8\n' > "$work/flits.conf"
  few=(--set L1D_WAYS=20 --set L1D_KEPT=2)
  examples=docs/examples/ptx
  nonzero="merges refused_mshr refused_merge" same "MSHR table" m2070 --kernel syr2k --cut 2 --set MSHR_ENTRIES=4 --set MSHR_MERGES=2
  nonzero="refused_assoc stack_lines" same "few lines" h200 --kernel syr2k --cut 2 "${few[@]}"
  nonzero="refused_mshr stack_table" same "few entries" h200 --kernel syr2k --cut 2 --set PRT_LOADS=4
  nonzero="bypasses refused_mrpb" same "MRPB in order" h200 --kernel syr2k --cut 2 --set MRPB=1 --set MRPB_QUEUES=4 --set MRPB_DEPTH=2 "${few[@]}"
  nonzero=bypasses same "no queues in order" h200 --kernel syr2k --cut 2 --set MRPB=1 --set MRPB_REORDER=0 "${few[@]}"
  nonzero=bypasses same "an answer later in order" h200 --kernel syr2k --cut 2 --set MRPB=1 --set MRPB_ANSWER=2 "${few[@]}"
  nonzero=bypasses same "MRPB before an MSHR table" m2070 --kernel syr2k --cut 2 --set MRPB=1 --set BYPASS_POLICY=signature --set BYPASS_MISSES=2
  nonzero="hits stack_l2" same "flits in order" "$work/flits.conf" --kernel atax --cut 2 --check
  nonzero=stack_l1 same "textures" h200 --kernel kms --size 640
  nonzero="stack_units stack_constants stack_barrier" same "constants" gtx280 --launch $examples/convolution.launch
  same "atomics" m2070 --launch $examples/histogram.launch
  for config in base-s-mrpb h200; do
    one=("$mrpb" run -c configs/$config.conf --kernel atax --cut 2)
    "${one[@]}" --profile --json "$work/whole.json" > "$work/whole.txt" 2>&1
    "${one[@]}" --interval 1000 --interval-stacks "$work/stacks.csv" --maps --by-pc "$work/pc.csv" --by-buffer "$work/buffer.csv" --json "$work/seen.json" > "$work/seen.txt" 2>&1
    true_ "--profile is all of its options, $config" cmp "$work/whole.json" "$work/seen.json"
    "${one[@]}" --profile --interval 500 --json "$work/whole.json" > "$work/whole.txt" 2>&1
    true_ "with intervals of another length, $config" grep -q '"to": 500' "$work/whole.json"
  done
  case_ "--profile has no file of its own" 2 "--profile: legal: with --json FILE" "${one[@]}" --profile
  # Which instruction accesses which array: as the text says it.
  for config in base-s-mrpb h200; do
    "$mrpb" run -c configs/$config.conf --kernel atax --cut 2 --by-pc "$work/pc.csv" > "$work/seen.txt" 2>&1
    true_ "arrays of instructions, $config" python3 - "$work/pc.csv" <<'END'
import csv, sys
arrays = {int(r["line"]): r["buffers"] for r in csv.DictReader(open(sys.argv[1])) if r["buffers"]}
assert arrays == {33: "tmp", 44: "A", 45: "x", 47: "tmp", 132: "y", 142: "A", 143: "tmp", 145: "y"}, arrays
END
  done
  # The words of an atomic: those with the largest numbers that are in memory at the end.
  sed -e 's|^ptx "|&'"$PWD/$examples"'/|' -e '$awrite bins to "'"$work/bins.txt"'"' $examples/histogram.launch > "$work/histogram.launch"
  for config in m2070 base-s h200; do
    "$mrpb" run -c configs/$config.conf --launch "$work/histogram.launch" --profile --json "$work/seen.json" > "$work/seen.txt" 2>&1
    true_ "words of an atomic, $config" python3 - "$work/seen.json" "$work/bins.txt" <<'END'
import json, sys
bins = [int(v) for v in open(sys.argv[2])]
most = sorted(range(len(bins)), key=lambda i: (-bins[i], i))[:4]
words = next(r["words"] for r in json.load(open(sys.argv[1]))["by_pc"] if r["words"])
assert [(w["buffer"], w["offset"], w["lanes"]) for w in words] == [("bins", 4 * i, bins[i]) for i in most], words
END
  done
  same "local memory" h200 --launch $examples/queens.launch
fi
echo "profile: $passed passed, $failed failed"
[ "$failed" = 0 ]

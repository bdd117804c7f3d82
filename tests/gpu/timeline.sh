#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The timeline (docs/timeline.md) of the 28 programs: its slices nest, they add up to the counts of the run and to its maps
# (docs/maps.md), and the run is the one without. A window shows what the whole shows of it.
#   [MRPB=build/mrpb] tests/gpu/timeline.sh [PROGRAM...]
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# whole NAME CONFIG OPTIONS...: such a run with and without.
whole() {
  local name=$1 config=$2 profile=()
  shift 2
  [ -f "$config" ] || config=configs/$config.conf
  grep -qE '^CORE *= *in-order|^include h200' "$config" || profile=(--by-pc "$work/pc.csv")
  rm -f "$work"/*.json
  "$mrpb" run -c "$config" "$@" > "$work/without.txt" 2>&1
  "$mrpb" run -c "$config" "$@" --json "$work/run.json" --interval 700 --maps "${profile[@]}" --timeline "$work/t.json" > "$work/with.txt" 2>&1
  true_ "$name: the same report" cmp -s "$work/without.txt" "$work/with.txt"
  true_ "$name: slices and sums" python3 tests/gpu/timeline.py "$work/t.json" "$work/run.json" whole
}

# refused NAME TEXT OPTIONS...: exit 2, a line with TEXT, and no file.
refused() {
  local name=$1 text=$2 rc
  shift 2
  rm -f "$work/t.json"
  "$mrpb" run --kernel atax --cut 1 "$@" > "$work/out" 2> "$work/err"
  rc=$?
  true_ "$name: exit 2" test "$rc" = 2
  true_ "$name: one line" test "$(wc -l < "$work/err")" = 1
  true_ "$name: what is legal" grep -qF -- "$text" "$work/err"
  true_ "$name: no file" test ! -e "$work/t.json"
}

turn=0
while read -r program suite type option value; do
  [[ $program =~ ^[a-z0-9] ]] || continue
  [ $# = 0 ] || [[ " $* " == *" $program "* ]] || continue
  case $option in
  --cut | --steps) value=1 ;;
  --size) value=$((value / 8)) ;;
  esac
  configs=(base-s base-s-mrpb base-l-mrpb h200)
  whole "$program" "${configs[turn++ % 4]}" --kernel "$program" "$option" "$value"
done < configs/figures/programs.list
true_ "programs were tried" test "$passed" -ge 2
if [ $# = 0 ]; then
  true_ "28 programs" test "$turn" = 28
  whole "no queues" base-s-mrpb --kernel syr2k --cut 2 --set MRPB_REORDER=0
  whole "an answer later" base-s-mrpb --kernel atax --cut 2 --set MRPB_ANSWER=2
  whole "tracked by the MSHR table" base-s-mrpb --kernel atax --cut 2 --set BYPASS_TRACKING=mshr
  whole "checked" base-s-mrpb --kernel atax --cut 2 --check
  whole "with threads" base-s --kernel hs --size 64 --threads 2
  whole "in order, with an MRPB" h200 --kernel atax --cut 8 --set MRPB=1
  printf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 8\nCLUSTER = 8\n' > "$work/flits.conf"
  printf 'include h200\ninclude base-s-mrpb\nCORE = pipeline\nMEMORY = ports\nCLUSTER = 7\n' > "$work/ports.conf"
  whole "in order, with flits" "$work/flits.conf" --kernel atax --cut 2
  whole "in order, with flits and an MRPB" "$work/flits.conf" --kernel atax --cut 2 --set MRPB=1
  whole "a pipeline with ports" "$work/ports.conf" --kernel atax --cut 2
  whole "in order, an MSHR table" m2070 --kernel atax --cut 2
  window=(-c configs/base-s-mrpb.conf --kernel atax --cut 8)
  "$mrpb" run "${window[@]}" --timeline "$work/whole.json" > "$work/out" 2>&1
  "$mrpb" run "${window[@]}" --timeline "$work/part.json" --timeline-from 2000 --timeline-to 4000 --timeline-sm 1,3-4 > "$work/out" 2>&1
  true_ "a window" python3 tests/gpu/timeline.py "$work/part.json" "$work/whole.json" part 2000 4000 1,3,4
  c=(-c configs/base-s.conf)
  refused "an SM that is not there" "legal: numbers from 0 to 13" "${c[@]}" --timeline "$work/t.json" --timeline-sm 14
  refused "a range backwards" "legal: numbers" "${c[@]}" --timeline "$work/t.json" --timeline-sm 4-2
  refused "an empty member" "legal: numbers" "${c[@]}" --timeline "$work/t.json" --timeline-sm 1,,2
  refused "a number too large for any integer" "legal: numbers" "${c[@]}" --timeline "$work/t.json" --timeline-sm 99999999999999999999
  refused "a window backwards" "is after --timeline-to 5" "${c[@]}" --timeline "$work/t.json" --timeline-from 6 --timeline-to 5
  refused "a window of nothing" "legal: with --timeline FILE" "${c[@]}" --timeline-from 6
  refused "no folder" "legal: a file that can be written" "${c[@]}" --timeline "$work/none/t.json"
  refused "the L1 as one unit" "legal: without --impl l1" "${c[@]}" --timeline "$work/t.json" --impl l1=c
  refused "maps without intervals" "legal: with --interval N and --json FILE" "${c[@]}" --maps --json "$work/t.json"
  refused "maps of the L1 as one unit" "legal: without --impl l1" "${c[@]}" --maps --interval 100 --json "$work/t.json" --impl l1=c
  refused "without timing" "legal: without --functional" --functional --timeline "$work/t.json"
  refused "two files of one name" "a file for each" "${c[@]}" --timeline "$work/t.json" --json "$work/t.json"
fi
echo "timeline: $passed passed, $failed failed"
[ "$failed" = 0 ]

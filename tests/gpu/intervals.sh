#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts over time (docs/intervals.md), of the 28 programs: the sum of each count over the intervals is
# the run's, and the run is the one without intervals.
#   [MRPB=build/mrpb] tests/gpu/intervals.sh [PROGRAM...]
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# same NAME CONFIG N OPTIONS...: such a run with intervals of N cycles and without.
same() {
  local name=$1 config=$2 n=$3
  shift 3
  rm -f "$work"/whole.* "$work"/cut.*
  [ -f "$config" ] || config=configs/$config.conf
  "$mrpb" run -c "$config" "$@" --json "$work/whole.json" > "$work/whole.txt" 2>&1
  "$mrpb" run -c "$config" "$@" --json "$work/cut.json" --interval "$n" --interval-csv "$work/cut.csv" --interval-stacks "$work/cut.stacks" > "$work/cut.txt" 2>&1
  true_ "$name: the same report" cmp -s "$work/whole.txt" "$work/cut.txt"
  true_ "$name: sums" python3 tests/gpu/intervals.py "$work/whole.json" "$work/cut.json" "$work/cut.csv" "$work/cut.stacks" "$n" tb/gpu/cores/stacks.def
}

turn=0
while read -r program suite type option value; do
  [[ $program =~ ^[a-z0-9] ]] || continue
  [ $# = 0 ] || [[ " $* " == *" $program "* ]] || continue
  case $option in
  --cut) value=4 ;;
  --steps) value=2 ;;
  esac
  configs=(base-s base-s-mrpb h200)
  same "$program" "${configs[turn++ % 3]}" $((turn % 2 ? 997 : 2000)) --kernel "$program" "$option" "$value"
done < configs/figures/programs.list
true_ "programs were tried" test "$passed" -ge 2
if [ $# = 0 ]; then
  true_ "28 programs" test "$turn" = 28
  for c in base-s gtx780 gtx280 h200; do same "each cycle, $c" $c 1 --kernel micro-chain-l1 --cut 2; done
  same "one interval" base-s 1000000000 --kernel atax --cut 2
  same "checked" base-s-mrpb 500 --kernel atax --cut 2 --check
  same "with threads" base-s 997 --kernel hs --size 64 --threads 2
  printf 'include h200\ninclude base-s-mrpb\nCORE = pipeline\nMEMORY = ports\nCLUSTER = 7\n' > "$work/ports.conf"
  same "ports" "$work/ports.conf" 500 --kernel atax --cut 2
  printf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 8\nCLUSTER = 8\n' > "$work/flits.conf"
  same "flits" "$work/flits.conf" 500 --kernel atax --cut 2
  run=("$mrpb" run -c configs/base-s.conf --kernel micro-chain-l1 --cut 4)
  case_ "without a file" 2 '--interval: legal: with --interval-csv FILE, --interval-stacks FILE or --json FILE' "${run[@]}" --interval 100
  case_ "without cycles" 2 '--interval-csv, --interval-stacks: legal: with --interval N' "${run[@]}" --interval-csv "$work/a.csv"
  case_ "stacks without cycles" 2 '--interval-stacks: legal: with --interval N' "${run[@]}" --interval-stacks "$work/a.csv"
  case_ "no cycles" 2 '--interval' "${run[@]}" --interval 0 --interval-csv "$work/a.csv"
  case_ "without timing" 2 'legal: without --functional' "$mrpb" run --kernel micro-chain-l1 --functional --interval 5 --interval-csv "$work/a.csv"
  case_ "a full disk" 2 '/dev/full: ' "${run[@]}" --interval 100 --interval-csv /dev/full
  case_ "no such folder" 2 "$work/none/a.csv" "${run[@]}" --interval 100 --interval-csv "$work/none/a.csv"
  case_ "one file for two" 2 'legal: ' "${run[@]}" --interval 100 --interval-csv "$work/a" --json "$work/a"
  case_ "stacks in the place of another" 2 'legal: ' "${run[@]}" --interval 100 --interval-stacks "$work/a" --json "$work/a"
  case_ "a full disk for stacks" 2 '/dev/full: ' "${run[@]}" --interval 100 --interval-stacks /dev/full
  case_ "ended by a hang" 4 'no progress' "${run[@]}" --interval 100 --interval-csv "$work/h.csv" --set HANG_CYCLES=1000 --set DRAM_LATENCY=100000
  true_ "nothing is left" test ! -e "$work/h.csv" -a ! -e "$work/h.csv.part" -a ! -e "$work/a.csv"
fi
echo "intervals: $passed passed, $failed failed"
[ "$failed" = 0 ]

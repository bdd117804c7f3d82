#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks for false alarms: mshr, prt and the tables of tests/conform/tables, four sizes each; each of
# the five gets a fifth of CYCLES.
#   tests/conform/alarms.sh [CYCLES]       the default is 10^9: some ten minutes
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
each=$((${1:-1000000000} / 20))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 runs=0 seed=1000
one() { # one NAME MAP LIST SIZE...
  local sets=()
  for size in "${@:4}"; do sets+=(--set "$size"); done
  seed=$((seed + 100000))
  "$mrpb" conform --lint off --map "$2" -f "$3" --cycles "$each" --seed $seed "${sets[@]}" --cases "$work" > "$work/said" 2>&1 || bad=$((bad + 1))
  head -n 1 "$work/said" | cut -c 1-150
  runs=$((runs + 1))
}
for m in mshr prt; do printf '%s\n' rtl/$m.v rtl/one_hot_encoder.v rtl/priority_encoder.v > "$work/$m.f"; done
for t in miss_chain.sv replay_list.v set_miss.sv; do echo "tests/conform/tables/$t" > "$work/${t%.*}.f"; done
for s in "8 4" "4 8" "1 1" "5 3"; do one mshr docs/conform/maps/mshr.map "$work/mshr.f" ENTRIES=${s% *} MERGES=${s#* }; done
for n in 8 1 3 16; do one prt docs/conform/maps/prt.map "$work/prt.f" ENTRIES=$n; done
for n in 8 4 6 2; do one miss_chain tests/conform/tables/miss_chain.map "$work/miss_chain.f" ENTRIES=$n; done
for s in "4 8" "2 3" "1 4" "8 16"; do one replay_list tests/conform/tables/replay_list.map "$work/replay_list.f" ENTRIES=${s% *} READS=${s#* }; done
for s in "4 2 4" "8 4 2" "2 1 1" "1 1 3"; do
  set -- $s
  one set_miss tests/conform/tables/set_miss.map "$work/set_miss.f" ENTRIES=$1 SETS=$2 MERGES=$3
done
echo "conform alarms: $bad false alarms in $((each * runs)) cycles"
[ "$bad" = 0 ]

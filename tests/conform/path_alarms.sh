#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks for false alarms of the contract of a path: the two caches of tests/conform/path/caches, eight
# sizes each; each size gets a sixteenth of CYCLES.
#   tests/conform/path_alarms.sh [CYCLES [SEED]]      the default is 10^9 cycles from seed 1000
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
caches=tests/conform/path/caches
each=$((${1:-1000000000} / 16))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 runs=0 seed=${2:-1000}
one() { # one CACHE SIZE...
  $caches/map.sh "$@" > "$work/x.map"
  seed=$((seed + 1000000))
  "$mrpb" conform --path --lint off --map "$work/x.map" -f "$work/$1.f" --cycles "$each" --seed $seed --cases "$work" > "$work/said" 2>&1 || { bad=$((bad + 1)); cat "$work/said"; }
  echo "$1 ${*:2}: $(head -n 1 "$work/said" | cut -d ' ' -f 1-4)"
  sed -n '/^  requests/p; /^  memory/p' "$work/said"
  runs=$((runs + 1))
}
for cache in queue_cache replay_cache; do printf '%s\n' $caches/lanes.v $caches/$cache.v > "$work/$cache.f"; done
one queue_cache
one queue_cache SETS=1 WAYS=1 QUEUE=1 VICTIMS=1 ANSWERS=1
one queue_cache LANES=4 SETS=2 WAYS=1 QUEUE=2 VICTIMS=1 ANSWERS=3
one queue_cache LANES=2 JOINT=0 SETS=4 WAYS=1 QUEUE=3 VICTIMS=2 ANSWERS=2
one queue_cache LINE=32 BUS=4 SETS=4 WAYS=3 QUEUE=4 VICTIMS=3 ANSWERS=4
one queue_cache WORD=8 LINE=32 BUS=32 SETS=2 WAYS=2 QUEUE=2
one queue_cache WORD=1 LINE=8 BUS=4 ADDR_W=8 TAG_W=2 SETS=1 WAYS=4
one queue_cache WORD=8 LINE=128 BUS=8 ADDR_W=13 TAG_W=6 LANES=8 SETS=4 WAYS=2 QUEUE=4 ANSWERS=4
one replay_cache
one replay_cache LANES=1 SETS=1 WAYS=1 ENTRIES=1 STORES=1
one replay_cache LANES=4 SETS=1 WAYS=1 ENTRIES=8 STORES=1
one replay_cache LANES=2 JOINT=0 SETS=2 WAYS=1 ENTRIES=6 STORES=3
one replay_cache LANES=1 LINE=32 SETS=4 WAYS=3 ENTRIES=5 STORES=4
one replay_cache LANES=1 WORD=1 LINE=8 ADDR_W=8 TAG_W=2 SETS=2 WAYS=2 ENTRIES=3
one replay_cache LANES=8 WORD=4 LINE=64 ADDR_W=12 TAG_W=6 SETS=2 WAYS=4 ENTRIES=16 STORES=4
one replay_cache LANES=2 WORD=8 LINE=16 SETS=8 WAYS=1 ENTRIES=4 STORES=2
echo "path alarms: $bad false alarms in $((each * runs)) cycles"
[ "$bad" = 0 ]

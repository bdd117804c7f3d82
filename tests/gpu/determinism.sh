#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same seed and the same binary write the same bytes (logs, reports, JSON, vectors, waves and
# traces), from another folder name, in another environment, and with any number of processes.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
cp -r rtl "$work/rtl" && sed -i 's/(ready_q & ~released)/ready_q/' "$work/rtl/mshr.v"
cmp -s rtl/mshr.v "$work/rtl/mshr.v" && { echo "FAILED: the line to break is gone"; exit 1; }

# Writes everything that can be written, with names relative to the current folder.
write_all() {
  local mrpb=$1 top=$2 jobs=$3 atax
  mkdir records kept
  "$mrpb" cosim all --cycles 5000 --seed 7 --bins --record records > cosim.log 2>&1
  "$mrpb" cosim prt --set ENTRIES=5 --cycles 3000 --vcd prt.vcd > prt.log 2>&1
  "$mrpb" cosim mshr --rtl ../rtl --regress kept --vcd mshr.vcd > mismatch.log 2>&1
  "$mrpb" cosim --replay records/mshr.vec --with c,verilator,icarus --vcd replay.vcd > replay.log 2>&1
  printf 'mshr ENTRIES=%d\n' 4 5 6 7 | cat - <(echo "fifo_bank cycles=60000") > list
  "$mrpb" cosim --matrix list --cycles 3000 --jobs "$jobs" > matrix.log 2>&1
  atax="$mrpb run -c $top/configs/base-s-mrpb.conf --kernel atax --cut 2"
  $atax --impl mrpb=both,mshr=both,prt=both --json run.json --vcd run.vcd --from 100 --to 3000 > run.log 2>&1
  $atax --record atax.trace --json traced.json > trace.log 2>&1
  $atax --impl mshr=both --rtl ../rtl --regress kept > late.log 2>&1
}

top=$PWD
mkdir "$work/first" "$work/other"
(cd "$work/first" && write_all "$top/build/mrpb" "$top" 1)
(cd "$work/other" && export TZ=Asia/Tokyo LC_ALL=C HOME=/nowhere FILLER=$(printf 'x%.0s' {1..3000}) &&
  write_all "$top/build/mrpb" "$top" 3)
while read -r f; do
  if [ -s "$work/first/$f" ] && cmp "$work/first/$f" "$work/other/$f"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $f"
    diff "$work/first/$f" "$work/other/$f" | head -4 | cut -c1-200
  fi
done < <(cd "$work" && find first other -type f -printf '%P\n' | sort -u)
[ "$passed" -ge 35 ] || { failed=$((failed + 1)); echo "FAILED: only $passed files were written"; }
grep -q '^MISMATCH' "$work/first/mismatch.log" "$work/first/late.log" || failed=$((failed + 1))
echo "determinism: $passed passed, $failed failed"
[ "$failed" = 0 ]

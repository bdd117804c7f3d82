#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb micro` as a user runs it: the published values of the six GPUs, other sizes, the Verilog in
# place of the tables, a wrong line of Verilog, wrong input.
set -u
cd "$(dirname "$0")/../.."
passed=0 failed=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
check() { # check NAME COMMAND...: silent on success, one line on failure
  local name=$1
  shift
  if "$@" > "$out/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "micro: $name"; tail -n 5 "$out/log"; fi
}
exits() { # exits STATUS PATTERN COMMAND...: exit code, and a match in the output
  local status=$1 pattern=$2 got=0
  shift 2
  "$@" > "$out/text" 2>&1 || got=$?
  [ "$got" = "$status" ] && grep -qE -- "$pattern" "$out/text" || { echo "exit $got:"; tail -n 3 "$out/text"; return 1; }
}
micro() { build/mrpb micro "$@" -o "$out/plots"; }

same_table() { # same_table GPU: equal to the one in docs/micro/results
  grep '^|' "docs/micro/results/$1.md" | diff - "$out/$1.md" || { echo "make micro RECORD=1 writes it anew"; return 1; }
}
. tests/recorded.sh
plots=1
recorded_ "plots of docs/micro/results" "gnuplot 5.4" gnuplot --version || plots=
same_plots() { # same_plots GPU: equal to those in docs/micro/results
  local svg
  [ -n "$plots" ] || return 0
  for svg in docs/micro/results/"$1"-*.svg; do cmp "$svg" "$out/plots/${svg##*/}" || return 1; done
}
for gpu in gtx560ti gtx780 gtx280; do
  check "all of $gpu" exits 0 'equal' micro all -c configs/$gpu.conf --markdown "$out/$gpu.md"
  check "the table of $gpu in docs is this one" same_table $gpu
  check "the plots of $gpu in docs are these" same_plots $gpu
done
check "release of h200" exits 0 'release +in order +in order +equal +in order +equal' micro release -c configs/h200.conf
check "plots and data are there" test -s "$out/plots/h200-release.svg" -a -s "$out/plots/h200-release.csv"
check "6 ways, first in first out" exits 0 'fifo|FIFO' micro pchase -c configs/gtx560ti.conf --set L1D_WAYS=6 --set L1D_REPLACEMENT=fifo
check "the PRT in Verilog, compared" exits 0 'cycles compared, no difference' micro release -c configs/h200.conf --impl prt=both
check "the MSHR table in Verilog, compared" exits 0 'cycles compared, no difference' micro saturation -c configs/m2070.conf --impl mshr=both
check "the MSHR table in Verilog alone" exits 0 'DRAM' micro saturation -c configs/m2070.conf --impl mshr=rtl
cp -r rtl "$out/rtl"
sed -i 's/(head_q == ENTRY_LAST)/(head_q == ENTRY_LAST - ENTRY_ONE)/' "$out/rtl/prt.v"
check "the ring closes one entry early: a line was changed" test "$(cmp -s rtl/prt.v "$out/rtl/prt.v"; echo $?)" = 1
check "a wrong line of Verilog" exits 1 'cycle' micro acceptance -c configs/h200.conf --impl prt=both --rtl "$out/rtl"
check "the table as JSON" exits 0 '' micro release -c configs/h200.conf --json "$out/t.json"
check "it is JSON" grep -q '"deduced"' "$out/t.json"
check "no study" exits 2 'legal: all, thread-latency' build/mrpb micro -c configs/k20.conf
check "an unknown study" exits 2 'no study pchas; legal' build/mrpb micro pchas -c configs/k20.conf
check "no configuration" exits 2 'legal: -c configs/' build/mrpb micro pchase
check "a configuration of mrpb run" exits 2 'base-s.conf: a configuration of GPUs of pipeline cores with flits; legal: one with in-order cores' build/mrpb micro pchase -c configs/base-s.conf
check "a combination that cannot be built" exits 2 'L2_LATENCY = 9; legal|LSU_LATENCY' build/mrpb micro pchase -c configs/k20.conf --set L2_LATENCY=7
check "a unit that is not there" exits 2 'legal: mshr= or prt=' build/mrpb micro pchase -c configs/k20.conf --impl mrpb=rtl
check "a folder that cannot be written" exits 2 'mrpb micro: ' build/mrpb micro release -c configs/h200.conf -o /proc/none
check "spikes that are no table" exits 0 'table +not decided' micro thread-latency -c configs/gtx280.conf
check "a deduction that fails: instructions come more slowly than the L1D" exits 1 'pattern 2, L1D on +cycles +266 +285 +differs' micro patterns -c configs/h200.conf --set L1D_LATENCY=8 --set FETCH_CYCLES=20 --set L2_FAR=0 --set L2_HALVES=1
# Results that instruments once got silently wrong: now right, or not decided.
honest() { # honest STUDY GPU SET...
  local study=$1 gpu=$2 set=()
  shift 2
  for s in "$@"; do set+=(--set "$s"); done
  micro "$study" -c "configs/$gpu.conf" "${set[@]}"
}
check "a warp with one load" honest thread-latency m2070 LOADS_PER_WARP=1
check "100 MSHRs and a fast L2" honest thread-latency m2070 MSHR_ENTRIES=100 MSHR_MERGES=4 L2_LATENCY=190 L1D_LATENCY=60
check "a first TLB that costs nothing" honest pchase gtx560ti TLB1_MISS=0
check "a small L2" honest pchase gtx560ti L2_TOTAL_SETS=24
check "a texture cache of blocks" honest pchase gtx560ti TEX_SHIFT=5 TEX_SETS=16 TEX_WAYS=11
latencies() { # how far apart lines are, in halves of the L2
  micro latency -c configs/h200.conf --set L2_SPREAD=60 --set L2_FAR=450 --set DRAM_SPREAD=330 --set CLOCK_CYCLES=9 > "$out/text" &&
    grep -Eq '^L2 hit, spread .* 60  *(equal|within)' "$out/text" && grep -Eq '^L2, first read .* 450  *(equal|within)' "$out/text" &&
    grep -q '^DRAM, spread .* 330  *within' "$out/text" && grep -q '^reading the clock .* 9  *9  *equal' "$out/text"
}
halves() { # what lies behind the halves of the L2, and late reads
  micro latency -c configs/h200.conf --set L2_FAR=450 --set HALF_BLOCK=4096 --set DRAM_SPREAD=80 --set DRAM_FAR=200 --set DRAM_LATE=300 --set DRAM_LATE_SHARE=120 \
    --set HOST_SPREAD=120 --set HOST_FAR=260 --set HOST_LATE=250 > "$out/text" &&
    grep -q '^block of a half .* 4096  *4096  *equal' "$out/text" && grep -Eq '^DRAM, far half .* 200  *(within|equal)' "$out/text" &&
    grep -Eq '^DRAM, late .* 300  *(within|equal)' "$out/text" && grep -Eq '^host, far half .* 260  *(within|equal)' "$out/text" &&
    grep -Eq '^host, spread .* 120  *(within|equal)' "$out/text" && grep -Eq '^host, late .* 250  *(within|equal)' "$out/text" &&
    grep -Eq '^DRAM, reads late .* 120  *(within|equal)' "$out/text" && grep -Eq '^host, reads late .* 80  *(within|equal)' "$out/text" &&
    grep -Eq '^DRAM, spread .* 80  *(within|equal)' "$out/text"
}
check "which half a block lies in" exits 0 'bits of a half +19 +19 +equal' micro latency -c configs/h200.conf --set L2_FAR=450 --set HALF_BLOCK=4096 --set HALF_BITS=19
for bits in 179 171; do
  check "further bits of a half: $bits" exits 0 "bits of a half +$bits +$bits +equal" micro latency -c configs/h200.conf --set L2_FAR=450 --set HALF_BLOCK=4096 --set HALF_BITS=$bits
done
check "smaller blocks that are the same halves" exits 0 'block of a half +bytes +4096 +4096 +equal' micro latency -c configs/h200.conf --set L2_FAR=450 --set HALF_BLOCK=512 --set HALF_BITS=152
check "what the host replies, in order" exits 0 'host, replies +in order +in order +equal' micro latency -c configs/h200.conf --set HOST_ORDER=in-order --set HOST_FAR=260
check "lrc of h200" exits 0 'requests that become one +requests +4 +4 +equal' micro lrc -c configs/h200.conf
check "256 lines are among those that an LRC may watch" grep -Eq '^lines that it watches +lines +128 to 383 ' "$out/text"
check "no LRC" exits 0 'L2 request coalescer +not visible +not visible +equal' micro lrc -c configs/h200.conf --set LRC=0
check "lines of h200" exits 0 'release of a warp.s lines +in order +in order +equal' micro lines -c configs/h200.conf
check "lines in a warp's order, of an MSHR table" exits 2 'L1D_ORDER = in-order, TABLE = mshr; legal: TABLE = prt' build/mrpb micro lines -c configs/m2070.conf --set L1D_ORDER=in-order
check "lines in a warp's order, two loads in service" exits 2 'L1D_ORDER = in-order, LSU_SERVICE = 2; legal: 1' build/mrpb micro lines -c configs/h200.conf --set LSU_SERVICE=2
check "more lines left than a set has" exits 2 'L1D_KEPT = 496; legal: less than L1D_WAYS = 496' build/mrpb micro lines -c configs/h200.conf --set L1D_KEPT=496
check "lines that replacement leaves" exits 0 'lines that replacement leaves +lines +0 to [0-9]+ +0 +(equal|within)' micro lines -c configs/h200.conf --set L1D_KEPT=0
check "sets of an H100, other than 4" exits 2 'L1D_HASH = 2, L1D_SETS = 8; legal: 4 sets' build/mrpb micro lines -c configs/h200.conf --set L1D_SETS=8
check "spread lines, halves of the L2, a slow clock" latencies
check "halves of the DRAM and of the host, late reads" halves
check "lines nearer than nothing" exits 2 'HOST_FAR = 3000; legal' build/mrpb micro latency -c configs/h200.conf --set HOST_FAR=3000
check "an L1D of 3 sets" honest acceptance h200 L1D_SETS=3 L1D_WAYS=661 L1D_HASH=0
check "an L2 of 8 MB" honest l2-copy k20 L2_TOTAL_SETS=4096
check "a second TLB smaller than the first" honest pchase gtx560ti TLB1_SETS=2 TLB1_WAYS=24 TLB2_SETS=2 TLB2_WAYS=12 TLB2_EXTRA=0
check "caches of three sets" honest constants gtx280 CONST2_SETS=3 CONST2_WAYS=5
check "a coarse clock and noise: the same with the configuration in sight" exits 0 "hidden: [0-9]+ right" micro latency -c configs/h200.conf --hidden 160870
check "hidden GPUs" tb/studies/micro/blind.sh 1 "$out/blind" 4 2
echo "micro: $passed passed, $failed failed"
[ "$failed" = 0 ]

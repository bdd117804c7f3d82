#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs and launch files on in-order cores: every program of `mrpb help kernels` at a small size,
# every launch file of docs/examples/ptx; the host's results must hold. The same run again, and with
# its table in lockstep or in Verilog, has the same cycles.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
hopper="build/mrpb run -c configs/h200.conf"

# A size that takes at most a second; none: the program has one size.
small() { # small PROGRAM
  case $1 in
  micro-*) echo "" ;;
  bt) echo "--size 4096" ;;
  bfs) echo "--size 4096" ;;
  bp* | kms) echo "--size 1024" ;;
  *) echo "--size 64" ;;
  esac
}
n=0
for program in $(build/mrpb help kernels | awk '{print $1}'); do
  # shellcheck disable=SC2046
  case_ "$program" 0 '^  cycles +[1-9]' $hopper --kernel "$program" $(small "$program")
  n=$((n + 1))
done
true_ "there are programs" test "$n" -ge 36
for file in docs/examples/ptx/*.launch; do
  case_ "$file" 0 '[1-9][0-9]* comparisons? held$' $hopper --launch "$file"
  case_ "$file on a Kepler" 0 '[1-9][0-9]* comparisons? held$' build/mrpb run -c configs/k20.conf --launch "$file"
done

for gpu in gtx280 gtx560ti gtx780 h200 k20 m2070; do
  case_ "run on $gpu" 0 "^atax, cut to 2, configs/$gpu\.conf" build/mrpb run -c configs/$gpu.conf --kernel atax --cut 2
done
atax="$hopper --kernel atax --cut 2"
case_ "launches beside each other" 0 '^ +1 +[0-9]+ .*  atax_kernel2$' $atax
case_ "its table in lockstep" 0 '^  lockstep +[0-9]+ cycles of one SM compared, no difference' $atax --impl prt=both
case_ "all of them" 0 'cycles of all SMs compared, no difference' $atax --impl prt=both --impl-sm all

cycles() { # cycles OPTIONS...
  # shellcheck disable=SC2086
  $hopper --kernel gemm --size 64 "$@" 2>&1 | sed -n 's/^  cycles *//p'
}
once=$(cycles)
true_ "again" test "$once" = "$(cycles)"
true_ "in lockstep" test "$once" = "$(cycles --impl prt=both --impl-sm all)"
true_ "in Verilog" test "$once" = "$(cycles --impl prt=rtl --no-check)"
# A trace lacks the addresses of instructions and constants (docs/trace.md), so its cycles are others.
accesses() { sed -n '/^  loads, stores/p' "$1"; }
$hopper --kernel gemm --size 64 --record "$work/t.trace" > "$work/run" 2>&1
$hopper --trace "$work/t.trace" > "$work/traced" 2>&1
true_ "a trace has the run's accesses" test -n "$(accesses "$work/run")" -a "$(accesses "$work/run")" = "$(accesses "$work/traced")"

# What the schedulers wait for: docs/statistics.md. One SM with one scheduler, or with four.
one="build/mrpb run -c configs/h200.conf --set SMS=1 --set CLUSTER=1 --set LAUNCH_CYCLES=0"
share() { # share PART: of the run in $work/out, in tenths of a percent
  sed -n "s/^  scheduler cycles.* $1 \([0-9]*\)\.\([0-9]\) %.*/\1\2/p" "$work/out"
}
most() { # most PART: has more than half of all cycles
  true_ "most cycles: $1" test "$(share "$1")" -gt 500
}
# The lines of the first chain come from the DRAM once, then from where its name says.
case_ "loads that hit the L1D" 0 'l1 ' $one --set SCHEDULERS=1 --kernel micro-chain-l1 --cut 256
most l1
case_ "loads from the DRAM" 0 'dram ' $one --set SCHEDULERS=1 --kernel micro-chain-dram --cut 256
most dram
case_ "four loads at most" 0 ' table ' $one --set PRT_LOADS=4 --kernel gemm --size 64
true_ "the table is waited for" test "$(share table)" -gt 100
case_ "many loads" 0 ' dram ' $one --kernel gemm --size 64
true_ "the table is not" test -z "$(share table)"
# Three warps wait for the fourth, which counts to a thousand: three of four schedulers.
printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k() {\n  .reg .u32 %%r<3>; .reg .pred %%p;\n  mov.u32 %%r1, %%tid.x; mov.u32 %%r2, 0; setp.ge.u32 %%p, %%r1, 32;\n  @%%p bra END;\nL:\n  add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p, %%r2, 1000;\n  @%%p bra L;\nEND:\n  bar.sync 0;\n  ret;\n}\n' > "$work/barrier.ptx"
case_ "a barrier" 0 'barrier 7[0-9]\.[0-9] %' $one --ptx "$work/barrier.ptx" --grid 1 --block 128
# All of a launch: never more than there are.
build/mrpb run -c configs/h200.conf --kernel srad --size 64 --json "$work/j" > "$work/out"
true_ "no cycle twice" test "$(jq '[.kernels[] | (.stack | add) <= .cycles * 132 * 4] | all' "$work/j")" = true
# The MRPB before the L1D, with an L1D that refuses: the values hold, and the Verilog has the same
# cycles.
tight="--set MRPB=1 --set L1D_WAYS=2 --set L1D_KEPT=0 --set MRPB_DEPTH=2"
for how in "" "MRPB_BYPASS=off" "MRPB_SIGNATURE=sub-core" "BYPASS_POLICY=signature" "MRPB_ANSWER=2" "MRPB_REORDER=0"; do
  for file in hash_join spmv transpose; do
    # shellcheck disable=SC2086
    case_ "$file with an MRPB, $how" 0 '[1-9][0-9]* comparisons? held$' $hopper $tight ${how:+--set $how} --launch docs/examples/ptx/$file.launch
  done
done
# shellcheck disable=SC2086
{
  tight_cycles=$(cycles $tight)
  true_ "an MRPB in lockstep" test -n "$tight_cycles" -a "$tight_cycles" = "$(cycles $tight --impl mrpb=both,prt=both)"
  true_ "in Verilog" test "$tight_cycles" = "$(cycles $tight --impl mrpb=rtl,prt=rtl --impl-sm all --no-check)"
  case_ "what is compared" 0 'mrpb QUEUES=48 DEPTH=2' $atax $tight --impl mrpb=both
  case_ "no MRPB" 2 "^mrpb run: --impl: the cores of configs/h200.conf have no such unit; legal: prt=$" $atax --impl mrpb=both
  case_ "two tables" 2 'TABLE = mshr, BYPASS_TRACKING = prt; legal: mshr, none' build/mrpb run -c configs/m2070.conf --set MRPB=1 --set BYPASS_TRACKING=prt
  case_ "a policy without bypassing" 2 'BYPASS_POLICY, MRPB_BYPASS = off; legal: BYPASS_POLICY = refused' $atax --set MRPB=1 --set MRPB_BYPASS=off --set BYPASS_POLICY=signature
}
# Values are checked, an SM is shown and its table watched; the cycles are those of any run.
for program in atax gemm bfs micro-atomics; do
  build/mrpb help kernels | grep -q "^$program " || continue
  # shellcheck disable=SC2046
  case_ "$program checked" 0 '^  check  .*: no violation' $hopper --kernel "$program" $(small "$program") --check
done
case_ "a Kepler checked" 0 '^  check  .*: no violation' build/mrpb run -c configs/k20.conf --kernel atax --cut 2 --check
# Each stores to a line in flight and reads it again.
case_ "union_find checked" 0 '^  check  .*: no violation' build/mrpb run -c configs/m2070.conf --launch docs/examples/ptx/union_find.launch --check
case_ "interpreter checked" 0 '^  check  .*: no violation' $hopper --launch docs/examples/ptx/interpreter.launch --check
true_ "checked, shown and watched" test "$once" = "$(cycles --check --vcd "$work/w.vcd" --activity "$work/act")"
true_ "the table is watched in every cycle" grep -q "\"cycles\": $once\b" "$work/act/activity.json"
true_ "every cycle is shown" test "$(grep -c '^1!' "$work/w.vcd")" = "$once"
$hopper --kernel gemm --size 64 --activity "$work/both" --impl prt=both > "$work/run" 2>&1
true_ "its activity in C and in Verilog" diff -r "$work/act" "$work/both"
case_ "a window of skipped cycles" 0 'cycles' $hopper --kernel atax --cut 2 --vcd "$work/part.vcd" --from 700 --to 900
true_ "has all of them" test "$(grep -c '^1!' "$work/part.vcd")" = 201

# Mixtures: pipeline cores with ports, in-order cores with flits. Checking changes no cycle.
printf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 8\nCLUSTER = 8\n' > "$work/flits.conf"
printf 'include h200\ninclude base-s-mrpb\nCORE = pipeline\nMEMORY = ports\nCLUSTER = 7\n' > "$work/ports.conf"
for gpu in flits ports; do
  mixture="build/mrpb run -c $work/$gpu.conf --kernel gemm --size 64"
  plain=$($mixture | sed -n 's/^  cycles *//p')
  case_ "$gpu, shown and watched" 0 '^  cycles' $mixture --vcd "$work/m.vcd" --activity "$work/act-$gpu"
  true_ "$gpu, the same cycles, shown" grep -q "^  cycles  *$plain\$" "$work/out"
  true_ "$gpu, every cycle is shown" test "$(grep -c '^1!' "$work/m.vcd")" = "$plain"
  true_ "$gpu, and watched" grep -q "\"cycles\": $plain\b" "$work/act-$gpu/activity.json"
  case_ "$gpu, checked" 0 '^  check  .*: no violation' $mixture --check
  true_ "$gpu, the same cycles, checked" grep -q "^  cycles  *$plain\$" "$work/out"
  for file in histogram hash_join transpose; do
    case_ "$gpu, $file checked" 0 '[1-9][0-9]* comparisons? held$' build/mrpb run -c "$work/$gpu.conf" --launch docs/examples/ptx/$file.launch --check
  done
done

# Accesses of one warp to one line, each of which a GPU let pass the one before.
for file in turns byte atomic; do
  for gpu in configs/m2070 configs/k20 configs/h200 configs/base-s-mrpb "$work/flits" "$work/ports"; do
    case_ "order: $file on $gpu" 0 '^  check  .*: no violation; 0 loads stale' build/mrpb run -c $gpu.conf --launch tests/gpu/order/$file.launch --check
  done
done

# A GPU that can never go on: every warp waits at a barrier for one that waits for it.
printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry stuck() {\n  .reg .u32 %%t; .reg .pred %%p;\n  mov.u32 %%t, %%tid.x; setp.lt.u32 %%p, %%t, 32;\n  @%%p bar.sync 1, 64;\n  @!%%p bar.sync 2, 64;\n  ret;\n}\n' > "$work/stuck.ptx"
case_ "no warp can go on" 4 '^mrpb run: cycle [0-9]+: no warp can go on$' $hopper --ptx "$work/stuck.ptx" --grid 1 --block 64

echo "inorder: $passed passed, $failed failed"
[ "$failed" = 0 ]

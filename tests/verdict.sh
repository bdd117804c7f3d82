#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What verdicts say that they checked (docs/verify/door.md): all commands, with maps that leave
# things out.
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD mrpb=$PWD/build/mrpb data=$PWD/tests/verilog/verdict
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
cd "$work" || exit 1
cp "$data"/* .

says() { # says WHAT RC PATTERN COMMAND...: its exit code, and lines that begin like this
  timeout 300 "${@:4}" > "$work/said" 2>&1
  local code=$?
  if [ "$code" = "$2" ] && grep -qE -- "$3" "$work/said"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $code: $(head -c 600 "$work/said")"
  fi
}
holds() { # holds WHAT PATTERN: found in the output of the last command
  if grep -qE -- "$2" "$work/said"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1: $(head -c 600 "$work/said")"; fi
}
if ! { "$mrpb" new skid && make -s -C skid KIT="$root"; } > "$work/said" 2>&1; then
  cat "$work/said"
  exit 1
fi
skid() { says "$1, $2" "$3" "$4" "$mrpb" "$1" skid -m skid "${@:5}" --map "$2.map" --lint off; }

# ---- a stimulus for replays and waves: nine cycles of a push and a pop, two outputs in the wave ----
"$mrpb" cosim skid -m skid --cycles 60 --record run.vec > "$work/said" 2>&1
sed -n '/^module/,/^inputs/p' run.vec > head.txt
{ echo "mrpb-vec 1"; cat head.txt; echo "cycles 1"; echo "0 0 00 0"; } > one_cycle.vec
replay() { says "replay, $1" "$2" "$3" "$mrpb" cosim -m skid --replay run.vec two_ports.sv --map "$1.map" --lint off "${@:4}"; }
{
  echo '$timescale 1ns $end $scope module top $end $scope module dut $end'
  echo '$var wire 1 c clk $end $var wire 1 r rst_n $end $var wire 1 v push_v $end $var wire 8 d push_d $end $var wire 1 p pop_r $end'
  echo '$upscope $end $upscope $end $enddefinitions $end'
  printf '#%d\n0c\n%s\n#%d\n1c\n' 0 $'0r\n0v\n0p\nb0 d' 5 10 $'1r\n1v\nb101 d' 15 20 $'0v\n1p' 25 30 0p 35
} > theirs.vcd
sed 's/clk \$end/clk_i $end/; s/ rst_n / srst_ni /; s/ push_v / push_valid_i /; s/ push_d / push_data_i /; s/ pop_r / pop_ready_i /' theirs.vcd > inputs.vcd
sed 's/\$upscope \$end \$upscope/$var wire 1 o pop_valid_o $end &/' inputs.vcd | sed 's/^#20$/#20\n1o/; s/^#30$/#30\n0o/; s/^#10$/#10\n0o/' > one.vcd
wave() { says "wave, $1" "$2" "$3" "$mrpb" cosim skid -m skid --vcd-in theirs.vcd two_ports.sv --map "$1.map" --lint off; }

# ---- all commands with maps ----
none='^mrpb [a-z]+: no_output.map: nothing is compared: the map leaves out all 4 outputs of skid; legal: '
one='1 of 4 outputs and 0 of 4 registers, 1 of 52 bits'
for command in cosim prove mutate; do skid $command no_output 2 "$none" two_ports.sv; done
skid properties no_output 2 "${none/mrpb \[a-z\]+: /}" two_ports.sv --depth 3
says "prove --depth, no output" 2 "$none" "$mrpb" prove skid -m skid two_ports.sv --map no_output.map --lint off --depth 4
replay no_output 2 "$none"
wave no_output 2 "$none"
skid cosim one_output 0 "^matched 300 cycles, skid .*, $one, " two_ports.sv --cycles 300
holds "what was left out" '^  left out    outputs pop_valid_o, pop_data_o, count_o$'
replay one_output 0 "^c, verilator +matched 64 cycles, $one$" --with c,verilator,icarus
holds "Icarus" "^verilator, icarus +matched 64 cycles, $one$"
wave one_output 0 "^c, verilator +matched 4 cycles, $one$"
skid prove one_output 0 "^proved skid .* for 4 cycles from a reset, $one: 4 checks, " two_ports.sv --depth 4
skid properties one_output 2 'no property is left: each needs an output or a register that the map leaves out$' two_ports.sv --depth 3
skid mutate one_output 0 "^  without a mutant matched 1000 cycles, $one$" two_ports.sv --mutants 2 --cycles 1000
skid cosim never 0 "^matched 300 cycles, skid .*, $one, " two_ports.sv --cycles 300
holds "outputs whose condition is never true" '^  left out    compared in 0 cycles: outputs pop_valid_o, pop_data_o$'
holds "the assumption" '^  assuming    pop_valid_o, pop_data_o: looked at only where count_o == 5 \(0 cycles\)$'
skid prove never 0 "^proved skid .* for 3 cycles from a reset, $one: " two_ports.sv --depth 3
holds "a condition that no state has" 'compared in 0 cycles: outputs pop_valid_o, pop_data_o$'
sed 's/^when .*/when count_o == 5 : push_ready_o pop_valid_o pop_data_o/' never.map > nowhere.map
skid cosim nowhere 2 '^mrpb cosim: skid: nothing was compared: 0 of 4 outputs and 0 of 4 registers, 0 of 52 bits; legal: ' two_ports.sv --cycles 300
skid prove nowhere 2 '^mrpb prove: skid: nothing was compared: 0 of 4 outputs' two_ports.sv --depth 3
small="right_queue.sv --set DEPTH=3 --set DATA_W=2"
# shellcheck disable=SC2086
{
  skid cosim with_register 0 '3 of 4 outputs and 1 of 4 registers, 6 of 18 bits' $small --cycles 300 --vcd right.vcd
  says "outputs only" 0 '3 of 4 outputs and 0 of 4 registers, 4 of 18 bits' \
    "$mrpb" cosim skid -m skid $small --map with_register.map --lint off --cycles 300 --outputs-only
  skid properties with_register 0 '^  left out, .* leaves out: counts$' $small
  holds "a right queue" ' 3    1  proved \(all cycles\)'
  skid properties no_count 0 '^  left out, .* leaves out: inv_count counts$' $small
  sed 's/n != D;/n != D - 1;/' right_queue.sv > wrong_queue.sv
  skid properties no_count 1 '^  fails   ' ${small/right/wrong}
}

# ---- without a map ----
says "all" 0 ', 4 of 4 outputs and 4 of 4 registers, 52 of 52 bits, ' "$mrpb" cosim skid -m skid --cycles 100
says "a matrix" 0 ', 6 of 6 outputs and 6 of 6 registers, 63 of 63 bits, ' "$mrpb" cosim --matrix <(echo fifo_bank QUEUES=2 DEPTH=2 DATA_W=8 cycles=100)
says "every state" 0 '^  in each transition, 6 of 6 outputs and 6 of 6 registers, 19 of 19 bits$' \
  "$mrpb" explore fifo_bank --set QUEUES=2 --set DEPTH=1 --set DATA_W=1
says "a proof" 0 '^proved skid .*, 4 of 4 outputs and 4 of 4 registers, 52 of 52 bits: ' "$mrpb" prove skid -m skid
says "no cycle" 2 'cycles' "$mrpb" cosim skid -m skid --cycles 0
says "a replay of a reset" 0 '^c, verilator +matched 1 cycles, 0 of 4 outputs and 4 of 4 registers' "$mrpb" cosim -m skid --replay one_cycle.vec
says "the same by Icarus" 2 '^mrpb cosim: skid: nothing was compared: 0 of 4 outputs' "$mrpb" cosim -m skid --replay one_cycle.vec --with c,icarus
says "a wave with one output" 0 '^matched 4 cycles .*, 1 of 4 outputs and 0 of 4 registers, 1 of 52 bits, 100.0 % of the outputs' \
  "$mrpb" cosim skid -m skid --vcd-in one.vcd
holds "outputs that it lacks" '^  left out    outputs push_ready_o, pop_data_o, count_o$'
says "a wave of inputs" 2 'inputs.vcd: skid: nothing was compared: 0 of 4 outputs' "$mrpb" cosim skid -m skid --vcd-in inputs.vcd
says "which drive our Verilog" 0 '^c, verilator +matched 4 cycles, 4 of 4 outputs and 4 of 4 registers' \
  "$mrpb" cosim skid -m skid --vcd-in inputs.vcd --with c,verilator

# ---- inside a machine ----
cd "$root" || exit 1
table=tests/verilog/design/plain_table
sed -E '/^(out|late|when) /d' $table.map > "$work/nothing.map"
echo "none req_ready_o req_merge_o req_refuse_o req_entry_o fill_err_o out_valid_o out_data_o out_entry_o out_last_o count_o" >> "$work/nothing.map"
says "run, no output" 2 'nothing is compared: the map leaves out all 14 outputs of mshr' \
  "$mrpb" run -c configs/base-s.conf --cut 64 --impl mshr=both -f $table.f --map "$work/nothing.map" --lint off
says "run" 0 '^  lockstep        mshr ENTRIES=.*, 10 of 14 outputs and 11 of 14 registers, [0-9]+ of [0-9]+ bits; [0-9]+ of [0-9]+ bins reached$' \
  "$mrpb" run -c configs/base-s.conf --cut 64 --impl mshr=both -f $table.f --map $table.map --lint off
says "micro, no output" 2 'nothing is compared: the map leaves out all 14 outputs of mshr' \
  "$mrpb" micro saturation -c configs/m2070.conf --impl mshr=both --map "$work/nothing.map" -f $table.f --lint off
cd "$work" || exit 1

# ---- what tools write and guard: docs/verify/waves.md ----
sed 's/ifndef VERILATOR/ifndef SYNTHESIS/' guard.sv > other.sv
sed 's/^`ifndef.*//; s/^`endif.*//' guard.sv > bare.sv
if verilator --lint-only -Wno-fatal bare.sv > said 2>&1; then
  echo "skipped: what Verilator 5.006 does not read: $(verilator --version | cut -d' ' -f1,2) reads it"
else
  says "a guarded text" 2 "syntax error.*; the files have another text with .define.VERILATOR$" "$mrpb" cosim skid -m skid guard.sv --map guard.map --lint off
  says "by another name" 2 "; the files have another text with .define.SYNTHESIS$" "$mrpb" cosim skid -m skid other.sv --map guard.map --lint off
  says "no guard" 2 'expecting clocking$' "$mrpb" cosim skid -m skid bare.sv --map guard.map --lint off
fi
says "defined" 0 '^matched 300 cycles' "$mrpb" cosim skid -m skid guard.sv +define+VERILATOR --map guard.map --lint off --cycles 300
# The cycles in which the queue holds something must equal those of the same bench without
# --trace-structs.
for at in "struct_port 45" "deep 40"; do
  name=${at% *}
  verilator --binary --timing --trace --trace-structs -fno-const-bit-op-tree -Wno-fatal -DF="\"$name.vcd\"" --top tb $name.sv \
    "${name}_tb.sv" --Mdir "made_$name" > "$work/said" 2>&1 && "made_$name/Vtb" > "$work/said" 2>&1
  says "$name" 0 '^c, verilator +matched 53 cycles, 3 of 4 outputs' \
    "$mrpb" cosim skid -m skid --vcd-in $name.vcd $name.sv --map $name.map --lint off
  holds "$name: its stimulus" "looked at only where pop_valid_o \(${at#* } cycles\)$"
done

# ---- the wave of a mapped design: yours beside ours, and diff_any where something differs ----
# pair OURS YOURS: the times at which the two differ, and at which diff_any is 1
pair() {
  awk -v ours=".skid.$2" -v yours=".skid.yours.$3" '
    function look() { if (seen++) { other += value[id[ours]] != value[id[yours]]; any += value[id[".skid.diff_any"]] == "1" } }
    $1 == "$scope" { path = path "." $3 }
    $1 == "$upscope" { sub(/\.[^.]*$/, "", path) }
    $1 == "$var" { id[path "." $5] = $4 }
    /^#/ { look() }
    /^[01x]/ { value[substr($1, 2)] = substr($1, 1, 1) }
    /^b/ { value[$2] = $1 }
    END { look(); print (id[ours] && id[yours] ? other : "none"), any + 0 }' "$1"
}
export -f pair
for at in "push_valid_i push_v" "push_data_i push_d" "push_ready_o push_ready" "pop_valid_o pop_v" "count_q n" "ref_head_q h"; do
  # shellcheck disable=SC2086
  says "wave, $at" 0 '^0 0$' bash -c 'pair "$@"' - right.vcd $at
done
says "a register that no line names has one side" 1 '^0$' grep -cE ' (diff_)?(head_q|data_q.0.) ' right.vcd
says "so has an output that is left out" 1 '^0$' grep -c ' diff_count_o ' right.vcd
says "in the save file, too" 0 '^1$' grep -c '^skid\.yours\.n\[1:0\]$' right.gtkw
says "a shown array has its elements" 0 '^3$' grep -c '^skid\.yours\.m\[[0-2]\]\[1:0\]$' right.gtkw
sed 's/n <= n + /n <= (n == 2) + n + /' right_queue.sv > wrong_queue.sv
# shellcheck disable=SC2086
skid cosim with_register 1 '^MISMATCH skid, cycle' ${small/right/wrong} --cycles 300 --no-shrink --vcd wrong.vcd
says "diff_any where it differs" 0 '^0 [1-9]' bash -c 'pair "$@"' - wrong.vcd count_q n

echo "verdict: $passed passed, $failed failed"
[ $failed = 0 ]

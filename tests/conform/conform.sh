#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mrpb conform: correct tables conform, planted bugs are found, wrong input gives one line, exit 2.
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
tables=tests/conform/tables
list() { # list NAME FILE...: a file list
  printf '%s\n' "${@:2}" > "$work/$1.f"
}
list mshr rtl/mshr.v rtl/one_hot_encoder.v rtl/priority_encoder.v
list prt rtl/prt.v rtl/one_hot_encoder.v rtl/priority_encoder.v
for table in miss_chain.sv replay_list.v set_miss.sv; do list "${table%.*}" "$tables/$table"; done
list bad "$work/bad.sv"

check() { # check WHAT COMMAND...
  if "${@:2}"; then passed=$((passed + 1)); else
    echo "conform: $1"
    sed 's/^/  | /' "$work/said" | tail -n 5
    failed=$((failed + 1))
  fi
}
said() { # said RC PATTERN ARGS...: exit code and a line of the output
  timeout 60 "$mrpb" conform "${@:3}" --cases "$work/cases" > "$work/said" 2>&1
  [ $? = "$1" ] && grep -q -- "$2" "$work/said"
}
refused() { # refused PATTERN ARGS...: exit 2, one line
  said 2 "$@" && [ "$(wc -l < "$work/said")" = 1 ]
}
mapped() { # mapped PATTERN LINE: a map with this additional line is refused
  { cat $tables/set_miss.map; printf '%s\n' "$2"; } > "$work/x.map"
  refused "$1" --map "$work/x.map" -f "$work/set_miss.f" --lint off
}

for size in "8 4" "1 1" "5 3"; do
  set -- $size
  check "mshr of $size conforms" said 0 '^conforms for 100000 cycles' --map docs/conform/maps/mshr.map -f "$work/mshr.f" --cycles 100000 --set ENTRIES=$1 --set MERGES=$2
done
for entries in 8 3; do
  check "prt of $entries conforms" said 0 '^conforms.*not promised: one-entry' --map docs/conform/maps/prt.map -f "$work/prt.f" --cycles 100000 --set ENTRIES=$entries
done
for table in miss_chain.sv replay_list.v set_miss.sv; do
  check "$table conforms" said 0 '^conforms for 300000 cycles' --map $tables/${table%.*}.map -f "$work/${table%.*}.f" --lint off --cycles 300000 --seed 5
done
check "the map of $tables is too long" test "$(cat $tables/*.map | wc -l)" -le 180

# What a verdict says about its reach. wake_list does not say whether a read merges: reads of an
# arriving line are offered all the same, and are answered at once or request the line anew.
list wake_list $tables/wake_list.sv
wake() { said "$1" "$2" --map "$work/wake.map" -f "$work/wake_list.f" --lint off --no-shrink --cycles 100000; }
cp $tables/wake_list.map "$work/wake.map"
check "a read that is answered in its own cycle" wake 0 '^conforms'
check "reads of an arriving line" grep -q 'of a line that arrives in that cycle [1-9][0-9]*, [1-9]' "$work/said"
check "stalls that are not offered" grep -q 'not offered .* nothing takes answer_ready_i ([1-9]' "$work/said"
check "an output that is none" grep -q "^  assuming    line 23: answer_tag_o is always 8'b11100100" "$work/said"
check "nothing else is assumed" test "$(grep -c '^  assuming' "$work/said")" = 1
{ sed 's/^in rd_v = .*/& \& ~fill_valid_i # no read as a line arrives/; s/= rd_ok/& \& ~fill_valid_i/' $tables/wake_list.map; echo 'hold read'; } > "$work/wake.map"
check "a gate in a map" wake 0 '^  assuming    line 13: rd_v is read_valid_i & ~fill_valid_i (no read as a line arrives)$'
check "a gate in what it says" grep -q '^  assuming    line 19: read_ready_o is rd_ok & ~fill_valid_i' "$work/said"
check "a read that is held" grep -q '^  assuming    a read that was refused stays as it is' "$work/said"
check "what is held is counted" grep -q 'not offered another read, or none, after one that was refused: hold read ([1-9]' "$work/said"
sed '/^out read_merge_o/d; /^out line_addr_o/d; s/^none /&read_merge_o line_addr_o /' $tables/miss_chain.map > "$work/blind.map"
check "a map that is blind" said 0 'not offered a read of a line that has arrived: .* ([1-9]' --map "$work/blind.map" -f "$work/miss_chain.f" --cycles 50000
sed 's/rsp_line = fill_addr_i/rsp_line = fill_ticket_i/; s/ADDR_W$/TICKET_W/' $tables/wake_list.map > "$work/wake.map"
check "a number that nobody gives" wake 2 "fill_ticket_i is taken, but nothing gives an entry's number"
bugs() { tests/conform/bugs.sh "$@" > "$work/said"; }
check "planted bugs" bugs chain-late-merge replay-twice replay-fill-dropped set-reset set-starved wake-joins wake-refused set-leak-4096 set-waits-4096

# Proof: mshr at the smallest size, for every run (every situation is reached); planted bugs are
# refuted in their clause.
one="--set ENTRIES=1 --set MERGES=2 --set ADDR_W=1 --set TAG_W=2 --set TICKET_W=1"
check "mshr is proved" said 0 'proved (all cycles)' --prove --depth 8 --map docs/conform/maps/mshr.map -f "$work/mshr.f" $one
sed "s/tgt_q\[wb_i\*TGT+out_q\[wb_i\]\]/tgt_q[wb_i*TGT+cnt_q[wb_i]-1-out_q[wb_i]]/" $tables/set_miss.sv > "$work/bad.sv"
check "a wrong order is refuted" said 1 '^  fails   order, in cycle' --prove --depth 8 --map $tables/set_miss.map -f "$work/bad.f" --lint off $one --set SETS=1
check "no time for an invariant" said 0 'no invariant was found within 3 s' --prove --depth 8 --timeout 3 --map $tables/set_miss.map -f "$work/set_miss.f" --lint off --set ENTRIES=2 --set MERGES=2 --set ADDR_W=2 --set TAG_W=3 --set SETS=1
proofs() { tests/conform/proofs.sh "$@" > "$work/said"; }
check "a proof with two sets, a bug that takes two entries" proofs set-twice
check "a proof too short to reach anything" said 3 'not reached in 4 cycles' --prove --depth 4 --map docs/conform/maps/mshr.map -f "$work/mshr.f" $one
check "a proof of a case" refused 'has no case' --prove --vcd x --map $tables/set_miss.map -f "$work/set_miss.f"

# A violation: the screen, the case, its wave.
sed 's/if (wb_q && wb_ready) begin/if (wb_q) begin/' $tables/set_miss.sv > "$work/bad.sv"
check "the screen" said 1 '^VIOLATED set_miss, clause 12 (held)' --map $tables/set_miss.map -f "$work/bad.f" --lint off --vcd "$work/bad.vcd"
check "more than a screen" test "$(wc -l < "$work/said")" -le 30
check "the designer's names" grep -q 'wb_valid = 0x' "$work/said"
check "the wave" test -s "$work/bad.vcd" -a -s "$work/bad.gtkw"
kept=$(sed -n 's/^  kept  *//p' "$work/said")
check "the case again" said 1 'clause 12' --map $tables/set_miss.map -f "$work/bad.f" --lint off --replay "$kept"
check "the case on the correct table" said 0 '^conforms' --map $tables/set_miss.map -f "$work/set_miss.f" --lint off --replay "$kept"
check "a clause switched off" said 1 'not promised: held' --map $tables/set_miss.map -f "$work/bad.f" --lint off --off held
check "the list of clauses" said 0 '^16 checks' --clauses
check "the list of ports" said 0 '^. `fill_ticket_i` . in . ' --ports
sed '$d' "$kept" > "$work/short.case"
check "a case that is cut off" refused 'ends after' --map $tables/set_miss.map -f "$work/set_miss.f" --lint off --replay "$work/short.case"
sed '$s/.*/zz 1 2/' "$kept" > "$work/zz.case"
check "a case with letters" refused 'value 1 of the line' --map $tables/set_miss.map -f "$work/set_miss.f" --lint off --replay "$work/zz.case"

# The second simulator: the bench of a case finds the same outputs.
"$mrpb" conform --map $tables/set_miss.map -f "$work/bad.f" --lint off --replay "$kept" --bench "$work/bench.sv" > "$work/said" 2>&1
icarus() { iverilog -g2012 -o "$work/bench" "$work/bench.sv" > "$work/said" 2>&1 && vvp -n "$work/bench" > "$work/said" 2>&1 && grep -q '^same in [1-9]' "$work/said"; }
check "Icarus sees the case as Verilator does" icarus

# Wrong input.
check "no map" refused 'no map' -f "$work/set_miss.f"
check "no design" refused 'no file' --map $tables/set_miss.map
list none "$work/none.sv"
check "no such file" refused 'none.f:1: .*none.sv' --map $tables/set_miss.map -f "$work/none.f"
check "no such list" refused 'nolist.f' --map $tables/set_miss.map -f "$work/nolist.f"
check "no such map" refused 'none.map' --map "$work/none.map" -f "$work/set_miss.f"
check "no such clause" refused 'no such clause' --map $tables/set_miss.map -f "$work/set_miss.f" --off hold
check "no such size" refused 'no such size' --map $tables/set_miss.map -f "$work/set_miss.f" --set ENTRIE=3
check "a size that is none" refused 'legal: NAME=NUMBER' --map $tables/set_miss.map -f "$work/set_miss.f" --set ENTRIES=x
check "sets that do not divide" refused 'SETS divides ENTRIES' --map $tables/set_miss.map -f "$work/set_miss.f" --set ENTRIES=5
check "no such module" refused "nearest: set_miss" --map $tables/set_miss.map -f "$work/set_miss.f" --top set_mis
check "no such level of lint" refused 'legal: off, warn, error' --map $tables/set_miss.map -f "$work/set_miss.f" --lint no
check "a map of another module" refused 'is module mshr' --map <(sed 's/^module .*/module mshr/' $tables/set_miss.map) -f "$work/set_miss.f"
check "an unknown statement" mapped "unknown statement 'ins'" 'ins a = b'
check "an unknown output" mapped 'nearest: read_ready_o' 'out read_redy_o = x'
check "an input twice" mapped 'a second time' 'in wb_ready = 1'
check "a port that is not there" mapped 'nearest: wb_ready' 'in wb_redy = 1'
check "an output of theirs that is not there" mapped 'wb_bsy' 'state x = wb_bsy'
check "a state that is too narrow" mapped 'too few for 4' 'state x[2:0] = {4{wb_valid}}'
check "a state with a name of ours" mapped 'is a name already' 'state busy_o = wb_valid'
check "states of more bits than there are" mapped 'legal: 16 states' 'state x[64:0] = wb_valid'
check "a size that the contract has not" mapped 'nearest: ENTRIES' 'size ENTRIS = 4'
check "a clause that the contract has not" mapped "'helt' is not a clause" 'off helt'
check "hold of something else" mapped 'legal: hold read' 'hold fill'
check "a register" mapped 'legal: in a map of a module' 'reg x = y'
check "code in a map" mapped 'behind the statement' 'state x = 1; initial $finish'
check "a bracket too few" mapped 'legal: state' 'state x = (1'
check "a second top" mapped "a second 'top'" 'top other'
check "a reset of another kind" mapped "a second 'reset'" 'reset r high sync'
check "a map of more than 60 lines" mapped 'at most 60' "$(seq -f 'state x%g = wb_valid' 70)"
head -c 3000 /dev/urandom > "$work/noise.map"
check "noise for a map" refused 'noise.map' --map "$work/noise.map" -f "$work/set_miss.f"
grep -v '^out read_ready_o' $tables/set_miss.map > "$work/half.map"
check "a map without an output" refused 'nothing gives our output read_ready_o' --map "$work/half.map" -f "$work/set_miss.f" --lint off
echo 'none read_ready_o' >> "$work/half.map"
check "a design that accepts nothing" refused 'which the contract needs' --map "$work/half.map" -f "$work/set_miss.f" --lint off
sed 's/read_addr_i/8'"'"'d0/' $tables/set_miss.map > "$work/deaf.map"
check "a design that hears no line" refused 'nothing takes read_addr_i' --map "$work/deaf.map" -f "$work/set_miss.f" --lint off
check "a map of the contract for a module" test "$("$mrpb" cosim mshr --map $tables/set_miss.map -f "$work/set_miss.f" 2>&1 | grep -c 'is module conform')" = 1
printf -- '-v x\n' > "$work/list.f"
check "an option in a file list" refused 'list.f:1' --map $tables/set_miss.map -f "$work/list.f"

# Files that are not modules, or that hang.
hostile() { # hostile WHAT RC PATTERN SED [OPTION...]
  sed "$4" $tables/set_miss.sv > "$work/hostile.sv"
  list hostile "$work/hostile.sv"
  check "$1" said "$2" "$3" --map $tables/set_miss.map -f "$work/hostile.f" --cycles 20000 "${@:5}"
  [ "$2" != 2 ] || check "$1: one line" test "$(grep -c '^mrpb conform: ' "$work/said") $(grep -vcE '^(Verilator|Icarus|Yosys|mrpb conform): ' "$work/said")" = "1 0"
}
at='s/^  localparam N = /  '
hostile "no Verilog" 2 'syntax error' 's/;/,/'
hostile "a latch" 2 'Latch' "$at"'logic la; always @* if (lookup_en) la = fetch_ready;\n&/; s/assign pending = /&la | /'
hostile "a loop" 2 'Circular' "$at"'wire lo; assign lo = ~lo \& lookup_en;\n&/; s/assign pending = /&lo | /'
hostile "no clock" 2 'clk' '/input  logic          clk,/d; s/posedge clk/posedge srst/'
hostile "an inout" 2 'inout' 's/output logic          pending/inout wire pending/'
hostile "a million ports" 2 'more than' "s/^    input  logic          srst,/&$(printf 'input p%d, ' $(seq 5000))/"
hostile "a huge memory" 2 '' "$at"'reg [1023:0] m [0:268435455]; always @(posedge clk) m[lookup_line] <= 1;\n&/; s/assign pending = /\&m[lookup_line] | /'
hostile "an initial block without end" 2 'nfinite loop' "$at"'initial while (1) $display("x");\n&/'
hostile "another one" 2 'does not finish its first cycles' "$at"'reg r; initial begin r = 1; while (r) $display("x"); end\n&/'
hostile "an end in the first cycles" 2 'ends the simulation' "$at"'initial $finish;\n&/'
hostile "an end later" 1 'clause 16 (checks)' "$at"'always @(posedge clk) if (wb_q) $finish;\n&/'
hostile "no end later" 4 'did not return' "$at"'reg r; always @(posedge clk) if (wb_q) begin r = 1; while (r) begin r = wb_q; $fflush; end end\n&/' --hang 2

# A value narrower than its port is extended with zeros, also after an inversion; states of more
# than one bit, and parts of them.
sed 's/^    input  logic          srst,/&\n    input logic [7:0] wide, input logic [1:0] again,/; s/^  localparam N = /  always @(posedge clk) if (!srst \&\& (wide > 1 || again > 1)) $stop;\n&/' $tables/set_miss.sv > "$work/wide.sv"
{ cat $tables/set_miss.map; printf '%s\n' 'state last[3:0] = {read_valid_i, 3'"'d0}" 'in wide = ~read_valid_i' 'in again = last[3:2] >> 1'; } > "$work/wide.map"
list wide "$work/wide.sv"
check "zeros above" said 0 '^conforms' --map "$work/wide.map" -f "$work/wide.f" --cycles 20000 --lint off
echo "conform: $passed passed, $failed failed"
[ "$failed" = 0 ]

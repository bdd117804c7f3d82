#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilog from elsewhere (docs/verify/door.md): correct designs match; errors in maps, lists and
# modules give one line and exit 2.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
table=tests/verilog/design/plain_table
size="--set ENTRIES=2 --set MERGES=2 --set ADDR_W=4 --set DATA_W=4"

check() { # check WHAT COMMAND...
  if "${@:2}"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $code: $(head -c 500 "$work/said")"
  fi
}
cosim() { # cosim ARGS...: exit code in $code, output in the file
  # shellcheck disable=SC2086
  timeout 120 build/mrpb cosim mshr $size --cycles 1000 "$@" > "$work/said" 2>&1
  code=$?
}
says() { # says RC PATTERN ARGS...
  cosim "${@:3}"
  [ "$code" = "$1" ] && grep -qE -- "$2" "$work/said"
}
refused() { # refused PATTERN ARGS...: exit 2, and only the last line begins with the command's name
  says 2 "^mrpb cosim: .*($1)" "${@:2}" && [ "$(grep -c '^mrpb cosim: ' "$work/said")" = 1 ] && [ "$(wc -c < "$work/said")" -lt 1200 ]
}
map() { # map PATTERN SED_COMMAND: changes the table's map
  sed "$2" $table.map > "$work/x.map"
  refused "x.map:[0-9]+: $1" -f $table.f --map "$work/x.map" --lint off
}
extra() { # extra PATTERN LINE: adds this line to the map
  { cat $table.map; printf '%s\n' "$2"; } > "$work/x.map"
  refused "$1" -f $table.f --map "$work/x.map" --lint off
}

# A file that never ends, also as an `include: the command gives up after 20 s.
mkfifo "$work/never.vh"
printf '`include "%s"\n' "$work/never.vh" > "$work/never.sv"
echo "$work/never.sv" > "$work/never.f"
{
  timeout 60 build/mrpb cosim mshr -f "$work/never.f" --map $table.map > "$work/never.said" 2>&1
  echo $? > "$work/never.code"
} &

# ---- what matches ----
matched='^matched 1000 cycles, mshr .* 10 of 14 outputs and 11 of 14 registers'
check "the plain table" says 0 "$matched" -f $table.f --map $table.map
check "registers left out" says 0 '^matched .* 10 of 14 outputs and 0 of 14 registers' -f $table.f --map $table.map --outputs-only
sed 's/$/\r/' $table.map > "$work/crlf.map"
check "lines that end as elsewhere" says 0 "$matched" -f $table.f --map "$work/crlf.map"
check "structs" says 0 '^matched 1000 cycles' --set ADDR_W=25 --set DATA_W=16 -f tests/verilog/design/miss_table.f --map tests/verilog/design/miss_table.map
slots=tests/verilog/design/slot_table
for at in "ENTRIES=2 --set MERGES=2" "ENTRIES=3 --set MERGES=3" "ENTRIES=5 --set MERGES=2" "ENTRIES=8 --set MERGES=4"; do
  # shellcheck disable=SC2086
  check "two cycles late, registers in instances, $at" says 0 '^matched 1000 cycles, mshr .* 10 of 14 outputs and 8 of 14 registers' --set $at -f $slots.f --map $slots.map
done
check "a file on the command line" says 0 "$matched" $table.sv --map $table.map
printf '`ifdef GOOD\n`include "%s"\n`endif\n' plain_table.sv > "$work/good.sv"
check "with a definition and a folder" says 0 "$matched" "$work/good.sv" +define+GOOD=1 +incdir+tests/verilog/design --map $table.map
echo "+define+GOOD" > "$work/good.f"
check "after a list" says 0 "$matched" "$work/good.sv" -f "$work/good.f" +incdir+tests/verilog/design --map $table.map
check "without the definition" refused 'plain_table' "$work/good.sv" +incdir+tests/verilog/design --map $table.map
check "a file that is not there" refused 'nowhere.sv: No such file' nowhere.sv --map $table.map
check "no file at all" refused 'no file; legal: -f LIST' +define+A --map $table.map
check "another plus" refused "'.plusargs'; legal: files, .incdir.DIR, .define" +plusargs --map $table.map
check "a module beside it" refused 'which module is yours' mshr.v
sed '/^reg    valid_q/s/!//' $slots.map > "$work/x.map"
check "without its !" says 1 'yours .*u_tags.state\[' -f $slots.f --map "$work/x.map"
sed 's/^late   2/late   1/' $slots.map > "$work/x.map"
check "a cycle later than the map says" says 1 '^MISMATCH' -f $slots.f --map "$work/x.map"
sed 's/^param  DEPTH.*/&\nparam DATA_W = DATA_W + 1/' $slots.map > "$work/x.map"
check "another size than ours of that name" says 2 "x.map:[0-9]+: 'out_data_o' has 4 bits, what comes has 5|rd_who_line" -f $slots.f --map "$work/x.map"

# ---- what a map assumes about the surroundings ----
sed 's/if (fill && known) filled/if (fill \&\& known \&\& !read_valid) filled/' $table.sv > "$work/shy.sv"
{ cat $table.map; echo 'assume !(req_valid_i && fill_valid_i)'; } > "$work/shy.map"
check "a fill beside a read is lost" says 1 '^MISMATCH' "$work/shy.sv" --map $table.map
check "where neither comes beside the other" says 0 'assuming    always: !\(req_valid_i && fill_valid_i\)$' "$work/shy.sv" --map "$work/shy.map"
# shellcheck disable=SC2086
build/mrpb cosim mshr $size --cycles 1000 --record "$work/any.vec" > "$work/said" 2>&1
watched() { # watched COMMAND...: ends in the first cycle that breaks the line
  timeout 120 "$@" > "$work/said" 2>&1
  code=$?
  [ "$code" = 1 ] && grep -qE '\$stop at shy.map:[0-9]+: the environment breaks: assume !\(req_valid_i && fill_valid_i\)$' "$work/said"
}
check "a replay that breaks it" watched build/mrpb cosim --replay "$work/any.vec" $table.sv --map "$work/shy.map"
{ cat tests/verilog/design/miss_table.map; echo 'assume !(req_valid_i && fill_valid_i)'; } > "$work/shy.map"
check "an SM that breaks it" watched build/mrpb run -c configs/base-s-mrpb.conf --cut 64 --impl mshr=both \
  -f tests/verilog/design/miss_table.f --map "$work/shy.map"
sed 's/^module mshr\b/module mine/' rtl/mshr.v > "$work/mine.v"
printf '%s\n' 'module mshr' 'top mine' 'assume !(req_valid_i && fill_valid_i)' > "$work/shy.map"
check "which hears it alone" watched build/mrpb run -c configs/base-s-mrpb.conf --cut 64 --impl mshr=rtl \
  "$work/mine.v" rtl/one_hot_encoder.v rtl/priority_encoder.v --map "$work/shy.map"
check "an output of ours" extra "'req_ready_o' is no input of mshr" 'assume req_ready_o'
check "no expression" extra "legal: assume EXPR" 'assume'

# ---- maps ----
check "a name that is not there" map "'reed' is no input of plain_table; nearest: read" 's/^in     read /in reed /'
check "one of ours that is not there" map "'out_redy_i'.*nearest: out_ready_i" 's/out_ready_i/out_redy_i/'
check "an output of ours that is not there" map "'req_merg_o'.*nearest: req_merge_o" 's/^out    req_merge_o/out req_merg_o/'
check "too wide" map '.*has 1 bits, too few for 4; legal: a part' 's/^in     fill = .*/in fill = req_data_i/'
check "too narrow" map '.*has 2 bits, what comes has 1; legal: as many' 's/^out    req_refuse_o = .*/out req_refuse_o = answer[0]/'
check "given twice" extra "x.map:[0-9]+: .*(twice|second time|after line)" 'in fill = fill_valid_i'
check "an output given twice" extra "x.map:[0-9]+: .*(twice|second time|after line)" 'out count_o = used'
check "an input without a line" refused "wake_stall.* gets nothing" -f $table.f --map <(grep -v wake_stall $table.map) --lint off
check "an output without a line" refused "nothing gives our output fill_err_o" -f $table.f --map <(sed 's/^late .*/late 1 out_valid_o/; /^out    fill_err_o/d' $table.map) --lint off
check "an input of ours that reaches nothing" refused "nothing takes our input out_ready_i of 1 bits; legal: .*none out_ready_i" -f $table.f --map <(sed "s/^in     wake_stall = .*/in wake_stall = 1'b0/" $table.map) --lint off
check "which is said" says 1 '^MISMATCH' -f $table.f --map <(sed "s/^in     wake_stall = .*/in wake_stall = 1'b0/" $table.map; echo none out_ready_i) --lint off
check "said of one that does" extra "'none out_ready_i', but the design takes it" 'none out_ready_i'
check "no =" map '= is missing; legal: in THEIRS = EXPR' 's/^in     fill = /in fill /'
check "an unknown statement" extra "x.map:[0-9]+: unknown statement 'ouput'; nearest: out; legal" 'ouput count_o = used'
check "a division by 0" map 'a division by 0' 's/^param  READS = .*/param READS = MERGES \/ 0/'
check "a million copies" map '.*legal: 1 to 4096 bits' 's/^in     fill = .*/in fill = {1000000000{fill_valid_i}}/'
check "0 cycles late" map '0 cycles; legal: late N OURS' 's/^late   1/late 0/'
check "17 cycles late" map '17 cycles; legal: late N OURS' 's/^late   1/late 17/'
check "2^32 + 1 cycles late" map '4294967297 cycles; legal: late N OURS..., N from 1 to 16' 's/^late   1/late 4294967297/'
check "a port divided by 0" map 'a division by 0' 's/= fill_valid_i/= fill_valid_i \/ (MERGES - 2)/'
check "a number of 67 bits" map "'99999999999999999999'; legal here: a number of at most 64 bits" 's/= fill_valid_i/= 99999999999999999999/'
check "a condition of nothing" map ".*nearest: req_ready_o" 's/^when   req_ready_o/when req_readi_o/'
check "a register of another shape" map '.*is an array; legal: an element' 's/^reg    valid_q = .*/reg valid_q = addr/'
check "a register that is not there" map ".*nearest: busy" 's/= busy/= bussy/'
check "an element that is not there" map "'len_q' has no element or bit 5; legal: 0 to 1" 's/^reg    len_q\[i\] = .*/reg len_q[5] = reads[0]/'
check "theirs that is not there" map '.*has no element or bit 2; legal: 0 to 1' 's/^reg    len_q\[i\] = .*/reg len_q[i] = reads[i + 2]/'
check "a clock that is not there" map ".*nearest: clk" 's/^clock  clk/clock clc/'
check "a reset of neither kind" map '.*legal: reset THEIRS high.low sync.async' 's/high async/tall async/'
check "a parameter that is not there" refused "'LINE' is no parameter of plain_table; nearest: LINES" -f $table.f --map <(sed 's/^param  LINES/param LINE/' $table.map) --lint off
check "a module that is not there" refused "no module 'plane_table' in the files; nearest: plain_table" -f $table.f --map <(sed 's/^top .*/top plane_table/' $table.map)
check "another module of ours" refused 'is module prt of ours; this is mshr' -f $table.f --map <(cat $table.map; echo module prt)
check "an empty map" refused '--top NAME' -f $table.f --map /dev/null
check "no such map" refused 'none.map' -f $table.f --map "$work/none.map"
check "a folder for a map" refused '/tmp: .*(folder|directory)' -f $table.f --map /tmp
head -c 20000 /dev/urandom > "$work/noise"
check "noise for a map" refused 'noise' -f $table.f --map "$work/noise"
head -c 1000000 /dev/zero | tr '\0' 'a' > "$work/long.map"
check "a line without end" refused 'long.map:1' -f $table.f --map "$work/long.map"
{ printf 'in fill = '; head -c 100000 /dev/zero | tr '\0' '('; } > "$work/deep.map"
check "parentheses without end" refused 'deep.map:1' -f $table.f --map "$work/deep.map"
yes 'in fill = fill_valid_i' | head -100000 > "$work/many.map"
check "lines without end" refused 'many.map' -f $table.f --map "$work/many.map"

# ---- in the GPU ----
gpu() { # gpu PATTERN ARGS...
  timeout 60 build/mrpb run -c configs/base-s-mrpb.conf --cut 64 "${@:2}" --map "$work/unit.map" -f tests/verilog/design/miss_table.f > "$work/said" 2>&1
  code=$?
  [ "$code" = 2 ] && grep -qE -- "^mrpb run: .*($1)" "$work/said"
}
cp tests/verilog/design/miss_table.map "$work/unit.map"
check "alone in an SM, and late" gpu 'comes later, so it cannot stand in the SM alone; legal: --impl mshr=both' --impl mshr=rtl
check "which unit is it" gpu '2 units are Verilog, and the map does not say which one is yours' --impl mshr=both,mrpb=both
echo 'module mshr' >> "$work/unit.map"
check "in whose place nothing stands" gpu 'the map is of module mshr, in whose place no Verilog stands' --impl mrpb=both
sed -i 's/^module mshr/module fifo_bank/' "$work/unit.map"
check "that is no unit" gpu 'the map is of module fifo_bank' --impl mshr=both

# ---- lists ----
list() { printf '%b\n' "$1" > "$work/x.f"; }
check "no list" refused 'no file; legal: -f LIST' --top plain_table
check "no such list" refused 'none.f' -f "$work/none.f" --map $table.map
check "a folder for a list" refused '/tmp: .*(folder|directory)' -f /tmp --map $table.map
list "-f $work/x.f"
check "a list in itself" refused 'x.f' -f "$work/x.f" --map $table.map
list '-y libs'
check "an option that is none" refused "x.f:1: .*'?-y" -f "$work/x.f" --map $table.map
list '+define+'
check "a definition of nothing" refused 'x.f:1' -f "$work/x.f" --map $table.map
list "+define+=1 $table.sv"
check "a value for nothing" refused 'x.f:1: .*a name is missing' -f "$work/x.f" --map $table.map
list "-D =1 $table.sv"
check "the same, as -D" refused 'x.f:1: .*a name is missing' -f "$work/x.f" --map $table.map
list "$work/none.sv"
check "no such file" refused 'x.f:1: .*none.sv' -f "$work/x.f" --map $table.map
list /tmp
check "a folder for a file" refused 'x.f:1' -f "$work/x.f" --map $table.map
list "$work/noise"
check "noise for a file" refused 'noise:[0-9]+:[0-9]+: ' -f "$work/x.f" --map $table.map
check "noise for a list" refused 'noise:1' -f "$work/noise" --map $table.map
list ''
check "an empty list" refused 'no file' -f "$work/x.f" --map $table.map
mkfifo "$work/pipe"
check "a pipe that nobody fills" refused 'pipe' -f "$work/pipe" --map $table.map
list "$work/pipe"
check "the same in a list" refused 'pipe' -f "$work/x.f" --map $table.map
check "the same for a map" refused 'pipe' -f $table.f --map "$work/pipe"

# ---- elsewhere ----
other() { # other PATTERN COMMAND...
  timeout 120 build/mrpb "${@:2}" > "$work/said" 2>&1
  code=$?
  [ "$code" = 2 ] && grep -qE -- "$1" "$work/said" && [ "$(wc -l < "$work/said")" = 1 ]
}
check "a list of modules to prove" other 'are for one module; legal: MODULE without --list' prove --list tests/verify/prove/all.txt $table.sv --map $table.map
check "several modules" other 'are for one module' cosim mshr prt $table.sv --map $table.map
check "all modules" other 'are for one module' cosim all $table.sv --map $table.map
check "properties of none" other 'is one module; legal: MODULE' properties $table.sv --map $table.map
check "a map for explore" other "unknown option '--map'" explore mshr --map $table.map
check "a file for explore" other "unknown module '.*plain_table.sv'" explore $table.sv
check "a map without a file for estimate" other 'no file; legal: -f LIST' estimate mshr --map $table.map
check "a file without a map for estimate" other 'legal: --top NAME' estimate $table.sv

# ---- modules ----
list "$work/x.sv"
module() { # module PATTERN SED_COMMAND: changes the table
  sed "$2" $table.sv > "$work/x.sv"
  cmp -s $table.sv "$work/x.sv" && return 1
  refused "$1" -f "$work/x.f" --map $table.map
}
inside() { # inside PATTERN TEXT: adds this text before its end
  sed '$d' $table.sv > "$work/x.sv"
  printf '%b\nendmodule\n' "$2" >> "$work/x.sv"
  refused "$1" -f "$work/x.f" --map $table.map
}
check "a syntax error" inside 'x.sv:[0-9]+.*syntax error' 'wire = 1;'
check "a loop" inside 'x.sv:142:.*Circular' 'wire l1, l2; assign l1 = !l2 & fill; assign l2 = l1; always @(posedge clk) if (l1) $display("x");'
check "a latch" inside 'x.sv:142.*[Ll]atch' 'reg l; always @* if (fill) l = fill_line[0]; always @(posedge clk) if (l) $display("x");'
check "a register on the falling edge" inside 'x.sv:[1-9][0-9]*: l is a register on the falling edge' 'reg l; always @(negedge clk) l <= fill; always @(posedge clk) if (l) $display("x");'
check "on a clock that is inverted" inside 'x.sv:[1-9][0-9]*: l is a register on the falling edge' 'reg l; wire n = ~clk; always @(posedge n) l <= fill; always @(posedge clk) if (l) $display("x");'
check "a latch that is meant" inside 'x.sv:[1-9][0-9]*: l is a latch' 'reg l; always_latch if (fill) l = fill_line[0]; always @(posedge clk) if (l) $display("x");'
check "two drivers" inside 'x.sv:.*(two|multiple|driven|driver)' 'assign used = 0;'
check "no port for the clock" module "'clk' is no input of plain_table" 's/input  logic                        clk,//; s/posedge clk/posedge fill/'
edge() { # edge EXIT PATTERN SED_COMMAND: a table clocked by another edge
  sed "$3" $table.sv > "$work/x.sv"
  says "$1" "$2" -f "$work/x.f" --map $table.map
}
# An input used as the clock is a race, and its registers are never reset.
check "no clock" edge 1 '^  not set +it depends on what the design powered up with' 's/posedge clk/posedge fill/'
check "the other edge" edge 2 'x.sv:[0-9]+: an array is written on the falling edge; legal: the rising edge of the clock' 's/posedge clk/negedge clk/'
check "inout" module "inout" 's/input  logic                        fill,/inout wire fill,/'
check "an array for a port" module 'port fill_line is no vector of bits; legal: packed types' 's/input  logic \[LW-1:0\]               fill_line,/input logic fill_line [0:3],/'
check "a command of the machine" inside 'x.sv:[0-9]+: \$system leaves the simulation' "initial \$system(\"touch $work/HARM\");"
check "a function of the machine" inside 'x.sv:[0-9]+: import "DPI-C" leaves' 'import "DPI-C" function int getpid();'
check "C in it" inside 'x.sv:[0-9]+: \$c leaves' 'initial $c("exit(0);");'
check "a file that is written" inside 'x.sv:[0-9]+: \$fopen leaves the simulation' "integer f = \$fopen(\"$work/HARM\", \"w\");"
check "a wave of its own" inside 'x.sv:[0-9]+: \$dumpfile leaves the simulation' "initial begin \$dumpfile(\"$work/HARM\"); \$dumpvars; end"
check "a memory that is written" inside 'x.sv:[0-9]+: \$writememh leaves the simulation' "reg [3:0] m [0:1]; initial \$writememh(\"$work/HARM\", m);"
check "C with a number" inside 'x.sv:[0-9]+: \$c1 leaves the simulation' 'wire x = $c1("1");'
check "C beside it" inside 'x.sv:[0-9]+: .systemc_imp_header leaves' '`systemc_imp_header\n#include <x>\n`verilog'
check "which did not run" test ! -e "$work/HARM"
check "a memory's file that is not there" inside 'readmem file not found at none.hex' 'reg [7:0] m [0:3]; initial $readmemh("none.hex", m);'
# such words in a string and a comment, and $display in a clocked block, which synthesis ignores
said_only() {
  sed '$d' $table.sv > "$work/x.sv"
  printf '%s\n' 'always @(posedge clk) if (fill) $display("a \" import $system"); // $system' endmodule >> "$work/x.sv"
  says 0 '^matched 1000 cycles' -f "$work/x.f" --map $table.map --lint "$1"
}
check "words that are only said" said_only warn
check "it ends at once" inside 'plain_table.*\$finish' 'initial $finish;'
check "it ends soon" inside '\$finish' 'int n; always @(posedge clk) begin n <= n + 1; if (n == 3) $finish; end'
check "it stops" inside '\$stop|ends' 'initial $stop;'
check "it fails" inside '\$fatal|ends' 'initial $fatal(1, "no");'
check "it does not begin" inside 'x.sv:142:.*Infinite loop' 'initial forever begin end'
check "delays" inside 'x.sv:142:.*Ignoring delay' 'reg d; initial #5 d = 1; always @(posedge clk) if (d) $display("x");'
check "a recursion" inside 'recursive module' 'plain_table again (.clk(clk));'
check "more bits than there are" module 'port answer is no vector of bits' 's/parameter LW = .*/parameter LW = 1 << 20,/'
{ echo 'module plain_table #(parameter LINES = 1, READS = 1, ADDR_W = 1, TAG_W = 1) (input clk, arst'; seq -f ', input p%.0f' 100000; echo '); endmodule'; } > "$work/x.sv"
check "ports without end" refused 'more than 65536 names' -f "$work/x.f" --map $table.map

wait
code=$(cat "$work/never.code") && cp "$work/never.said" "$work/said"
check "a file that never ends" grep -q 'never.sv: the preprocessor does not reach the end of the files within 20 s; legal' "$work/said"
check "its exit" test "$code" = 2

echo "door: $passed passed, $failed failed"
[ "$failed" = 0 ]

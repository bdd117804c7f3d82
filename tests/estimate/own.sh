#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb estimate` of a design of the user's (docs/estimate/own.md): our own modules through the door
# give every digit again; clocks of other names and edges; what is refused.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=$PWD/build/mrpb

. tests/case.sh
. tests/estimate/library.sh
estimate="$mrpb estimate $liberty"

also() { # also NAME PATTERN: the command of the previous case printed this, too
  true_ "$1" grep -qE -- "$2" "$work/out"
}
lacks() { # lacks NAME TEXT: it did not print this
  true_ "$1" [ "$(grep -c -- "$2" "$work/out")" = 0 ]
}

# ---- our own modules through the door ----
# Both rows of the table are of the same Verilog, so all figures must be equal, and the paths too; but
# for the last column of the areas, since only our netlists are proved.
# Only the files that the module needs: Yosys numbers what it reads, and ABC follows the numbers.
files() { # files MODULE: those that its text names, and theirs
  local list=" $1 " more=1 f stem
  while [ "$more" ]; do
    more=
    for f in rtl/*.v; do
      stem=$(basename -s .v "$f")
      # shellcheck disable=SC2086
      [[ $list != *" $stem "* ]] && sed 's,//.*,,' $(printf 'rtl/%s.v ' $list) | grep -qw -- "$stem" && list+="$stem " more=1
    done
  done
  for f in rtl/*.v; do [[ $list != *" $(basename -s .v "$f") "* ]] || echo "$f"; done
}
same() { # same MODULE SIZES...: rows and paths of the user's and of ours
  local module=$1
  shift
  files "$module" > "$work/ours.f"
  # shellcheck disable=SC2086
  $estimate "$module" "$@" --no-prove -f "$work/ours.f" --top "$module" > "$work/out" 2> "$work/err" &&
    grep -E "^(\| |- )$module( \||: )" "$work/out" > "$work/theirs" &&
    grep -E "^(\| |- )our $module( \||: )" "$work/out" | sed 's/our //; s/ not proved: --no-prove |$/ not ours |/; s/ Netlist = C model: not proved: --no-prove\.$//' > "$work/ours" &&
    [ -s "$work/ours" ] && cmp -s "$work/ours" "$work/theirs"
}
true_ "mshr, to the last digit" same mshr --set ENTRIES=2 --set MERGES=2 --set ADDR_W=6 --set DATA_W=4
true_ "its data are the memory that they are for us" grep -q '^| `data_q` | 4 | 4 | 16 | macro: it is `data_q` of our mshr' "$work/out"
true_ "its order is flip-flops" grep -q '^| `order_q` | 2 | 1 | 2 | flip-flops' "$work/out"
true_ "fifo_bank, with an SRAM read by the clock" same fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=4
true_ "drain_selector" same drain_selector --set QUEUES=4 --set DEPTH=2
true_ "queue_selector, without registers" same queue_selector --set QUEUES=5
true_ "which is said" grep -q '^- no registers, so no clock' "$work/out"

# ---- another's table beside ours ----
tables=tests/verilog/design
sizes="--set ENTRIES=2 --set MERGES=2 --set ADDR_W=4 --set DATA_W=2"
case_ "a table with names of its own" 0 '^\| plain_table \| [1-9]' $estimate mshr $sizes -f $tables/plain_table.f --map $tables/plain_table.map
also "beside ours" '^\| our mshr \| [1-9]'
also "its sizes come from ours" '^plain_table LINES=2 READS=2 TAG_W=2 ADDR_W=4, of .*plain_table\.f, beside our mshr ENTRIES=2 '
also "its registers by its names" '^\| `busy` \| 1 \| 2 \| 2 \| flip-flops \| .*plain_table\.sv:[0-9]+ \|'
also "an array that the map equates" '^\| `tags` \| 4 \| 2 \| 8 \| macro: it is `data_q` of our mshr'
also "its paths by its names" '^- plain_table: between registers, [0-9.]+ ns: `[a-z_]+(\[[0-9]+\])*` to `[a-z_]+(\[[0-9]+\])*`$'
also "its clock" '^- clock: `clk`, rising edge'
also "its asynchronous reset" '^- asynchronous resets: their tree is not timed'
{ echo "module mshr"; cat $tables/plain_table.map; } > "$work/module.map"
case_ "the map names the module" 0 'beside our mshr ENTRIES=2 ' $estimate $sizes -f $tables/plain_table.f --map "$work/module.map"
case_ "the map is of another module" 2 'module\.map is for module mshr of ours; this is prt' $estimate prt -f $tables/plain_table.f --map "$work/module.map"
case_ "a map and no module" 2 'which module is ours' $estimate -f $tables/plain_table.f --map $tables/plain_table.map

# ---- a design of its own ----
cat > "$work/q.sv" << 'END'
`include "width.vh"
module q #(parameter DEPTH = 4, parameter W = `WIDTH) (
    input ck, input rst, input put, input take, input [W-1:0] d, output [W-1:0] first, output [$clog2(DEPTH):0] used);
  logic [W-1:0] slot[0:DEPTH-1];
  logic [$clog2(DEPTH)-1:0] from, to;
  logic [$clog2(DEPTH):0] n;
  assign first = slot[from];
  always_ff @(posedge ck)
    if (rst) begin
      from <= 0;
      to <= 0;
      n <= 0;
    end else begin
      if (take) from <= from + 1'b1;
      if (put) to <= to + 1'b1;
      n <= n + put - take;
    end
  always_ff @(posedge ck) if (put) slot[to] <= d;
`ifdef PARITY
  logic odd;
  always_ff @(posedge ck) odd <= ^d ^ odd;
  assign used = odd ? 0 : n;
`else
  assign used = n;
`endif
endmodule
END
echo '`define WIDTH 3' > "$work/width.vh"
own="$estimate $work/q.sv +incdir+$work --top q"
# Area and, without wires, the longest path of a report.
period() { awk -F' *[|] *' '$2 == "q" && !n++ {area = $3} $2 == "q" && $4 == "0" {print area, $9}' "$1"; }
kept() { ls -d build/estimate/cache/q.* 2> /dev/null | wc -l; }
rm -rf build/estimate/cache/q.*
case_ "a queue" 0 '^\| q \| [1-9][0-9]* \| [0-9]+ \| 19 \| ' $own
period "$work/out" > "$work/rising"
lacks "without a module of ours" 'our '
case_ "the clock is found" 0 '^- clock: `ck`, rising edge' $own
true_ "and kept" [ "$(kept)" = 1 ]
case_ "another parameter" 0 '^q DEPTH=8, of .*q\.sv' $own --set DEPTH=8
true_ "is another result" [ "$(kept)" = 2 ]
case_ "a definition that changes the area" 0 '^\| `odd` \| 1 \| 1 \| 1 \| flip-flops \|' $own +define+PARITY
true_ "is another result" [ "$(kept)" = 3 ]
true_ "which is larger" awk 'NR == FNR {small = $1; next} {exit !($1 > small)}' "$work/rising" <(period "$work/out")
echo '`define WIDTH 4' > "$work/width.vh"
case_ "an include file that changes" 0 '^\| `slot` \| 4 \| 4 \| 16 \| flip-flops: one read and one write port, less than 1024 bits' $own
true_ "is another result" [ "$(kept)" = 4 ]
echo '`define WIDTH 3' > "$work/width.vh"
case_ "an array as a macro" 0 '^- `slot` is a macro, a register file that is read without a clock' $own --memory slot
also "is no flip-flops" '^\| q \| [1-9][0-9]* \| [0-9]+ \| 7 \| '
case_ "a large one is a macro" 0 '^\| `slot` \| 256 \| 4 \| 1024 \| macro: one read and one write port, not less than 1024 bits' \
  $own --set DEPTH=256 --set W=4
case_ "unless it shall not" 0 '^\| `slot` \| 4 \| 3 \| 12 \| flip-flops: not named by --memory' $own --memory none

# The period does not depend on the clock's name. At the falling edge, only the inverter at the
# clock is more, and the period is the same but for that.
sed 's/\bck\b/zz_clock_9/g' "$work/q.sv" > "$work/renamed.sv"
case_ "a clock of another name" 0 '^- clock: `zz_clock_9`, rising edge' $estimate "$work/renamed.sv" "+incdir+$work" --top q
period "$work/out" > "$work/renamed"
true_ "gives the same area and period" cmp -s "$work/rising" "$work/renamed"
sed 's/posedge/negedge/' "$work/q.sv" > "$work/falling.sv"
case_ "the falling edge" 0 '^- clock: `ck`, falling edge' $estimate "$work/falling.sv" "+incdir+$work" --top q
period "$work/out" > "$work/falling"
true_ "gives a period within a tenth of it" \
  awk 'NR == FNR {p = $2; next} {exit !($2 > 0.9 * p && $2 < 1.1 * p)}' "$work/rising" "$work/falling"
case_ "the clock by its name" 0 '^- clock: `ck`' $own --clock-port ck
case_ "another input than the clock" 2 "\`ck\` clocks \`[a-z]+\`; legal: --clock-port ck" $own --clock-port put
case_ "no such input" 2 "q: no input 'kc'; nearest: ck" $own --clock-port kc

# ---- what is refused ----
bad() { # bad NAME PATTERN TEXT [OPTION...]: a module of this text is refused, in one line
  printf 'module bad (input a, b, c, input [3:0] d, output reg x, y);\n%s\nendmodule\n' "$3" > "$work/bad.sv"
  strict=1 case_ "$1" 2 "$2" $estimate "$work/bad.sv" --top bad "${@:4}"
}
bad "a latch" 'bad\.sv:2: `x` is a latch; legal' 'always @* begin y = b; if (a) x = b; end'
bad "two clocks" 'two clocks: `[ab]` of `[xy]` \(.*bad\.sv:2\), `[ab]` of `[xy]` \(.*:2\); legal: one, or' 'always @(posedge a) x <= c; always @(posedge b) y <= x;'
bad "both edges" 'registers at both edges of `a`' 'always @(posedge a) x <= c; always @(negedge a) y <= x;'
bad "a gated clock" 'no input clocks `x`, but logic or a register does' 'wire g = a & b; always @(posedge g) x <= c; always @(posedge a) y <= x;'
bad "a divided clock" 'no input clocks `y`' 'always @(posedge a) x <= !x; always @(posedge x) y <= c;'
bad "a loop" 'a loop of gates without a register' 'always @* begin x = !(y & a); y = !(x & b); end'
bad "two drivers" 'two drivers of ' 'wire n; assign n = a; assign n = b; always @(posedge c) begin x <= n; y <= n; end'
bad "what Yosys does not read" 'bad\.sv:3: ERROR: .*; Yosys reads a part' $'typedef struct packed {logic m;} t;\nt [1:0] two; assign two = d[1:0]; always @(posedge a) begin x <= two[b].m; y <= c; end'
bad "a syntax error" 'bad\.sv:2:[0-9]+: syntax error' 'always @(posedge a) x <= ;'
bad "no such module inside" 'Cannot find file containing module: .nothing' 'nothing u(a); always @(posedge a) begin x <= c; y <= b; end'
bad "--memory of registers" "memory x: registers; legal: an array" 'always @(posedge a) begin x <= c; y <= b; end' --memory x
bad "a clock of nothing" 'no register in it; legal: without --clock-port' 'always @* begin x = c; y = b; end' --clock-port a
cat > "$work/two.sv" << 'END'
module two (input a, b, d, output reg x, y);
  always @(posedge a) x <= d;
  always @(posedge b) y <= x;
endmodule
END
case_ "two inputs that are one clock" 0 '^\| two \| [1-9][0-9]* \| [0-9]+ \| 2 \| ' $estimate "$work/two.sv" --top two --clock-port a --clock-port b
echo "$work/folder.sv" > "$work/folder.f"
strict=1
case_ "no such file" 2 'nowhere\.sv: No such file' $estimate "$work/nowhere.sv" --top q
cp "$work/q.sv" "$work/my q.sv"
case_ "a blank in a file's name" 2 "/my q\.sv: legal: a path without blanks" $estimate "$work/my q.sv" "+incdir+$work" --top q
mkdir "$work/folder.sv"
case_ "a folder for a file" 2 'folder\.sv: Is a directory; legal: a readable file' $estimate "$work/folder.sv" --top q
case_ "a folder in a list" 2 'folder\.f:1: .*folder\.sv: Is a directory' $estimate -f "$work/folder.f" --top q
case_ "no such top" 2 "no module 'qq' in the files" $estimate "$work/q.sv" "+incdir+$work" --top qq
case_ "no top" 2 'which module is yours' $estimate "$work/q.sv" "+incdir+$work"
case_ "no such parameter" 2 "q: no parameter 'DEEPTH'; nearest: DEPTH" $own --set DEEPTH=8
case_ "no number" 2 'set DEPTH=x: legal: PARAMETER=VALUE, a whole number' $own --set DEPTH=x
case_ "no such array" 2 'memory slots: no such array in q; nearest: slot' $own --memory slots
case_ "an option of a configuration" 2 'a design of yours .*: legal with it' $own -c configs/base-s.conf
case_ "a clock without a design" 2 'clock-port and --memory: legal: for a design of yours' $estimate mshr --clock-port clk_i
unset strict

# ---- names that other Verilog has ----
cat > "$work/names.v" << 'END'
module names (input clk, input rst_n, input [7:4] up, input [0:3] down, output [7:4] high, output reg [0:3] low);
  reg [7:4] hold = 4'd9;
  assign high = hold;
  always @(posedge clk or negedge rst_n) if (!rst_n) hold <= 4'd1; else hold <= hold + up;
  always @(posedge clk) low <= low + down;
  initial $display("no hardware");
  genvar i;
  generate for (i = 0; i < 2; i = i + 1) begin : lane
    cell_of u (.clk(clk), .d(up[4 + i]));
  end endgenerate
endmodule
module cell_of (input clk, input d, output reg s);
  always @(posedge clk) s <= d ^ s;
endmodule
END
case_ "bits that do not count from 0" 0 '^- between registers, [0-9.]+ ns: `(hold\[[4-7]\]` to `hold\[[4-7]\]|low\[[0-3]\]` to `low\[[0-3]\])`$' \
  $estimate "$work/names.v" --top names
also "initial values" '^- initial values are dropped'
lacks "registers that nothing reads are gone" lane

echo "own: $passed passed, $failed failed"
[ "$failed" = 0 ]

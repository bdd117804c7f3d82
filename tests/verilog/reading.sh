#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One reading of the Verilog (docs/verify/lint.md): text that tools read differently, or that hides
# something from one of them, is refused in one line with its place, exit 2, before anything is
# simulated or proved. Legal text is not refused.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/tier.sh
rtl=$work/rtl
size="--set QUEUES=3 --set DEPTH=2 --set DATA_W=1"

judge() { # judge NAME EXIT_CODE PATTERN COMMAND...: one line if it is refused
  local name=$1 code=$2 pattern=$3 status
  shift 3
  timeout 300 "$@" > "$work/out" 2> "$work/err"
  status=$?
  if [ "$status" = "$code" ] && cat "$work/err" "$work/out" | grep -qE -- "$pattern" &&
     { [ "$code" != 2 ] || [ "$(wc -l < "$work/err")" = 1 ]; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code, '$pattern'): $(cat "$work/err" "$work/out" | head -c 500)"
  fi
}
fresh() { rm -rf "$rtl" && mkdir "$rtl" && cp rtl/*.v "$rtl"; }
at=$(grep -n '^  wire enqueue =' rtl/fifo_bank.v | cut -d: -f1)
[[ $at =~ ^[0-9]+$ ]] || { echo "FAILED: fifo_bank.v has no line 'wire enqueue ='"; exit 1; }
insert() { # insert TEXT: a copy of rtl/ whose fifo_bank.v has TEXT before line $at
  fresh
  { head -n $((at - 1)) rtl/fifo_bank.v; printf '%s\n' "$1"; tail -n +$at rtl/fifo_bank.v; } > "$rtl/fifo_bank.v"
}
refused() { # refused PATTERN TEXT: TEXT, put into fifo_bank.v, is refused there
  sampled 3 || return 0
  insert "$2"
  judge "$2" 2 "^mrpb prove: $rtl/fifo_bank\.v:[0-9:]+ .*($1)" build/mrpb prove fifo_bank $size --rtl "$rtl"
  grep -qE 'legal: |Verilator [A-Z]' "$work/err" || { failed=$((failed + 1)); echo "FAILED: what is legal instead: $(cat "$work/err")"; }
}

# ---- conditions ----
for macro in __ICARUS__ VERILATOR FORMAL YOSYS SIMULATION MODEL_TECH; do
  refused "a condition on $macro" "\`ifdef $macro
wire x = 1'b1;
\`endif"
done
refused 'a condition on FORMAL' '`ifdef SYNTHESIS
`elsif FORMAL
`endif'
refused 'a condition on VERILATOR' '`ifndef SYNTHESIS
`ifndef VERILATOR
`endif
`endif'
refused 'macro .VERILATOR. is for tools' '`define VERILATOR'
refused 'macro W depends on SYNTHESIS' '`ifdef SYNTHESIS
`define W 3
`endif'
refused 'macro W has another text' '`define W 3
`define W 4'
refused 'macro F; legal: a number' '`define F(a) (a)'
refused 'macro F; legal: a number' '`define F full_o[0] = 1;'
refused '`__LINE__ in a macro' '`define W `__LINE__'
refused '`endif in a comment' '`ifdef SYNTHESIS
/* `endif */
`endif'
refused '/ in an attribute' '(* keep /* *) wire a1; (* */ *) wire a2;'
refused '`undef is no macro' '`define W 3
`undef W'
refused '`include; legal' '`include "../other.vh"'
refused '`include; legal' '`include "part.inc"'
refused 'no such file' '`include "none.vh"'
refused '`default_nettype tri' '`default_nettype tri'
refused '`pragma is no macro' '`pragma protect begin'
# ---- orders in comments and attributes ----
refused "begins with 'synthesis'" '// synthesis translate_off'
refused "begins with 'synopsys'" '/* synopsys full_case */'
refused "begins with 'verilator'" '/* verilator lint_off WIDTH */'
refused "begins with 'pragma'" '/*pragma translate_off*/'
refused "attribute 'full_case'" '(* full_case *) wire a1;'
refused "attribute 'parallel_case'" '(* keep, parallel_case *) wire a1;'
refused "attribute 'blackbox'" '(* blackbox *) wire a1;'
# ---- words ----
refused "'force'" "initial force full_o = 0;"
refused "'defparam'" 'defparam u.W = 3;'
refused "'specify'" 'specify endspecify'
refused "'inout'" 'inout wire x;'
refused "'tri'" 'tri x;'
refused "'wor'" 'wor x;'
refused "'real'" 'real x;'
refused "'casex'" 'always @* casex (full_o) default: ; endcase'
refused "'supply1'" 'supply1 x;'
refused "'task'" 'task t; begin end endtask'
refused "'while'" 'always @* while (x) x = 0;'
refused "'primitive'" 'primitive p (o, i); endprimitive'
refused 'a real number' 'localparam X = 1.5;'
refused 'x in a number' "wire a1 = 1'bx;"
refused 'z in a number' "wire a1 = 1'bz;"
refused 'is a z; legal: in a casez' "wire a1 = 1'b?;"
refused '===; legal' "wire a1 = full_o[0] === 1'b0;"
refused '\$random has no hardware' 'wire a1 = $random;'
refused '\$time has no hardware' 'wire a1 = $time > 100;'
refused '\$readmemh has no hardware' 'initial $readmemh("f", mem_q);'
refused '\$test.plusargs has no hardware' 'wire a1 = $test$plusargs("x");'
refused 'a delay' "wire #1 a1 = 1'b1;"
refused 'a delay' 'always @(posedge clk_i) begin #1 a1 <= 1; end'
refused 'a delay' 'always @(posedge clk_i) a1 <= #1 b1;'
refused 'escaped name' 'wire \a+b ;'
refused 'reaches into another module' 'wire a1 = u_other.len_q;'
# ---- clocks, lists, blocks ----
refused "'negedge'|another edge" 'always @(negedge clk_i) a1 <= 1;'
refused "another edge is another clock|'negedge'" 'always @(posedge clk_i or negedge srst_ni) a1 <= 1;'
refused 'another edge is another clock' 'always @(posedge enq_valid_i) a1 <= 1;'
refused 'clk_i is used as a signal' 'wire gated = clk_i & enq_valid_i;'
refused 'clk_i is used as a signal' 'round_robin #(.WIDTH(2)) u (.clk_i(clk_i & srst_ni));'
refused 'a list of signals may be incomplete' 'reg a1; always @(enq_valid_i) a1 = enq_valid_i & deq_valid_i;'
refused 'a list of signals may be incomplete' 'reg a1; always a1 = enq_valid_i;'
refused 'a1 = in a clocked block' 'reg a1; always @(posedge clk_i) a1 = enq_valid_i;'
refused 'a1 = in a clocked block' 'integer a1; always @(posedge clk_i) begin for (a1 = 0; a1 < 2; a1 = a1 + 1) ; a1 = 3; end'
refused 'a1 <= outside of a clocked block' 'reg a1; always @* a1 <= enq_valid_i;'
refused 'a1 <= outside of a clocked block' 'reg a1; initial a1 <= 0;'
refused 'a1 is read before it is assigned' "reg a1, a2; always @* begin a2 = a1; a1 = enq_valid_i; end"
refused 'k9 counts the rounds of a loop' 'integer k9; reg a1; always @(posedge clk_i) begin for (k9 = 0; k9 < 2; k9 = k9 + 1) a1 <= k9[0]; end
wire a2 = k9[1];'
refused 's is read before it is assigned' 'function f(input a); reg s; begin s = s ^ a; f = s; end endfunction'
refused 'f is not assigned in every branch' 'function f(input a); if (a) f = 1; endfunction'
refused 'srst_ni is no input of this function' 'function f(input a); f = a & srst_ni; endfunction'
refused 'more than module fifo_bank' 'endmodule module other;'
# ---- refused by the tools ----
refused 'full_o(\[0\])? has two drivers|MULTIDRIVEN' 'assign full_o = ~full_q;'
refused 'full_o(\[0\])? has two drivers|MULTIDRIVEN' 'assign full_o = empty_q;'
refused 'two drivers|MULTIDRIVEN' "assign full_o[0] = 1'b0;"
refused 'two drivers|MULTIDRIVEN' 'always @(posedge clk_i) if (enq_valid_i) full_q <= {QUEUES{1'\''b0}};'
refused 'two drivers|MULTIDRIVEN' 'generate if (QUEUES == 3) begin : gen_two assign enq_ready_o = 1'\''b1; end endgenerate'
refused 'written in two blocks|MULTIDRIVEN' 'always @(posedge clk_i) if (deq_valid_i) tail_q[0] <= {PTR_W{1'\''b0}};'
refused 'atch' 'reg a1; always @* if (enq_valid_i) a1 = deq_valid_i;
wire unused_a1 = &{1'\''b0, a1};'
refused 'UNDRIVEN|no driver' 'wire a1; wire unused_a1 = &{1'\''b0, a1};'
insert "wire a2; wire a1 = a2 ^ srst_ni; assign a2 = a1 ^ enq_valid_i; wire unused_a1 = &{1'b0, a2};"
judge "a loop of gates" 2 'UNOPTFLAT|found logic loop in module fifo_bank' build/mrpb prove fifo_bank $size --rtl "$rtl"

# ---- files ----
fresh
sed 's/module round_robin/module other/' rtl/round_robin.v > "$rtl/round_robin.v"
judge "a module under another's name" 2 'round_robin\.v:[0-9]+: module round_robin is missing' build/mrpb prove drain_selector --rtl "$rtl"
fresh
cat rtl/round_robin.v >> "$rtl/drain_selector.v"
judge "a module hidden in another file" 2 'drain_selector\.v:[0-9]+: more than module drain_selector' build/mrpb prove drain_selector --rtl "$rtl"
fresh
sed 's/assign any_o.*/assign any_o = 1;/' rtl/round_robin.v > "$rtl/round_robin"   # Verilator would take it first
judge "a file that only one tool finds" 0 '^proved drain_selector' build/mrpb prove drain_selector --set QUEUES=2 --set DEPTH=1 --set POLICY=2 --rtl "$rtl"

# ---- the same before every other command that reads Verilog ----
insert "\`ifdef VERILATOR
\`endif"
rule="fifo_bank\.v:$at: a condition on VERILATOR"
judge "cosim" 2 "^mrpb cosim: .*$rule" build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$rtl"
judge "cosim, through another module" 2 "^mrpb cosim: .*$rule" build/mrpb cosim mrpb --cycles 100 --rtl "$rtl"
judge "explore" 2 "$rule" build/mrpb explore fifo_bank $size --rtl "$rtl"
judge "mutate" 2 "$rule" build/mrpb mutate fifo_bank $size --rtl "$rtl"
judge "run" 2 "$rule" build/mrpb run -c configs/base-s-mrpb.conf --kernel micro-chain-l1 --cut 64 --impl mrpb=rtl --rtl "$rtl"
timeout 100 build/mrpb properties fifo_bank $size --rtl "$rtl" > "$work/out" 2>&1
[ $? = 2 ] && grep -q "$rule" "$work/out" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: properties: $(cat "$work/out")"; }

# ---- SYNTHESIS: both readings are proved; lockstep runs one: they must be the same hardware ----
insert '`ifdef SYNTHESIS
  wire extra = enq_data_i[0];
`else
  wire extra = 1'\''b1;
`endif'
sed -i 's/^  wire enqueue =/  wire enqueue = extra \&\&/' "$rtl/fifo_bank.v"
judge "an error of the hardware" 1 '^  differs  .* with SYNTHESIS: C [01], Verilog [01]' build/mrpb prove fifo_bank $size --rtl "$rtl"
judge "an error of the hardware, lockstep" 2 "fifo_bank\.v:$((at + 1)): hardware that depends on SYNTHESIS" build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$rtl"
fresh
sed -i "s/assign order_err_o = 1'b0;/assign order_err_o = leave;/" "$rtl/mrpb.v"
judge "a check that is hardware" 2 'mrpb\.v:[0-9]+: hardware that depends on SYNTHESIS' build/mrpb cosim mrpb --cycles 100 --rtl "$rtl"
insert '`ifndef SYNTHESIS
  assign full_o = {QUEUES{1'\''b0}};
`endif'
judge "a driver in one reading only" 2 'two drivers|MULTIDRIVEN' build/mrpb prove fifo_bank $size --rtl "$rtl"
fresh
sed -i 's/^  assign full_o .*/`ifndef SYNTHESIS\n&\n`endif/' "$rtl/fifo_bank.v"
cmp -s rtl/fifo_bank.v "$rtl/fifo_bank.v" && { failed=$((failed + 1)); echo "FAILED: full_o is driven otherwise"; }
judge "a driver that only checks have" 2 'full_o' build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$rtl"
fresh
sed -i "s/mem_q\[w\]  = {WIDTH{1'b0}}/mem_q[w] = {WIDTH{1'b1}}/" "$rtl/sram_1r1w.v"
judge "another value at power up" 1 'fails    u_mem.mem_q\[0\] bit 0: powers up as 1' build/mrpb prove fifo_bank $size --rtl "$rtl"

# ---- what is legal ----
fresh
cat > "$rtl/sizes.vh" <<'END'
`ifndef SIZES_VH
`define SIZES_VH
`define THREE 2'd3
`define SIX (`THREE * 2) // of nothing
`define FAST
`endif
END
{ head -n $((at - 1)) rtl/fifo_bank.v; cat <<'END'; tail -n +$at rtl/fifo_bank.v; } > "$rtl/fifo_bank.v"
`include "sizes.vh"
`include "sizes.vh"
  /* Synthesis and Verilator may be spoken of. */
  `ifdef SRAM_BLACK_BOX
  wire t_macro = no_tool_reads_this;
  `endif
  (* keep *) wire [1:0] t_three = `THREE;
  `ifdef FAST
  wire t_fast = 1'b1;
  `else
  wire t_slow = 1'b1;
  `endif
  reg [1:0] t_case, t_sum;
  integer t_k, t_j;
  always @* begin
    casez ({enq_valid_i, deq_valid_i})
      2'b1?: t_case = 2'd1;
      2'b01: t_case = 2'd2;
      default: t_case = 2'd0;
    endcase
  end
  always @(*) begin : t_named
    reg t_local;
    t_local = enq_valid_i;
    t_sum = 2'd0;
    for (t_k = 0; t_k < 2; t_k = t_k + 1) if (t_case[t_k]) t_sum = t_sum + {1'b0, t_local};
  end
  function automatic [1:0] t_f(input [1:0] a, input t_b);
    reg [1:0] t;
    begin
      t = a + 2'd1;
      if (t_b) t_f = t;
      else t_f = a;
    end
  endfunction
  wire t_unused = &{1'b0, t_three, t_fast, t_f(t_sum, enq_valid_i), t_constant, t_table[t_sum]};
  reg t_constant;
  reg [3:0] t_table [0:3];
  initial begin
    for (t_k = 0; t_k < 4; t_k = t_k + 1) begin
      if (t_k > 1) for (t_j = 0; t_j < 1; t_j = t_j + 1) t_table[t_k] = 4'd2;
      else begin t_table[t_k] = 4'd1; end
    end
    for (t_k = 2; t_k < 4; t_k = t_k + 1)
      if (t_k > 2) begin t_table[t_k] = 4'd3; end else t_table[t_k] = 4'd7;
    for (t_k = 2; t_k < 3; t_k = t_k + 1)
      case (t_k)
        2: t_table[t_k] = 4'd9;
        default: t_table[0] = 4'd1;
      endcase
    t_constant = 1'b1;
    for (t_k = 0; t_k < 1; t_k = t_k + 1) t_table[t_k] = 4'd5;
  end
`ifndef SYNTHESIS
  reg t_seen;
  initial t_seen = 1'b0;
  always @(posedge clk_i) begin
    t_seen <= t_seen | enq_valid_i;
    if (t_seen && t_sum == 2'd3 && !enq_valid_i) begin
      $display("never, at %0t", $time);
      $stop;
    end
  end
`endif
END
judge "what is legal, lockstep" 0 '^matched 2000 cycles' build/mrpb cosim fifo_bank $size --cycles 2000 --rtl "$rtl"
judge "what is legal, proof" 0 '^proved fifo_bank' build/mrpb prove fifo_bank $size --rtl "$rtl"

# ---- paths ----
odd="$work/my rtl (2) 'new' & \$x"
cp -r rtl "$odd"
judge "lockstep of a folder with blanks" 0 '^matched 100 ' build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$odd"
judge "proof of a folder with blanks" 0 '^proved' build/mrpb prove fifo_bank $size --rtl "$odd"
judge "properties of a folder with blanks" 0 '^1 held' build/mrpb properties priority_encoder --set WIDTH=3 --rtl "$odd"
judge "mutants of a folder with blanks" 0 '2 mutants' build/mrpb mutate flush_control --set QUEUES=2 --mutants 2 --cycles 1000 --rtl "$odd"
judge "run with a folder with blanks" 0 'no difference' build/mrpb run -c configs/base-s-mrpb.conf --kernel micro-chain-l1 --cut 64 \
  --impl mshr=both --rtl "$odd"
build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$odd" --record "$work/a b.vec" > /dev/null 2>&1
judge "the three witnesses in a folder with blanks" 0 'icarus +matched' build/mrpb cosim --replay "$work/a b.vec" --with c,verilator,icarus --rtl "$odd"
echo 'wire [1:0] w9 = 3'\''d1; wire unused_w9 = &{1'\''b0, w9};' > "$work/line"
sed -i "${at}r $work/line" "$odd/fifo_bank.v"
sed -i "$at{h;d};$((at + 1)){p;x}" "$odd/fifo_bank.v"
judge "its name in a message" 2 "my rtl \(2\) 'new' & .x/fifo_bank\.v:[0-9]+:.*WIDTH" build/mrpb cosim fifo_bank $size --cycles 100 --rtl "$odd"

# ---- another program of the same version is another tool: the canary runs for it, once ----
runtimes() { ls -d build/rtl/runtime-* | sort; }
mkdir "$work/bin"
printf '#!/bin/bash\n# %s\nexec %s "$@"\n' "$work" "$(command -v verilator)" > "$work/bin/verilator"
chmod +x "$work/bin/verilator"
for expected in 1 0; do
  runtimes > "$work/before"
  judge "another Verilator" 0 '^matched' env PATH="$work/bin:$PATH" build/mrpb cosim fifo_bank $size --cycles 10
  runtimes | comm -13 "$work/before" - > "$work/new"
  [ "$(wc -l < "$work/new")" = $expected ] && passed=$((passed + 1)) ||
    { failed=$((failed + 1)); echo "FAILED: $(wc -l < "$work/new") canaries instead of $expected"; }
  cat "$work/new" >> "$work/made"
done
xargs -r rm -rf < "$work/made"
echo "rtl reading: $passed passed, $failed failed"
[ "$failed" = 0 ]

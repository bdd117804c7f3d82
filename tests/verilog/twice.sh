#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which simulator says so (docs/verify/simulators.md): builds that differ, outputs that are x,
# another Verilator. This script's other Verilator is the installed one under another path and
# version; the spoiled one changes a line of the -O0 build.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
export WORK=$work

check() { # check WHAT RC PATTERN COMMAND...
  local code=0
  "${@:4}" > "$work/said" 2>&1 || code=$?
  if [ "$code" = "$2" ] && grep -qE -- "$3" "$work/said"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $code: $(head -c 600 "$work/said")"
  fi
}

cat > "$work/other" << 'END'
#!/usr/bin/env bash
[ "$*" != --version ] || { echo "Verilator 9.009 of another path"; exit; }
words=("$@")
case " $* " in
*" -O0 "*)
  for i in "${!words[@]}"; do
    [ ! -f "$0.spoils" ] || [[ ${words[$i]} != *.v ]] || {
      sed "s/n + 4'd1/n + 4'd3/" "${words[$i]}" > "$WORK/$(basename "${words[$i]}")"
      words[$i]=$WORK/$(basename "${words[$i]}")
    }
  done ;;
esac
exec verilator "${words[@]}"
END
chmod +x "$work/other"
(cat "$work/other" && echo "# another program") > "$work/spoiled"
chmod +x "$work/spoiled"
touch "$work/spoiled.spoils"

cat > "$work/count.sv" << 'END'
module count (
    input  logic       clk, rst,
    input  logic [3:0] at,
    input  logic       more,
    input  struct packed { logic on; logic [6:0] what; } pair,
    output logic [3:0] n,
    output logic [7:0] q
);
  logic [7:0] mem [5];
  always_ff @(posedge clk)
    if (rst) begin
      n <= 0;
      for (int i = 0; i < 5; i++) mem[i] <= 0;
    end else begin
      if (more) n <= n + 4'd1;
      if (pair.on && at < 5) mem[at] <= {1'b0, pair.what};
    end
  assign q = at < 5 ? mem[at] : 8'd0;
endmodule
END
printf 'clock clk\nreset rst high sync\n' > "$work/count.map"
twice() { build/mrpb twice "$work/$1.sv" --top count --map "$work/count.map" "${@:2}"; }

# ---- equal, x, and text that Icarus does not read ----
check "equal" 0 '^equal count, 2 of 2 outputs, 12 bits; 3 random inputs, 13 bits' twice count
check "who has looked" 0 'simulated   by Verilator [0-9.]+ -O3 and -O0 in 20000 cycles, Icarus [0-9.]+ in 1000$' twice count
sed 's/at < 5 ? mem\[at\] : 8.d0/mem[at]/' "$work/count.sv" > "$work/beyond.sv"
check "read beyond the end" 1 '  x  .*output q is x in cycle [0-9]+, in which it counts \(x+, by Icarus' twice beyond
sed 's/n <= 0;/priority if (at == 0) ; else ;/' "$work/count.sv" > "$work/unread.sv"
check "never set, and Icarus does not read it" 1 'output n in cycle [0-9]+, in which it counts, hangs on what was never set' twice unread
check "Icarus does not read it" 1 'x not looked for: Icarus [0-9.]+ does not read this design' twice unread
printf "clock clk\nreset rst high sync\nin more = 1'b0\n" > "$work/held.map"
check "an input keeps a value" 0 '2 random inputs, 12 bits' build/mrpb twice "$work/count.sv" --top count --map "$work/held.map"
check "no design" 2 '^mrpb twice: which module\?' build/mrpb twice
echo 'module count(input clk_i); endmodule' > "$work/none.sv"
check "no output" 2 'no output: there is nothing to compare' build/mrpb twice "$work/none.sv" --top count

# ---- builds that differ, and another Verilator ----
export VERILATOR=$work/other VERILATOR_ROOT=/nowhere VERILATOR_BIN=none
check "another path" 0 'by Verilator 9.009 -O3 and -O0' twice count
check "builds that differ" 5 "output n in cycle [0-9]+ is [0-9a-f] by Verilator 9.009 -O3 and [0-9a-f] by Verilator 9.009 -O0: nothing that they say" \
  env VERILATOR="$work/spoiled" build/mrpb twice "$work/count.sv" --top count --map "$work/count.map" --seed 2
# A cache that is wrong from cycle 31000 on, by -O3 alone: the first 20,000 cycles are equal, the case that
# breaks the contract is not.
sed -e 's/assign rsp_data_o = \(.*\);/assign rsp_data_o = \1 ^ {8 * WORD{wrong}};/' \
  -e "s/^endmodule/  logic [15:0] n = 0;\n  logic wrong = 0;\n  always_ff @(posedge clk_i) begin\n    n <= n + 4'd1;\n    wrong <= wrong || n == 16'd31000;\n  end\n&/" \
  tests/conform/path/tiny_cache.sv > "$work/tiny_cache.sv"
late() { VERILATOR=$work/spoiled build/mrpb conform --path "$work/tiny_cache.sv" --map tests/conform/path/tiny_cache.map --lint off --cases "$work" --cycles 100000; }
check "a violation in one build" 5 'by Verilator 9.009 -O3 and [0-9a-f]+ by Verilator 9.009 -O0: nothing that they say' late
unset VERILATOR VERILATOR_ROOT VERILATOR_BIN
check "no such Verilator" 5 '^mrpb twice: /no/verilator: ' env VERILATOR=/no/verilator build/mrpb twice "$work/count.sv" --top count

# ---- commands with a verdict ----
table=tests/verilog/design/plain_table
size=(--set ENTRIES=2 --set MERGES=2 --set ADDR_W=4 --set DATA_W=4 --cycles 1000)
check "cosim says who has looked" 0 '^  simulated   by Verilator' build/mrpb cosim mshr "${size[@]}" -f $table.f --map $table.map
# 0 by 0 is 0 in Verilator, and x in Verilog.
sed -e 's/\(output logic \[UW-1:0\] *\)used$/\1used, output logic beyond/' \
  -e "s,^endmodule,  wire [1:0] none = 2'd0 / {1'b0\, read[0]};\n  assign beyond = none[0];\nendmodule," \
  $table.sv > "$work/plain_table.sv"
sed 's/^out *count_o .*/out count_o = used | {beyond, beyond}/' $table.map > "$work/beyond.map"
check "cosim: an output is x" 1 '^  x  .*output .* is x in cycle' build/mrpb cosim mshr "${size[@]}" "$work/plain_table.sv" --map "$work/beyond.map"
check "what matched there is no match" 1 '^FAILED, but matched 1000 cycles' build/mrpb cosim mshr "${size[@]}" "$work/plain_table.sv" --map "$work/beyond.map"

# ---- Verilator 5.006 writes beyond a wide constant whose highest word is zero ----
cat > "$work/wide.sv" << 'END'
module wide (
    input  logic        clk_i,
    input  logic [31:0] value,
    output logic        found
);
  typedef struct packed { logic [31:0] top; logic [95:0] mid; logic [71:0][31:0] low; } list_t;
  localparam list_t LIST = '{top: 0, mid: 96'h5678_0000_1111_2222_3333_4444, low: {72{32'd3}}};
  function automatic logic inside_any(list_t list, logic [31:0] i);
    automatic logic [71:0] pass = '0;
    for (int unsigned k = 0; k < 72; k++) pass[k] = i >= list.low[k];
    return |pass;
  endfunction
  always_ff @(posedge clk_i) found <= inside_any(LIST, value);
endmodule
END
printf 'clock clk_i\n' > "$work/wide.map"
wide() { build/mrpb twice "$work/wide.sv" --top wide --map "$work/wide.map"; }
if grep -q 'WDataOutP o = obase + VL_WORDS_I(lsb)' /usr/share/verilator/include/verilated_funcs.h; then
  check "beyond a constant" 5 'Verilator [0-9.]+ writes beyond a constant of 2432 bits; use another version' wide
else
  check "within a constant" 0 '^equal wide' wide
fi
echo "twice: $passed checks passed, $failed failed"
[ "$failed" = 0 ]

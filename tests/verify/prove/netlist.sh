#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Netlists of library cells, proved equal to the C model, and broken ones, which must not be. `make
# netlists` takes more modules, sizes and faults: docs/verify/netlist.md.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work # a program elsewhere keeps a cache there, yosys a history
passed=0 failed=0

. tests/tier.sh
. tests/case.sh
. tests/estimate/library.sh
. tests/verify/prove/netlists/make.sh
selector="build/mrpb prove drain_selector --set QUEUES=3 --set DEPTH=2 --liberty $library --netlist"
bank="build/mrpb prove fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=2 --liberty $library --netlist"
true_ "a netlist of the selector" netlist_of "$work/selector.v" "$library" drain_selector QUEUES=3 DEPTH=2
true_ "a netlist of the bank" estimated "$work/bank.v" "$library" fifo_bank QUEUES=3 DEPTH=2 DATA_W=2

# ---- good ones ----
case_ "all states" 0 '^proved drain_selector .*, 7 of 7 outputs and 5 of 5 registers.*: netlist of 8 flip-flops \(0 inverted' $selector "$work/selector.v"
case_ "a macro" 0 '^proved fifo_bank .*, 6 of 6 outputs and 6 of 6 registers, 37 of 37 bits: netlist of 26 flip-flops' $bank "$work/bank.v"
case_ "from a reset" 0 '^proved drain_selector .* for 3 cycles from a reset' $selector "$work/selector.v" --depth 3
true_ "a flip-flop that holds the inverse" broken flipped 2 "$work/selector.v" "$work/net.v"
case_ "that one" 0 '^proved .*\(1 inverted' $selector "$work/net.v"
true_ "a flip-flop twice" broken repeat 3 "$work/selector.v" "$work/net.v"
case_ "that one" 0 '^proved .*\([0-9] inverted, [12] repeated' $selector "$work/net.v"
sed 's/\\\([a-z_]*\)_q\[\([0-9]\)\]\(\[[0-9]\]\)* /\\nothing_\1_\2\3 /g' "$work/selector.v" > "$work/net.v"
true_ "no register has its name" test -z "$(grep -o '_q\[' "$work/net.v")"
case_ "found by what they do" 0 '^proved drain_selector' $selector "$work/net.v"
sed 's/\\count_q\[0\]/\\count_q[9]/g; s/\\count_q\[1\]/\\count_q[0]/g; s/\\count_q\[9\]/\\count_q[1]/g' "$work/selector.v" > "$work/net.v"
case_ "names exchanged, not flip-flops" 0 '^proved drain_selector' $selector "$work/net.v"

# ---- a larger one, by way of the Verilog: the macro is cut at its pins ----
large="build/mrpb prove fifo_bank --set QUEUES=5 --set DEPTH=4 --set DATA_W=40 --liberty $library --limit 15 --netlist"
true_ "a netlist of a larger bank" estimated "$work/large.v" "$library" fifo_bank QUEUES=5 DEPTH=4 DATA_W=40
matched() { # matched NAME PATTERN COMMAND...: the first line of its output, whatever its exit status
  local name=$1 pattern=$2
  shift 2
  "$@" > "$work/out" 2>&1
  if head -1 "$work/out" | grep -qE "$pattern"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name: $(head -c 400 "$work/out")"; fi
}
matched "its half against the Verilog" '^(proved|bounded|not decided) fifo_bank .*gates = Verilog(: [0-9]| proved).* 1 macros' $large "$work/large.v"
# Wrong at one word of 40 bits, which no simulation finds.
rare="(enq_data_i == 40'h5a17c0ffee)"
for fault in "we:\\1 \& ~$rare" "waddr_0:\\1 ^ $rare" "raddr_1:\\1 ^ $rare" "wdata_3:\\1 \& ~$rare" "re:\\1 | $rare"; do
  pin=${fault%%:*}
  sed "s/\\.$pin(\\(.*\\))/.$pin((${fault#*:}))/" "$work/large.v" > "$work/net.v"
  what="$pin of macro"
  [ "$pin" = re ] && what='(flip-flop|raddr of macro)'
  sampled 3 || continue
  true_ "$pin changed" test "$(cmp -s "$work/large.v" "$work/net.v"; echo $?)" = 1
  case_ "$pin wrong for one word" 3 "^not decided fifo_bank .*: gates = Verilog: ${what%_[0-9]*}.* differs in some state" $large "$work/net.v"
done
sed 's/sram_20x40_sync/sram_20x40/; /\.re(/d' "$work/large.v" > "$work/net.v"
case_ "the other form of the macro" 1 '^refuted fifo_bank' $large "$work/net.v"

# ---- through the door, with escaped names ----
(cd "$work" && yosys -q -p "read_liberty -ignore_miss_func -ignore_miss_dir $library; delete *LATCH* *TBUF*; proc; write_verilog -noattr cells.v") > "$work/yosys.out" 2>&1
{
  echo "module drain_selector"
  echo "top drain_selector"
  for i in 0 1 2; do echo "reg more_q[$i] = \\more_q[$i] "; done
  echo "reg nonempty_q[i] = nonempty_o[i]"
  echo "reg pick_q = pick_o"
  echo "none last_q hold_q"
} > "$work/gates.map"
door="build/mrpb prove drain_selector --set QUEUES=3 --set DEPTH=2 $work/selector.v $work/cells.v --map"
case_ "a netlist through the door, all states" 0 '^proved drain_selector .*, 7 of 7 outputs and 3 of 5 registers, 19 of 22 bits' $door "$work/gates.map"
sed 's/= \\more_q\[2\] /= !\\more_q[2] /' "$work/gates.map" > "$work/bad.map"
case_ "inverted, which it is not" 1 'differs  more_q\[2\] after' $door "$work/bad.map"
sed 's/= \\more_q\[2\] /= \\more_q[7] /' "$work/gates.map" > "$work/bad.map"
case_ "no such name" 2 "'more_q\[7\]' is no register of drain_selector; nearest: more_q" $door "$work/bad.map"

# ---- broken ones: refuted, or not decided with the cause ----
while read -r kind pick; do
  case $kind in '#'* | '') continue ;; esac
  sampled 3 || continue
  for of in selector bank; do
    broken "$kind" "$pick" "$work/$of.v" "$work/net.v" || continue
    ask=$selector
    [ $of = bank ] && ask=$bank
    $ask "$work/net.v" --limit 60 > "$work/out" 2>&1
    status=$?
    if { [ $status = 1 ] && grep -q '^refuted ' "$work/out"; } || { [ $status = 3 ] && grep -q '^not decided .*: .' "$work/out"; }; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED: $kind $pick of the $of: exit $status: $(head -c 400 "$work/out")"
    fi
  done
done < tests/verify/prove/netlists/broken.txt
corner="enq_data_i, full_o, ~empty_o, deq_valid_i, enq_valid_i"
broken corner 30 "$work/bank.v" "$work/net.v"
case_ "wrong in one rare state" 1 '^refuted fifo_bank' $bank "$work/net.v"
wide="build/mrpb prove fifo_bank --set QUEUES=2 --set DEPTH=2 --set DATA_W=40 --liberty $library --limit 60 --netlist"
true_ "a bank of wide words" estimated "$work/wide.v" "$library" fifo_bank QUEUES=2 DEPTH=2 DATA_W=40
corner="enq_data_i == 40'h5a17c0ffee, enq_valid_i"
broken corner 30 "$work/wide.v" "$work/net.v"
case_ "an engine finds the run from a reset" 1 '^refuted fifo_bank .*: from a reset, with these inputs' $wide "$work/net.v"
broken clock-falling 3 "$work/selector.v" "$work/net.v"
case_ "another clock edge is named" 3 'flip-flop .* is not clocked by the rising edge of clk_i' $selector "$work/net.v"
broken twice 3 "$work/selector.v" "$work/net.v"
case_ "two drivers are named" 3 '(two cells drive|drives input)' $selector "$work/net.v"
sed 's/^  input srst_ni;/&\n  reg alone_q;\n  always @(posedge clk_i) alone_q <= srst_ni ^ alone_q;/; s/\.\([A-D][0-9]*\)(srst_ni)/.\1((alone_q \& srst_ni) | (~alone_q \& srst_ni))/' "$work/selector.v" > "$work/net.v"
case_ "a flip-flop that is no register" 3 'no register of the model corresponds to flip-flop alone_q' $selector "$work/net.v"

# ---- lockstep of gates ----
lockstep="build/mrpb cosim drain_selector --set QUEUES=3 --set DEPTH=2 --liberty $library --cycles 20000 --no-shrink --netlist"
case_ "gates in lockstep" 0 '^matched 20000 cycles, drain_selector .*, 7 of 7 outputs' $lockstep "$work/selector.v"
broken invert 2 "$work/selector.v" "$work/net.v"
case_ "a broken one" 1 '^MISMATCH drain_selector' $lockstep "$work/net.v"

# ---- what is wrong ----
case_ "another size" 2 'port .* is not one of drain_selector at this size' \
  build/mrpb prove drain_selector --set QUEUES=5 --set DEPTH=2 --liberty "$library" --netlist "$work/selector.v"
case_ "another module" 2 'ERROR: Module .* not found' \
  build/mrpb prove flush_control --liberty "$library" --netlist "$work/selector.v"
mkdir -p "$work/bin"
cp build/mrpb "$work/bin/mrpb"
mkdir -p "$work/home/tb/verilog/shim" "$work/home/build"
for f in rtl cmodel configs; do ln -s "$PWD/$f" "$work/home/$f"; done
ln -s "$PWD/tb/verilog/shim/verilate.sh" "$work/home/tb/verilog/shim/verilate.sh"
case_ "no prover" 0 '^\| queue_selector .*\| not proved: no mrpb-prove \(make prover\) \|' \
  env MRPB_DATA="$work/home" "$work/bin/mrpb" estimate queue_selector --set QUEUES=3 --liberty "$library"
case_ "no library" 2 'needs --liberty' build/mrpb prove drain_selector --netlist "$work/selector.v"
sed 's/INVX1/UNHEARD/' "$work/selector.v" > "$work/net.v"
case_ "a cell that the library lacks" 2 'UNHEARD' $selector "$work/net.v"

echo "netlist: $passed passed, $failed failed"
[ $failed = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb export`: every file is read by a tool, or strictly by read.py; the pins of all models agree;
# the delays of the block are those of its netlist; what is wrong ends with one line.
#   tests/export/export.sh [--lef]    --lef: also magic or klayout, of configs/packages-export.txt
set -u
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work # a program elsewhere keeps a cache there, yosys a history
passed=0 failed=0
mrpb=$PWD/build/mrpb

. tests/case.sh
. tests/cosim/small.sh
. tests/estimate/library.sh

sizes() { # sizes MODULE: small ones
  case $1 in
  mrpb) echo --set QUEUES=3 --set DEPTH=2 --set DATA_W=4 --set BLOCKS=2 ;;
  mshr) echo --set ENTRIES=2 --set MERGES=2 --set ADDR_W=4 --set DATA_W=3 ;;
  fifo_bank) echo --set QUEUES=3 --set DEPTH=2 --set DATA_W=2 ;;
  flush_control) echo --set QUEUES=5 ;;
  l1_top) printf -- '--set %s ' LANES=2 WORDS=2 BUS_WORDS=1 SECTORS=1 ADDR_W=4 SETS=2 WAYS=1 MSHRS=2 MERGES=2 \
    BYPASSES=2 ENTRIES=2 STORES=2 WRITES=2 MISSES=2 READS=2 ANSWERS=1 QUEUES=2 DEPTH=2 BLOCKS=1 LATENCY=3 TAG_W=2 ;;
  *) small_sizes "$1" | sed -E 's/[^ ]+/--set &/g' ;;
  esac
}
read_py() { python3 tests/export/read.py "$@"; }
# in_ FOLDER COMMAND...: runs there
in_() { (cd "$1" && shift && "$@"); }

lower=
! yosys -p 'help chformal' | grep -q -- -lower || lower='chformal -lower;'

# ---- every module: the Verilog by its list, in three tools ----
for m in $(cmodel/modules.sh); do
  d=$work/$m
  case_ "export $m" 0 "$m/README.md" "$mrpb" export $m $(sizes $m) --no-logic --cycles 200 -o "$d"
  case_ "$m: lists" 0 'sources, .* files' read_py lists "$d" $m
  case_ "$m: Icarus" 0 "$m: 200 cycles, 0 errors" in_ "$d" sh -c \
    "iverilog -g2005 -Wall -o ../a.vvp -s ${m}_tb -f $m.f sim/${m}_tb.v && vvp -n ../a.vvp"
  case_ "$m: Yosys" 0 '^$' in_ "$d" sh -c "yosys -q -p \"read_verilog \$(tr '\n' ' ' < $m.f); hierarchy -check -top $m; proc; check -assert\" && echo"
  case_ "$m: assertions" 0 '^read$' in_ "$d" sh -c \
    "verilator --lint-only --assert -fno-const-bit-op-tree -Wno-fatal -Wno-lint --top-module $m -f $m.f formal/${m}_sva.sv && echo read"
  # the script part of the .sby, as SymbiYosys runs it in the folder of its files; it lowers the
  # checks of a newer Yosys
  case_ "$m: .sby" 0 '^read$' in_ "$d/formal" sh -c \
    "sed -n '/^\[script\]/,/^\[files\]/{/^\[/!p}' $m.sby > ../sby.ys && echo '$lower write_smt2 -wires ../job.smt2' >> ../sby.ys && yosys -q -s ../sby.ys && echo read"
  rm -f "$d/sby.ys"
done
case_ "a property holds from power-up" 0 'Status: PASSED' yosys-smtbmc -s z3 --noprogress --unroll -t 4 "$work/mshr/job.smt2"
rm -f "$work"/*/job.smt2

# The assertions are checked in a run: none fails; in a broken table one does, by its name.
cp -r "$work/mshr" "$work/broken"
sed -i 's/^\( *assign out_last_o *=\) \(.*\);$/  reg broken = 1'"'"'b0;\n  initial broken = $test$plusargs("broken") != 0;\n\1 (\2) ^ broken;/' "$work/broken/rtl/mshr.v"
case_ "the edit took place" 1 differ cmp "$work/mshr/rtl/mshr.v" "$work/broken/rtl/mshr.v"
in_ "$work/broken" verilator --binary --timing --assert -fno-const-bit-op-tree -Wno-fatal -Wno-lint -O0 -CFLAGS -O0 \
  --top-module mshr_tb -f mshr.f sim/mshr_tb.v formal/mshr_sva.sv > "$work/verilator.log" 2>&1
case_ "no assertion fails" 0 '^mshr: 200 cycles, 0 errors' in_ "$work/broken" obj_dir/Vmshr_tb
true_ "and none was said to" sh -c "! grep -qi assertion '$work/out'"
case_ "one of a broken table does" 134 'Assertion failed in .*u_mshr_sva\.silent_when_not_valid' in_ "$work/broken" obj_dir/Vmshr_tb +broken

# ---- with a netlist: one without a clock, one with a memory, one with words written in parts ----
cp "$library" "$work/slow.lib"
for m in mshr flush_control fifo_bank l1_top; do
  d=$work/gates_$m corner=
  [ $m = mshr ] && corner="--corner $work/slow.lib"
  case_ "export $m with its netlist" 0 "README.md" "$mrpb" export $m $(sizes $m | sed "s/--set DATA_W=2//") $liberty $corner --cycles 200 -o "$d"
  case_ "$m: pins" 0 'pins agree in [45] files' read_py pins "$d" $m
  case_ "$m: lists with a netlist" 0 'sources' read_py lists "$d" $m
  case_ "$m: activity" 0 'ports alike' read_py saif "$d" $m
  case_ "$m: netlist in Icarus" 0 "$m: 200 cycles, 0 errors" in_ "$d" sh -c \
    "iverilog -g2005 -o ../a.vvp -s ${m}_tb gates/cells.v gates/macros.v gates/$m.v sim/${m}_tb.v && vvp -n ../a.vvp"
  read_py top "$d" $m > "$d.top.v"
  case_ "$m: black box and Liberty in Yosys" 0 '^read$' in_ "$d" sh -c \
    "yosys -q -p \"read_verilog ${m}_bb.v ../gates_$m.top.v; hierarchy -check -top top\" && yosys -q -p \"read_liberty -lib \$(ls lib/*.lib | head -n 1); read_verilog ../gates_$m.top.v; hierarchy -check -top top\" && echo read"
done
case_ "a corner more, a file more" 0 '^2$' sh -c "ls '$work/gates_mshr/lib' | wc -l"

# ---- the block is timed as its netlist ----
# arcs DIR MODULE KIND SLEW LOAD: lines "FROM TO NS", with NS the slack of a clock of 1 ns
arcs() {
  local clock='[all_registers -clock_pins]'
  [ "$3" = netlist ] || clock='[get_pins u_block/clk_i]'
  {
    printf 'read_liberty %s\n' "$library"
    if [ "$3" = block ]; then
      printf 'read_liberty %s\nread_verilog %s.top.v\nlink_design top\n' "$(ls "$1"/lib/*.lib | head -n 1)" "$1"
    else
      for f in "$1"/gates/*.lib; do [ ! -e "$f" ] || echo "read_liberty $f"; done
      printf 'read_verilog %s/gates/%s.v\nlink_design %s\n' "$1" "$2" "$2"
    fi
    cat << END
create_clock -name clk -period 1 [get_ports -quiet clk_i]
set inputs {}
foreach p [all_inputs] { if {[get_property \$p full_name] != "clk_i"} { lappend inputs \$p } }
set_input_delay 0 -clock clk \$inputs
set_output_delay 0 -clock clk [all_outputs]
set_input_transition $4 \$inputs
set_load $5 [all_outputs]
foreach p \$inputs { regsub {\\[.*} [get_property \$p full_name] {} n; lappend in(\$n) \$p }
foreach p [all_outputs] { regsub {\\[.*} [get_property \$p full_name] {} n; lappend out(\$n) \$p }
proc one {from to side args} { puts "@ \$from \$to \$side"; report_checks -path_delay \$side -format summary -digits 6 {*}\$args }
foreach i [lsort [array names in]] {
  if {[llength [all_registers]]} { foreach side {max min} { one \$i - \$side -from \$in(\$i) -to [all_registers -data_pins] } }
  foreach o [lsort [array names out]] { one \$i \$o max -from \$in(\$i) -to \$out(\$o) } }
if {[llength [all_registers]]} { foreach o [lsort [array names out]] { one - \$o max -from $clock -to \$out(\$o) } }
puts done
END
  } > "$work/arcs.tcl"
  sta -no_splash -exit "$work/arcs.tcl" > "$work/arcs.log"
  { grep -q '^done' "$work/arcs.log" && ! grep -q '^Error' "$work/arcs.log"; } || { echo "sta failed" >&2; return 1; }
  awk '$1 == "@" { arc = $2 " " $3 " " $4 } $NF ~ /^-?[0-9]+\.[0-9]+$/ { print arc, $NF }' "$work/arcs.log"
}
# compare DIR MODULE SLEW LOAD TOLERANCE [outputs]: prints how many arcs are alike, in ns; of all, or
# of those to outputs
compare() {
  arcs "$1" "$2" netlist "$3" "$4" > "$work/netlist.arcs" && arcs "$1" "$2" block "$3" "$4" > "$work/block.arcs" || return 2
  awk -v most="$5" -v outputs="${6:-}" '
    outputs && $2 == "-" { next }
    FNR == NR { want[$1 " " $2 " " $3] = $4; n++; next }
    { key = $1 " " $2 " " $3; have++
      if (!(key in want)) { print "only in the block: " key; bad = 1; next }
      d = $4 - want[key]; if (d < 0) d = -d
      if (d > most) { print key ": netlist " want[key] ", block " $4; bad = 1 } }
    END { if (n != have) { print n " arcs of the netlist, " have + 0 " of the block"; bad = 1 }
          if (bad || !n) exit 1; print n " arcs alike" }' "$work/netlist.arcs" "$work/block.arcs"
}
between() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%g", (a + b) / 2 }'; }
for m in mshr flush_control fifo_bank; do
  d=$work/gates_$m
  lib=$(ls "$d"/lib/*.lib | head -n 1)
  read -r slew slow < <(sed -n '/by_both/,/}/s/.*index_1 ("\([0-9.]*\), \([0-9.]*\)").*/\1 \2/p' "$lib")
  read -r low mid high < <(sed -n '/by_both/,/}/s/.*index_2 ("\([0-9.]*\), \([0-9.]*\), \([0-9.]*\)").*/\1 \2 \3/p' "$lib")
  case_ "$m: block and netlist, at a point of the tables" 0 'arcs alike' compare "$d" $m "$slew" "$mid" 0.000005
  case_ "$m: with another slew" 0 'arcs alike' compare "$d" $m "$slow" "$mid" 0.03
  case_ "$m: with another load" 0 'arcs alike' compare "$d" $m "$slew" "$high" 0.000005 outputs
  case_ "$m: between points" 0 'arcs alike' compare "$d" $m "$(between "$slew" "$slow")" "$(between "$mid" "$high")" 0.05 outputs
  # SDC, netlist and a design that contains the block, as a flow reads them
  cat > "$work/flow.tcl" << END
read_liberty $library
foreach f [glob -nocomplain $d/gates/*.lib] { read_liberty \$f }
read_verilog $d/gates/$m.v
if {[link_design $m] != 1} { puts "Error: link" }
read_sdc $d/$m.sdc
report_checks
report_checks -path_delay min
puts done
END
  case_ "$m: netlist and SDC in OpenSTA" 0 '^done' sta -no_splash -exit "$work/flow.tcl"
  true_ "$m: a path, and no error" sh -c "grep -q slack '$work/out' && ! grep -qE '^(Error|Warning)' '$work/out'"
done
# A block whose table is wrong is noticed.
sed -i '0,/cell_rise (by_both) { values ("/s//&9/' "$work/gates_flush_control/lib/"*.lib
case_ "a wrong delay" 1 'block' compare "$work/gates_flush_control" flush_control "$slew" "$low" 0.05
sed -i '0,/PIN full_i\[2\]/s//PIN full_i[7]/; s/END full_i\[2\]/END full_i[7]/' "$work/gates_flush_control/flush_control.lef"
case_ "a wrong pin" 1 'pin full_i' read_py pins "$work/gates_flush_control" flush_control

# ---- the folder ----
small="$mrpb export flush_control --set QUEUES=2 --no-logic --cycles 16"
case_ "a folder anew" 0 README $small -o "$work/flush_control"
case_ "nothing else is left" 0 '^0$' sh -c "ls -d '$work'/*.part '$work'/*.old '$work'/flush_control/.s* 2> /dev/null | wc -l"
echo mine > "$work/flush_control/lib.txt"
strict=1
case_ "a file that is not ours" 2 'lib\.txt: not written by `mrpb export`' $small -o "$work/flush_control"
true_ "stays" grep -qx mine "$work/flush_control/lib.txt"
mkdir "$work/full" "$work/empty"
touch "$work/full/x"
case_ "another folder" 2 'full/x: not written by' $small -o "$work/full"
case_ "a file in the way" 2 'full/x: .*legal: -o of a folder' $small -o "$work/full/x"
case_ "below a file" 2 'x' $small -o "$work/full/x/y"
strict=
case_ "an empty folder" 0 README $small -o "$work/empty/"
strict=1
mkdir "$work/here"
case_ "no name" 2 'legal: the path of a folder with its name' in_ "$work/here" $small -o .
case_ "no folder" 2 'no folder; legal: -o DIR' $small
case_ "no module" 2 'no module; legal: MODULE' "$mrpb" export -o "$work/none"
case_ "unknown module" 2 "nearest: mshr" "$mrpb" export mhsr -o "$work/none"
case_ "illegal size" 2 'flush_control_QUEUES_must_be_1_to_64' $small --set QUEUES=65 -o "$work/none"
case_ "unknown size" 2 'nearest: QUEUES' $small --set QUEUE=3 -o "$work/none"
case_ "no such library" 2 '/nowhere\.lib: cannot read' "$mrpb" export flush_control --liberty /nowhere.lib -o "$work/none"
case_ "a library and no netlist" 2 'legal: without --liberty' $small --liberty "$library" -o "$work/none"
case_ "utilisation" 2 '--utilisation 2: legal: above 0, up to 1' $small --utilisation 2 -o "$work/none"
case_ "layer" 2 '--layer a b: legal' $small --layer "a b" -o "$work/none"
sed 's/cell (INVX1)/cell (INVX9)/; s/cell (NAND2X1)/cell (NAND2X9)/; s/cell (NOR2X1)/cell (NOR2X9)/' "$library" > "$work/others.lib"
case_ "a corner with other cells" 2 "--corner .*others\.lib: no cell [A-Z0-9]*X1; legal: the cells of" "$mrpb" export flush_control --set QUEUES=5 $liberty --corner "$work/others.lib" -o "$work/none"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 3\n' > "$work/bin/iverilog"
chmod +x "$work/bin/iverilog"
case_ "a tool that fails" 2 'iverilog: ended with exit code 3' env PATH="$work/bin:$PATH" $small -o "$work/none"
strict=
printf '#!/bin/sh\nkill -INT %s\nsleep 5\n' '$PPID' > "$work/bin/iverilog"
case_ "Ctrl-C in a tool" 130 'interrupted' env PATH="$work/bin:$PATH" $small -o "$work/none"
true_ "nothing was written" sh -c "! [ -e '$work/none' ] && ! [ -e '$work/none.part' ]"

# ---- LEF by the tools for layouts ----
if [ "${1:-}" = --lef ]; then
  for tool in magic klayout; do command -v $tool > "$work/out" || { echo "skipped: $tool is not here"; continue; }
    case $tool in
    magic)
      printf 'lef read %s\nload mshr\nputs "size [box]"\nselect top cell\nputs "ports [port last]"\nquit -noprompt\n' \
        "$work/gates_mshr/mshr.lef" > "$work/magic.tcl"
      case_ "LEF in magic" 0 'ports 36' magic -dnull -noconsole -T scmos "$work/magic.tcl" ;;
    klayout)
      printf 'ly = RBA::Layout.new\no = RBA::LoadLayoutOptions.new\no.format = "LEFDEF"\nly.read("%s", o)\nputs ly.top_cell.name\n' \
        "$work/gates_mshr/mshr.lef" > "$work/lef.rb"
      case_ "LEF in klayout" 0 '^mshr$' klayout -zz -r "$work/lef.rb" ;;
    esac
  done
fi
echo "export: $passed passed, $failed failed"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make estimate-pdks PDKS=folder: the libraries in folder/{nangate45,sky130,ihp,gf180,asap7} as
# shipped, and beside `mrpb estimate` a flow by hand that uses none of its code: Yosys, ABC and
# OpenSTA on the project's Verilog. Area and longest path must agree within 5 %. The same netlist in
# another order differs by some per cent (docs/estimate/logic.md), so both sides give the medians of
# equivalent netlists: the hand's from shuffled gates, ours from --record.
set -u
cd "$(dirname "$0")/../.."
pdks=${1:?usage: tests/estimate/pdks.sh FOLDER}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mrpb=$PWD/build/mrpb
failed=0 compared=0

# The files of a library, separated by commas; its cell that drives inputs, and the input capacitance
# of its NAND2 in fF: read in the files by a person.
files() {
  case $1 in
  nangate45) ls "$pdks"/nangate45/nangate45_typ.lib* ;;
  sky130) ls "$pdks"/sky130/sky130hd_tt.lib* ;;
  ihp) ls "$pdks"/ihp/sg13g2_stdcell_typ_1p20V_25C.lib* ;;
  gf180) ls "$pdks"/gf180/gf180mcu_fd_sc_mcu7t5v0__tt_025C_5v00.lib* ;;
  asap7) ls "$pdks"/asap7/asap7sc7p5t_*_RVT_TT_nldm_*.lib* ;;
  esac 2> /dev/null | paste -sd,
}
driver() {
  case $1 in
  nangate45) echo BUF_X1 6.6568 ;;
  sky130) echo sky130_fd_sc_hd__buf_1 9.296 ;;
  ihp) echo sg13g2_buf_1 11.91248 ;;
  gf180) echo gf180mcu_fd_sc_mcu7t5v0__buf_1 18.104 ;;
  asap7) echo BUFx2_ASAP7_75t_R 3.961324 ;;
  esac
}
# Cells that no netlist may have: docs/estimate/libraries.md.
unused() {
  case $1 in
  sky130) echo '__(lpflow_|probe|clkdlybuf|dlygate|dlymetal)' ;;
  ihp) echo 'sg13g2_(sighold|dlygate)' ;;
  gf180) echo '__(hold|dly)' ;;
  asap7) echo 'xp|x1p|^SDF|^ICG' ;;
  *) echo '^$' ;;
  esac
}

# One plain file: cells of all files; no wire loads, no cells that are not to be used.
merge() { # merge LIBRARY FILES
  local file first=1
  for file in ${2//,/ }; do
    case $file in *.gz) gzip -dc "$file" ;; *) cat "$file" ;; esac |
      python3 tests/estimate/pdks_clean.py "$(unused "$1")" $first
    first=0
  done
  echo "}"
}

# A memory is cut out: its pins become ports of the rest.
cut_out() {
  case $1 in
  mrpb) echo 'blackbox *sram_1r1w*; flatten; expose -evert t:*sram_1r1w*' ;;
  mshr) echo 'flatten; memory -nomap; opt_clean; expose -evert c:data_q' ;;
  *) echo flatten ;;
  esac
}
abc=$(command -v berkeley-abc || command -v yosys-abc)

hand() { # hand LIBRARY MODULE SEED: area, flip-flops, and the longest path between registers
  local folder=$work/$1.$2.$3 lib=$work/$1.lib cell load
  read -r cell load < <(driver "$1")
  mkdir -p "$folder"
  cat > "$folder/hand.ys" << END
read_verilog -DSYNTHESIS rtl/*.v
hierarchy -check -top $2
proc; $(cut_out "$2"); opt -full; wreduce; peepopt; opt_clean; alumacc; share; opt
memory; opt -full; techmap; opt -fast; opt_clean
dfflegalize -cell \$_DFF_P_ x
opt -fast -nodffe -nosdff
abc -exe $abc -fast; opt -fast -nodffe -nosdff
dfflibmap -liberty $lib
rename -scramble-name -seed $3 t:\$_*_ n:\$*
write_rtlil $folder/order.il
abc -exe $abc -liberty $lib -constr $folder/io.constr -D 200 -script +strash;ifraig;scorr;dc2;strash;dch,-f;map,-B,0.9,{D};topo;buffer,-c;topo;upsize,{D};dnsize,{D};stime,-p
opt_clean; setundef -zero; splitnets; opt_clean -purge
tee -q -o $folder/stat.txt stat -liberty $lib
write_verilog -noattr -noexpr -nohex -nodec $folder/net.v
END
  printf 'set_driving_cell %s\nset_load %s\n' "$cell" "$load" > "$folder/io.constr"
  cat > "$folder/hand.tcl" << END
read_liberty $lib
read_verilog $folder/net.v
if {[link_design $2] != 1} { puts "Error: link" }
set_cmd_units -time ns -capacitance fF
create_clock -name clk -period 100 [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
report_checks -path_delay max -digits 6 -from [all_registers -clock_pins] -to [all_registers -data_pins]
END
  yosys -q -s "$folder/hand.ys" > "$folder/yosys.log" 2>&1 || { tail -3 "$folder/yosys.log" >&2; return 1; }
  sta -no_splash -exit "$folder/hand.tcl" > "$folder/sta.log" 2>&1
  ! grep ^Error "$folder/sta.log" >&2 || return 1
  echo "$(awk '/Chip area/ {print $NF}' "$folder/stat.txt") $(awk '/slack/ {print 100 - $1; exit}' "$folder/sta.log")"
}

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

for library in nangate45 sky130 ihp gf180 asap7; do
  all=$(files $library)
  [ -n "$all" ] || { echo "skipped: $pdks/$library has no library that this script knows"; continue; }
  merge $library "$all" > "$work/$library.lib"
  printf '{"modules": [%s]}\n' "$(printf '{"module": "%s", "netlists": 5, "parameters": {}},' drain_selector mrpb mshr | sed 's/,$//')" > "$work/$library.json"
  $mrpb estimate --liberty "$all" --record "$work/$library.json" > "$work/out" 2>&1 || {
    failed=$((failed + 1)) && echo "FAILED: $library: $(tail -1 "$work/out")" && continue; }
  for module in drain_selector mrpb mshr; do
    for seed in 1 2 3 4 5; do hand $library $module $seed; done > "$work/hand"
    [ "$(wc -l < "$work/hand")" = 5 ] || { failed=$((failed + 1)) && echo "FAILED: $library $module: the flow by hand" && continue; }
    python3 - "$work/$library.json" $library $module "$(cut -d' ' -f1 "$work/hand" | median)" "$(cut -d' ' -f2 "$work/hand" | median)" << 'END'
import json, sys
path, library, module, area, ns = sys.argv[1:]
ours = next(m for m in json.load(open(path))["modules"] if m["module"] == module)["figures"]
a, p = ours["area_um2"] / float(area) - 1, ours["register_period_ns"] / float(ns) - 1
good = abs(a) <= 0.05 and abs(p) <= 0.05
print(f'{"ok" if good else "FAILED":7} {library:10} {module:15} area {ours["area_um2"]:10.1f} um2, by hand {float(area):10.1f} '
      f'({100 * a:+.1f} %); registers {ours["register_period_ns"]:.3f} ns, by hand {float(ns):.3f} ({100 * p:+.1f} %)')
sys.exit(not good)
END
    [ $? = 0 ] || failed=$((failed + 1))
    compared=$((compared + 1))
  done
done
echo "pdks: $compared compared, $failed failed"
[ "$failed" = 0 ] && [ "$compared" -gt 0 ]

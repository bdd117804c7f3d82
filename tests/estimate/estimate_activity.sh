#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Activity of a run: the Verilog counts what the C model counts; a Verilog that switches differently
# is noticed; the wave and the SAIF file agree; and OpenSTA reads the Tcl: every flip-flop gets its
# own activity, and the power follows.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # check NAME COMMAND...: success, or one line and the command's output
  local name=$1
  shift
  if "$@" > "$work/out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: $(tail -n 3 "$work/out" | cut -c1-300)"
  fi
}
refused() { # refused NAME PATTERN COMMAND...: exit 2, one line that matches
  local name=$1 pattern=$2 status=0
  shift 2
  "$@" > /dev/null 2> "$work/err" || status=$?
  if [ $status = 2 ] && [ "$(wc -l < "$work/err")" = 1 ] && grep -qE -- "$pattern" "$work/err"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status: $(head -c 300 "$work/err")"
  fi
}

# Tables small enough to be synthesised as flip-flops, so that every bit is checked.
small=(--set MRPB_QUEUES=4 --set MRPB_DEPTH=2 --set MSHR_ENTRIES=4 --set MSHR_MERGES=2 --set PRT_ENTRIES=2)
run() { build/mrpb run -c configs/base-s-mrpb.conf --cut 2 "${small[@]}" "$@"; }
differ() { ! diff -rq "$@"; }

# ---- C model and Verilog ----
check "counted in the C model" run --activity "$work/c" --vcd "$work/run.vcd"
check "counted in the Verilog" run --activity "$work/rtl" --impl mrpb=rtl,mshr=rtl,prt=rtl --no-check
check "counted in both" run --activity "$work/both" --impl mrpb=both,mshr=both,prt=both
cp "$work/out" "$work/said"
check "both were compared" grep -q 'mrpb: .*C model and Verilog count the same' "$work/said"
check "C model and Verilog: the same files" diff -r "$work/c" "$work/rtl"
check "in lockstep: the same files" diff -r "$work/c" "$work/both"
check "a second time: the same files" run --activity "$work/c"
check "a second time, compared" diff -r "$work/c" "$work/both"
check "another SM" run --activity "$work/other" --activity-sm 3
check "another SM counts otherwise" differ "$work/c/bits.csv" "$work/other/bits.csv"
# A freed entry clears its address: invisible from outside, but it switches.
cp -r rtl "$work/my_rtl"
sed -i 's|if (fill) order_q\[order_tail\] <= fill_entry_i;|& if (release_e) addr_q[drain_entry] <= 0;|' "$work/my_rtl/mshr.v"
check "there is such a line" differ rtl/mshr.v "$work/my_rtl/mshr.v"
check "counted in another Verilog" run --activity "$work/mine" --impl mshr=rtl --rtl "$work/my_rtl"
check "which does the same" diff <(cut -d, -f1-12 "$work/c/access.csv") <(cut -d, -f1-12 "$work/mine/access.csv")
check "and switches otherwise" differ "$work/c/bits.csv" "$work/mine/bits.csv"

# ---- the wave, counted independently; the SAIF files ----
cat > "$work/wave.awk" << 'END'
# Toggles and cycles at 1 of every bit below run.sm1 in a VCD, as lines of bits.csv; cycles end at
# the next rise of clk_i.
function finish(id, b) { if (value[id, b] == 1) ones[id, b] += cycle - since[id, b] }
$1 == "$scope" { path[++depth] = $3 }
$1 == "$upscope" { depth-- }
$1 == "$var" && path[2] == "sm1" && depth == 2 && $5 == "clk_i" { clk = $4 }
$1 == "$var" && path[2] == "sm1" && depth >= 3 {
  name[$4] = $5; for (d = depth; d >= 4; d--) name[$4] = path[d] "." name[$4]
  unit[$4] = path[3]; width[$4] = $3; kind[$4] = $2; order[++n] = $4
}
$1 == "$enddefinitions" { cycle = -1 }
/^[01b]/ {
  if ($1 ~ /^b/) { id = $2; v = substr($1, 2) } else { id = substr($1, 2); v = substr($1, 1, 1) }
  if (id == clk && v == 1) cycle++
  if (!(id in name)) next
  while (length(v) < width[id]) v = "0" v
  for (b = 0; b < width[id]; b++) {
    x = substr(v, width[id] - b, 1)
    if ((id, b) in value) {
      if (x == value[id, b]) continue
      toggles[id, b]++
      finish(id, b)
    }
    value[id, b] = x; since[id, b] = cycle
  }
}
END {
  cycle++
  for (i = 1; i <= n; i++) {
    id = order[i]; word = 0; plain = name[id]
    if (match(plain, /\[[0-9]+\]$/)) { word = substr(plain, RSTART + 1, RLENGTH - 2); plain = substr(plain, 1, RSTART - 1) }
    for (b = 0; b < width[id]; b++) {
      finish(id, b)
      print unit[id] "," plain "," word "," b "," toggles[id, b] + 0 "," ones[id, b] + 0
    }
  }
}
END
awk -F, 'NR > 1 { print $1 "," $3 "," $4 "," $5 "," $6 "," $7 }' "$work/c/bits.csv" | sort > "$work/bits"
awk -f "$work/wave.awk" "$work/run.vcd" | sort > "$work/wave"
check "the wave has every bit, and the same toggles and ones" diff "$work/bits" "$work/wave"
check "most bits toggle" awk -F, '$5 > 0 { n++ } END { exit !(n > NR / 4) }' "$work/bits"

cat > "$work/saif.awk" << 'END'
# A backward SAIF file as lines of bits.csv; exits with 1 if the file is not one.
{ line = $0; open += gsub(/\(/, "(", line); open -= gsub(/\)/, ")", line) }
/\(SAIFVERSION "2.0"\)/ { good++ }
/\(DIRECTION "backward"\)/ { good++ }
/\(DIVIDER \/ \)/ { good++ }
/\(TIMESCALE 1 ps\)/ { good++ }
/\(DURATION [0-9]+\)/ { duration = $2 + 0 }
/\(INSTANCE / { instance[open] = $2 }
/\(T0 / {
  gsub(/[()]/, "")
  if ($3 + $5 != duration || $7 != 0 || $11 != 0) bad++
  if ($1 == "clk_i") { period = duration / ($9 / 2); if (2 * $3 != duration) bad++; next }
  word = 0; bit = 0; n = split($1, part, /\\\[|\\\]/)
  count = 0
  for (i = 2; i <= n; i++) if (part[i] != "") index_[++count] = part[i]
  print unit "," (instance[3] != "" && open > 3 ? instance[3] "." : "") part[1] "|" count "|" index_[1] "|" index_[2] "|" $9 "|" $5 / period
}
END { if (open != 0 || good != 4 || bad) { print "good " good " open " open " bad " bad > "/dev/stderr"; exit 1 } }
END
for unit in mrpb mshr prt; do
  check "$unit.saif" awk -v unit=$unit -f "$work/saif.awk" "$work/c/$unit.saif"
  cut -d, -f2- "$work/out" | awk -F'|' '{ print $(NF - 1) "," $NF }' | sort > "$work/saif"
  grep "^$unit," "$work/bits" | cut -d, -f5- | sort > "$work/want"
  check "$unit.saif: toggles and ones" diff "$work/want" "$work/saif"
done

# ---- OpenSTA ----
. tests/estimate/library.sh
lib=$library
synthesise() { # synthesise MODULE NAME=VALUE...: $work/MODULE.v
  local module=$1 set='' p
  shift
  for p in "$@"; do set+=" -set ${p%%=*} ${p#*=}"; done
  env -u HOME yosys -q -p "read_verilog -defer -DSYNTHESIS $(echo rtl/*.v); chparam$set $module; hierarchy -check -top $module
    synth -flatten -nofsm -nordff -top $module; delete t:\$scopeinfo; dfflibmap -liberty $lib; abc -fast -liberty $lib; opt_clean -purge
    setundef -zero; splitnets; opt_clean -purge; write_verilog -noattr -noexpr -nohex -nodec $work/$module.v"
}
power() { # power MODULE TCL: OpenSTA's report with that activity, without errors
  cat > "$work/power.tcl" << END
read_liberty $lib
read_verilog $work/$1.v
if {[link_design $1] != 1} { puts "Error: no $1" }
create_clock -name clk -period 2 [get_ports clk_i]
foreach port [all_inputs] { if {[get_full_name \$port] ne "clk_i"} { set_input_delay 0 -clock clk \$port } }
$3
source $2
report_power
foreach pin [all_registers -output_pins] {
  set net [lindex [get_nets -of_objects \$pin] 0]
  lassign [get_property \$pin activity] rate duty origin
  puts "flop [string map {\\\\ {}} [get_full_name \$net]] [expr {\$rate * 2e-9}] \$duty \$origin"
}
END
  sta -no_splash -exit "$work/power.tcl" > "$work/$1.power" 2>&1
  ! grep -E '^(Error|Warning)' "$work/$1.power" && grep -q '^Total' "$work/$1.power"
}
switching() { awk '/^Combinational/ { print $3 }' "$work/$1.power"; }
near() { awk -v a="$1" -v b="$2" -v of="$3" 'BEGIN { exit !(a > b * (1 - of) && a < b * (1 + of)) }'; }
# The Tcl of a unit, with all activities multiplied by a factor.
scaled() { awk -v by="$2" '/^mrpb_(input|register) / { $(NF - 1) *= by } { print }' "$work/c/$1.tcl" > "$work/scaled.tcl"; }
registers_match() { # a flip-flop has the activity of a bit with the same duty and rate in the Tcl
  awk 'FNR == NR && /^mrpb_register/ { gsub(/[{}]/, ""); rate[$2] = $3; duty[$2] = $4; next }
       $1 == "flop" { n++; d = $3 - rate[$2]; e = $4 - duty[$2]
         if (!($2 in rate) || $5 != "user" || d * d > 1e-8 || e * e > 1e-6) { print; bad++ } }
       END { exit bad || n == 0 }' "$work/c/$1.tcl" "$work/$1.power"
}
try_unit() { # try_unit MODULE NAME=VALUE...
  local module=$1 once
  check "$module: synthesis" synthesise "$@"
  check "$module: OpenSTA takes the Tcl" power "$module" "$work/c/$module.tcl" ""
  check "$module: every flip-flop is found" awk '/^activity of/ { split($0, a, /[ ,]+/); exit !($7 > 0 && $7 == $9) }' "$work/$module.power"
  check "$module: each has its own" registers_match "$module"
  once=$(switching "$module")
  check "$module: OpenSTA after a report of its own" power "$module" "$work/c/$module.tcl" "report_power > $work/before"
  check "$module: the same power then" near "$(switching "$module")" "$once" 0.001
  scaled "$module" 2
  check "$module: twice the toggles" power "$module" "$work/scaled.tcl" ""
  check "$module: twice the power of switching" near "$(switching "$module")" "$(awk -v x="$once" 'BEGIN { print 2 * x }')" 0.02
}
try_unit mrpb QUEUES=4 DEPTH=2
try_unit mshr ENTRIES=4 MERGES=2
try_unit prt ENTRIES=2

# ---- energy of events ----
# With nothing but idle cycles, the energy is that of the clock pins, in proportion to their number.
energy() { build/mrpb estimate mshr --set ENTRIES="$1" --set MERGES=2 $liberty --energy > "$work/energy.$1"; }
cell() { awk -F'|' -v row=" $2 " '$2 == row { print $3 + 0 }' "$work/energy.$1"; }
flops() { sed -n 's/.*clock pins of \([0-9]*\) flip-flops.*/\1/p' "$work/energy.$1"; }
check "events of a small table" energy 4
check "events of a larger one" energy 8
check "idle cycles: as the flip-flops" near "$(cell 8 'idle cycle')" \
  "$(awk -v e="$(cell 4 'idle cycle')" -v a="$(flops 4)" -v b="$(flops 8)" 'BEGIN { print e * b / a }')" 0.01
check "a row for each event" test "$(grep -cE '^\| (look-up|allocate|merge|fill|drain|release.*) \|' "$work/energy.4")" = 6
refused "no events of this module" '--energy: legal with mrpb, mshr and prt' build/mrpb estimate drain_selector --energy

# ---- the estimate ----
estimate=(build/mrpb estimate -c configs/base-s-mrpb.conf -o "$work/estimate" --no-logic)
check "in one command" "${estimate[@]}" --kernel atax --cut 2 --vary MRPB_DEPTH=2,4
check "an alternative each" grep -qE '^\| `mrpb.u_fifo_bank.u_mem.mem_q` read \| 0\.[0-9]+ \| 0\.[0-9]+ \|$' "$work/estimate/report.md"
check "its files" test -s "$work/estimate/activity/MRPB_DEPTH=4/prt.saif"
check "from a run's files" "${estimate[@]}" --activity "$work/c" "${small[@]}"
refused "of another configuration" 'of a run of configuration [0-9a-f]+, this is [0-9a-f]+' "${estimate[@]}" --activity "$work/c"
refused "no such folder" 'nowhere: No such file' "${estimate[@]}" --activity "$work/nowhere"
echo '{"format": 1}' > "$work/odd.json"
refused "no activity" 'odd.json: no activity.json' "${estimate[@]}" --activity "$work/odd.json"
head -c 900 "$work/c/activity.json" > "$work/cut.json"
refused "cut off" 'cut.json:[0-9]+: ' "${estimate[@]}" --activity "$work/cut.json"
refused "unknown kernel" '--kernel ataxx: unknown; nearest: atax' "${estimate[@]}" --kernel ataxx
refused "kernel and files" '--activity .*: legal: without --kernel' "${estimate[@]}" --kernel atax --activity "$work/c"
refused "no such SM" '--activity-sm 14; legal: 0 to 13' run --activity "$work/x" --activity-sm 14
refused "a file in the way" 'run.vcd: Not a directory' run --activity "$work/run.vcd"
refused "without bounds" 'MRPB_DEPTH = 0 is unbounded' run --activity "$work/x" --set MRPB_DEPTH=0

echo "estimate-activity: $passed passed, $failed failed"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens waves in GTKWave without a screen. GTKWave silently drops a signal that the dump lacks, so
# the displayed signals are compared with the save file and with the dump: nothing may be missing on
# either side. The save file of a mismatch must put the marker and the window where the report says.
set -u
cd "$(dirname "$0")/../.."
if [ -z "${WAVES_SCREEN:-}" ]; then exec env WAVES_SCREEN=1 xvfb-run -a -s "-screen 0 1920x1200x24" "$0"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/cosim/small.sh
cat > "$work/displayed.tcl" <<'TCL'
set f [open $::env(DISPLAYED) w]
foreach s [gtkwave::getDisplayedSignals] { puts $f $s }
close $f
set f [open $::env(DISPLAYED).view w]
puts $f "[gtkwave::getMarker] [gtkwave::getNamedMarker A] [gtkwave::getNamedMarker B]"
puts $f "[gtkwave::getWindowStartTime] [gtkwave::getWindowEndTime]"
close $f
gtkwave::/File/Quit
TCL

result() { # result NAME STATUS WHAT
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1: $3"; fi
}

# The names of the dump, as GTKWave writes them: scope.name[msb:0].
dumped() { # dumped VCD
  awk '$1 == "$scope" {scope[++n] = $3} $1 == "$upscope" {n--}
       $1 == "$var" {name = ""; for (i = 1; i <= n; i++) name = name scope[i] "."
                     print name $5 ($6 == "$end" ? "" : $6)}
       $1 == "$enddefinitions" {exit}' "$1" | sort -u
}

# A line `+{u_bank.head_q[2:0]} mrpb.u_bank.head_q[2:0]` gives a signal the name that is shown.
full() { # full SAVE: its lines, signals by their names in the dump
  sed 's/^+{[^}]*} //' "$1"
}

shown() { # shown NAME DUMP SAVE [VCD]: VCD has the same signals as the dump, which is FST
  rm -f "$work/displayed"
  DISPLAYED="$work/displayed" timeout 60 gtkwave -S "$work/displayed.tcl" "$2" "$3" > "$work/log" 2>&1
  sort "$work/displayed" > "$work/sorted"
  full "$3" | grep -E '^[a-z_0-9]+\.' | sort > "$work/wanted"
  [ -s "$work/wanted" ] && diff "$work/wanted" "$work/sorted" > "$work/diff"
  result "$1" $? "save file and display differ: $(head -3 "$work/diff" | tr '\n' ' ')"
  dumped "${4-$2}" | diff - <(sort -u "$work/sorted") > "$work/diff"
  result "$1, dump" $? "dump and display differ: $(head -3 "$work/diff" | tr '\n' ' ')"
}

# Every module: the save file in git with the default sizes, the one written beside the wave with
# small sizes: those below, else those of its proof.
own_sizes() { # own_sizes MODULE
  case $1 in
  queue_selector) echo QUEUES=3 SIGNATURE=2 ;;
  fifo_bank) echo QUEUES=2 DEPTH=1 DATA_W=8 ;;
  drain_selector) echo QUEUES=1 DEPTH=1 POLICY=3 ;;
  flush_control) echo QUEUES=1 FLUSH=1 ;;
  mrpb) echo QUEUES=3 DEPTH=2 LATENCY=7 BLOCKS=5 POLICY=4 SIGNATURE=0 DATA_W=16 ;;
  mshr) echo ENTRIES=3 MERGES=5 ADDR_W=2 DATA_W=5 ;;
  prt) echo ENTRIES=3 LANES=5 OFFSET_W=3 TAG_W=33 ORDER=1 ;;
  *) small_sizes "$1" ;;
  esac
}
for stem in $(cmodel/modules.sh); do
  sizes=$(own_sizes "$stem")
  build/mrpb cosim "$stem" --cycles 2000 --vcd "$work/$stem.vcd" > /dev/null 2>&1
  shown "$stem" "$work/$stem.vcd" "$work/$stem.gtkw"
  build/mrpb cosim "$stem" $(printf -- '--set %s ' $sizes) --cycles 2000 --vcd "$work/small.vcd" > /dev/null 2>&1
  shown "$stem $sizes" "$work/small.vcd" "$work/small.gtkw"
done

# Differences: a register of a FIFO inside the MRPB (after the edge), an output of the MSHR (before it).
mkdir "$work/rtl" && cp rtl/*.v "$work/rtl"
sed -i 's/else if (down\[i\] && !up\[i\])/else if (down[i])/' "$work/rtl/fifo_bank.v"
sed -i 's/(drain_len == LEN_ONE)/(drain_len >= LEN_ONE)/' "$work/rtl/mshr.v"
! cmp -s rtl/fifo_bank.v "$work/rtl/fifo_bank.v" && ! cmp -s rtl/mshr.v "$work/rtl/mshr.v"
result "lines to break" $? "rtl/fifo_bank.v and rtl/mshr.v no longer have them"

# differs MODULE TYPE SIGNAL OFFSET: the marker is OFFSET ns after the failing cycle's first edge
differs() {
  build/mrpb cosim "$1" --rtl "$work/rtl" --no-shrink --vcd "$work/$1.$2" > "$work/report" 2> "$work/err"
  [ $? = 1 ]
  result "$1 $2" $? "no mismatch: $(cat "$work/err")"
  local cycle marker a b first last
  cycle=$(sed -n 's/^MISMATCH .*, cycle \([0-9]*\),.*/\1/p' "$work/report")
  [ "$2" = vcd ] || build/mrpb cosim "$1" --rtl "$work/rtl" --no-shrink --vcd "$work/$1.vcd" > /dev/null 2>&1
  shown "$1 $2" "$work/$1.$2" "$work/$1.gtkw" "$work/$1.vcd"
  full "$work/$1.gtkw" | sed '/^-Mismatch$/,/^-Mismatch$/!d' | grep -qE "^$1\.(.*\.)?ref_$3"
  result "$1 $2, first" $? "ref_$3 is not in the group Mismatch"
  { read -r marker a b; read -r first last; } < "$work/displayed.view"
  [ "$a" = $((10 * cycle)) ] && [ "$b" = $((10 * cycle + 10)) ] && [ "$marker" = $((a + $4)) ]
  result "$1 $2, markers" $? "cycle $cycle, markers $marker $a $b"
  [ "${first%.*}" -le "$a" ] && [ "${last%.*}" -ge "$b" ]
  result "$1 $2, window" $? "cycle $cycle at $a, but the window is $first to $last"
}
differs mrpb vcd empty_q 10
differs mshr vcd out_last_o 0
differs mshr fst out_last_o 0

atax() { # atax FOLDER: a window of a whole run
  (cd "$1" && "$OLDPWD/build/mrpb" run -c "$OLDPWD/configs/base-s-mrpb.conf" --kernel atax --cut 4 --json run.json \
    --vcd run.vcd --vcd-sm 1 --from 500 --to 900 > run.txt)
}
atax "$work"
shown run "$work/run.vcd" "$work/run.gtkw"
# It opens where something happens: on about a hundred of its 401 cycles, which start shortly before
# an MSHR is allocated or released.
cycle=1739130 # fs, at 575 MHz
{ read -r _; read -r first last; } < "$work/displayed.view"
awk -v from="${first%.*}" -v to="${last%.*}" -v c="$cycle" \
  'BEGIN {exit !(to - from > 50 * c && to - from < 300 * c && from >= 500 * c && from < 900 * c)}'
result "run, zoom" $? "the window is $first to $last fs"
awk -v from="${first%.*}" -v to="${last%.*}" '
  $1 == "$var" && ($5 == "mshrs" || $5 == "mrpb_held" || $5 == "prt_used") {code[$4] = 1}
  /^#/ {at = substr($0, 2) + 0}
  /^b/ && ($2 in code) && at > from && at < to {n++} END {exit !(n > 0)}' "$work/run.vcd"
result "run, activity" $? "nothing happens from $first to $last"
(cd "$work" && "$OLDPWD/build/mrpb" run -c "$OLDPWD/configs/base-s-mrpb.conf" --kernel atax --cut 4 --vcd short.vcd --from 500 --to 539 > /dev/null)
shown "a short run" "$work/short.vcd" "$work/short.gtkw"
{ read -r _; read -r first last; } < "$work/displayed.view"
awk -v from="${first%.*}" -v to="${last%.*}" -v c="$cycle" 'BEGIN {exit !(from <= 502 * c && to >= 538 * c && to - from < 120 * c)}'
result "a short run, all of it" $? "the window is $first to $last fs"

# Equal runs leave equal files.
mkdir "$work/again" && atax "$work/again"
for f in run.txt run.json run.vcd run.gtkw; do diff "$work/$f" "$work/again/$f" > "$work/diff"
  result "two runs, $f" $? "$(head -3 "$work/diff")"; done
for dir in "$work" "$work/again"; do
  (cd "$dir" && "$OLDPWD/build/mrpb" cosim fifo_bank --rtl "$work/rtl" --regress . --vcd bank.vcd > bank.txt)
  [ $? = 1 ]
  result "fifo_bank differs" $? "$(head -3 "$dir/bank.txt")"
done
for f in bank.txt bank.vcd bank.gtkw; do diff "$work/$f" "$work/again/$f" > "$work/diff"
  result "two differences, $f" $? "$(head -3 "$work/diff")"; done
# ---- dumps of other simulators as stimulus -----------------------------------------------------------------------
icarus() { # icarus NAME RTL: runs the bench on that Verilog, leaves NAME.vcd
  (cd "$work" && iverilog -g2005 -y "$2" -y "$OLDPWD/rtl" -o bench.vvp "$OLDPWD/tests/cosim/vcd/bench.v" &&
   vvp -n bench.vvp > log && mv icarus.vcd "$1.vcd")
}
verilator_() { # verilator_ NAME
  (cd "$work" && verilator --cc --exe --trace -fno-const-bit-op-tree -GENTRIES=5 -GMERGES=3 -GADDR_W=12 -GDATA_W=6 \
    -y "$OLDPWD/rtl" --top-module mshr "$OLDPWD/rtl/mshr.v" "$OLDPWD/tests/cosim/vcd/bench.cpp" --Mdir bench \
    > log 2>&1 && make -C bench -f Vmshr.mk OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 > log 2>&1 && bench/Vmshr "$1.vcd")
}
small="--set ENTRIES=5 --set MERGES=3 --set ADDR_W=12 --set DATA_W=6"
dump() { # dump NAME EXIT PATTERN ARGUMENTS...: what cosim says about NAME.vcd
  local name=$1 status=$2 pattern=$3
  shift 3
  build/mrpb cosim mshr --vcd-in "$work/$name.vcd" "$@" > "$work/report" 2> "$work/err"
  [ $? = "$status" ] && cat "$work/report" "$work/err" | grep -qE "$pattern"
  result "--vcd-in $name $*" $? "not '$pattern': $(cat "$work/report" "$work/err" | head -4)"
}
icarus right "$PWD/rtl" && icarus wrong "$work/rtl" && verilator_ v
result "benches" $? "$(tail -3 "$work/log")"
dump right 0 '^matched 2002 cycles of .*right.vcd, scope bench.dut, mshr .* 14 of 14 outputs.* 3 cycles before the first' $small
dump right 0 '^verilator, icarus +matched 2002' $small --with c,verilator,icarus --record "$work/right.vec"
# The default sizes, unless the dump has the parameters (Verilator 5.032).
if grep -q 'var parameter' "$work/right.vcd"; then dump right 0 '^matched 2002'; else dump right 2 'req_addr_i is dumped with 12 bits.*--set'; fi
dump right 1 '^c, verilator +DIFFERENT' $small --with c,verilator --rtl "$work/rtl"
dump wrong 1 '^  first +.*out_last_o' $small --vcd "$work/mine.vcd"
dump v 0 '^matched 2000 cycles of .*v.vcd, scope TOP.mshr, mshr ENTRIES=5 .* 14 of 14 outputs'
build/mrpb cosim --replay "$work/right.vec" > "$work/report"
result "recorded from a dump" $? "$(cat "$work/report")"
shown "the wave of a dump" "$work/mine.vcd" "$work/mine.gtkw"

# ---- the dump of a user's own design, and its map ------------------------------------------------
table=tests/verilog/design/plain_table
plain() { # plain NAME TABLE: runs the design's bench, leaves NAME.vcd and NAME.fst
  (cd "$work" && iverilog -g2012 -o plain.vvp "$OLDPWD/tests/cosim/vcd/plain_bench.v" "$2" && vvp -n plain.vvp > log &&
   mv icarus.vcd "$1.vcd" && vcd2fst "$1.vcd" "$1.fst")
}
# theirs FILE EXIT PATTERN SED ARGUMENTS...: what cosim says about FILE with the map changed this
# way
theirs() {
  local file=$1 status=$2 pattern=$3
  sed "$4" $table.map > "$work/their.map"
  shift 4
  build/mrpb cosim mshr --vcd-in "$work/$file" --map "$work/their.map" --lint off "$@" > "$work/report" 2> "$work/err"
  [ $? = "$status" ] && cat "$work/report" "$work/err" | grep -qE "$pattern"
  result "--vcd-in $file $*" $? "not '$pattern': $(cat "$work/report" "$work/err" | head -4)"
}
sed 's/n_hit + 1.b1/n_hit + 2'"'"'d2/' $table.sv > "$work/broken.sv"
echo "$work/broken.sv" > "$work/broken.f"
here="$small -f $table.f --scope bench.dut"
plain plain "$PWD/$table.sv" && sed 's/^\(\$var.*\) arst \$end/\1 reset $end/' "$work/plain.vcd" > "$work/renamed.vcd" &&
  head -c 20000 "$work/plain.fst" > "$work/cut.fst" && code=$(awk '$5 == "arst" {print $4; exit}' "$work/plain.vcd") &&
  awk -v code="$code" 'substr($0, 2) == code {$0 = "0" code} {print}' "$work/plain.vcd" > "$work/never.vcd"
result "the design's bench" $? "$(tail -3 "$work/log")"
theirs plain.vcd 0 '^took 2002 cycles of .*plain.vcd, scope bench.dut, mshr .*, 3 cycles before the first reset left out, cycle 0 ends at time 315' '' $here
theirs plain.fst 0 '^c, verilator +matched 2002 cycles, 10 of 14 outputs and 11 of 14 registers' '' $here --record "$work/plain.vec"
build/mrpb cosim --replay "$work/plain.vec" > "$work/report"
result "recorded from a design's dump" $? "$(cat "$work/report")"
theirs plain.vcd 0 '^verilator, icarus +matched 2002 cycles, 10 of 14 outputs and 0 of 14 registers' '' $here --with c,verilator,icarus
theirs plain.vcd 1 '^c, icarus +DIFFERENT cycle 19: out_last_o is 0, the C model says 1' '' $small -f "$work/broken.f" --scope bench.dut --with c,icarus
theirs plain.vcd 1 '^  yours +reads\[3\]$' '' $small -f "$work/broken.f" --scope bench.dut --vcd "$work/theirs.vcd"
shown "the wave of a design's dump" "$work/theirs.vcd" "$work/theirs.gtkw"
theirs plain.vcd 2 'our input out_ready_i cannot be derived from it: .*their.map:11 cannot be read backwards' 's/!out_ready_i/& || fill_valid_i/' $here
theirs plain.vcd 2 'our input srst_ni cannot be derived from it: no line .*; legal: reset THEIRS' "s/^reset.*/in arst = 1'b0/; \$ a none srst_ni" $here
theirs plain.vcd 2 "our input req_addr_i\[10\] cannot be derived from it: no line of .*their.map gives it to plain_table" "s/req_valid_i, req_addr_i/req_valid_i, 2'd0, req_addr_i[9:0]/" $here
theirs plain.vcd 0 '^in [0-9]+ of them the dump has inputs that the map never gives.*read\[8\], line 9 of the map, is 1' \
  "s/^param  TAG_W.*/&\nparam ADDR_W = 12/; s/req_valid_i, req_addr_i/req_valid_i, 10'd0, req_addr_i/; s/= addr\[i\]/= addr[i][1:0]/" \
  -f $table.f --scope bench.dut --set ENTRIES=5 --set MERGES=3 --set ADDR_W=2 --set DATA_W=6
theirs never.vcd 2 'arst is active at none of the 20[0-9]+ clock edges' '' $here
theirs plain.vcd 2 'both bench and bench.dut have the inputs of plain_table' '' $small -f $table.f
theirs renamed.vcd 2 'scope bench.dut lacks inputs of plain_table: arst' '' $here
theirs plain.vcd 2 '(bench.dut.read is dumped with 19 bits; plain_table with ENTRIES=32|has LINES=5; the map makes it 32)' '' -f $table.f --scope bench.dut
mkdir "$work/none"
for command in "cosim mshr" "run -c configs/base-s.conf --kernel atax"; do
  PATH="$work/none" "$PWD/build/mrpb" $command --vcd "$work/none/x.fst" > "$work/report" 2> "$work/err"
  [ $? = 5 ] && grep -q 'x.fst: vcd2fst is missing; it is in the Debian package gtkwave' "$work/err" && [ -z "$(ls "$work/none")" ]
  result "$command without vcd2fst" $? "$(cat "$work/err")"
done
echo "$PWD/rtl/mshr.v $PWD/rtl/priority_encoder.v $PWD/rtl/one_hot_encoder.v" > "$work/ours.f"
build/mrpb cosim mshr $small --vcd-in "$work/plain.vcd" -f "$work/ours.f" --top mshr --lint off 2> "$work/err"
[ $? = 2 ] && grep -q 'no scope has an input of mshr, such as' "$work/err"
result "a design that has the name of ours" $? "$(cat "$work/err")"
theirs cut.fst 2 'cut.fst: FST: the file is cut off' '' $here

echo "waves: $passed passed, $failed failed"
[ "$failed" = 0 ]

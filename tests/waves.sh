#!/usr/bin/env bash
# Opens waves in GTKWave without a screen. GTKWave drops a signal that the dump lacks without a word, so what it
# displays is compared with the save file and with the dump: nothing may be missing on either side. The save file
# of a mismatch must put the marker and the window where the report says.
set -u
cd "$(dirname "$0")/.."
if [ -z "${WAVES_SCREEN:-}" ]; then exec env WAVES_SCREEN=1 xvfb-run -a -s "-screen 0 1920x1200x24" "$0"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
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

# Names of the dump, as GTKWave writes them: scope.name[msb:0].
dumped() { # dumped VCD
  awk '$1 == "$scope" {scope[++n] = $3} $1 == "$upscope" {n--}
       $1 == "$var" {name = ""; for (i = 1; i <= n; i++) name = name scope[i] "."
                     print name $5 ($6 == "$end" ? "" : $6)}
       $1 == "$enddefinitions" {exit}' "$1" | sort -u
}

shown() { # shown NAME DUMP SAVE [VCD]: VCD has the same signals as the dump, which is FST
  rm -f "$work/displayed"
  DISPLAYED="$work/displayed" timeout 60 gtkwave -S "$work/displayed.tcl" "$2" "$3" > "$work/log" 2>&1
  sort "$work/displayed" > "$work/sorted"
  grep -E '^[a-z_0-9]+\.' "$3" | sort > "$work/wanted"
  [ -s "$work/wanted" ] && diff "$work/wanted" "$work/sorted" > "$work/diff"
  result "$1" $? "save file and display differ: $(head -3 "$work/diff" | tr '\n' ' ')"
  dumped "${4-$2}" | diff - <(sort -u "$work/sorted") > "$work/diff"
  result "$1, dump" $? "dump and display differ: $(head -3 "$work/diff" | tr '\n' ' ')"
}

# Every module: the kept save file on the default sizes, the one beside the wave on small ones.
while read -r stem sizes; do
  build/mrpb cosim "$stem" --cycles 2000 --vcd "$work/$stem.vcd" > /dev/null 2>&1
  shown "$stem" "$work/$stem.vcd" "waves/$stem.gtkw"
  build/mrpb cosim "$stem" $(printf -- '--set %s ' $sizes) --cycles 2000 --vcd "$work/small.vcd" > /dev/null 2>&1
  shown "$stem $sizes" "$work/small.vcd" "$work/small.gtkw"
done <<'END'
queue_selector QUEUES=3 SIGNATURE=2
fifo_bank QUEUES=2 DEPTH=1 DATA_W=8
drain_selector QUEUES=1 DEPTH=1 POLICY=3
flush_control QUEUES=1 FLUSH=1
order_check DEPTH=1 BLOCKS=1 DATA_W=1
mrpb QUEUES=3 DEPTH=2 LATENCY=7 BLOCKS=5 POLICY=4 SIGNATURE=0 DATA_W=16
mshr ENTRIES=3 MERGES=5 ADDR_W=2 DATA_W=5
prt ENTRIES=3 LANES=5 OFFSET_W=3 TAG_W=33
END
listed=$(basename -s .ports.h cmodel/ports/*.ports.h | sort)
[ "$listed" = "$(cd "$work" && ls ./*.vcd | sed 's|./||; s|\.vcd||' | grep -v small | sort)" ]
result "every module" $? "a module has no line in tests/waves.sh"

# Differences: a register of a FIFO inside the MRPB (after the edge), an output of the MSHR (before it).
mkdir "$work/rtl" && cp rtl/*.v "$work/rtl"
sed -i 's/if (dequeue && !same) len_q/if (dequeue) len_q/' "$work/rtl/fifo_bank.v"
sed -i 's/(drain_len == LEN_ONE)/(drain_len >= LEN_ONE)/' "$work/rtl/mshr.v"
! cmp -s rtl/fifo_bank.v "$work/rtl/fifo_bank.v" && ! cmp -s rtl/mshr.v "$work/rtl/mshr.v"
result "lines to break" $? "rtl/fifo_bank.v and rtl/mshr.v no longer have them"

differs() { # differs MODULE TYPE SIGNAL OFFSET: the marker is OFFSET ns behind the failing cycle's first edge
  build/mrpb cosim "$1" --rtl "$work/rtl" --no-shrink --vcd "$work/$1.$2" > "$work/report" 2> "$work/err"
  [ $? = 1 ]
  result "$1 $2" $? "no mismatch: $(cat "$work/err")"
  local cycle marker a b first last
  cycle=$(sed -n 's/^MISMATCH .*, cycle \([0-9]*\),.*/\1/p' "$work/report")
  [ "$2" = vcd ] || build/mrpb cosim "$1" --rtl "$work/rtl" --no-shrink --vcd "$work/$1.vcd" > /dev/null 2>&1
  shown "$1 $2" "$work/$1.$2" "$work/$1.gtkw" "$work/$1.vcd"
  sed '/^-Mismatch$/,/^-Mismatch$/!d' "$work/$1.gtkw" | grep -qE "^$1\.(.*\.)?ref_$3"
  result "$1 $2, first" $? "ref_$3 is not in the group Mismatch"
  { read -r marker a b; read -r first last; } < "$work/displayed.view"
  [ "$a" = $((10 * cycle)) ] && [ "$b" = $((10 * cycle + 10)) ] && [ "$marker" = $((a + $4)) ]
  result "$1 $2, markers" $? "cycle $cycle, markers $marker $a $b"
  [ "${first%.*}" -le "$a" ] && [ "${last%.*}" -ge "$b" ]
  result "$1 $2, window" $? "cycle $cycle at $a, but the window is $first to $last"
}
differs mrpb vcd len_q 10
differs mshr vcd out_last_o 0
differs mshr fst out_last_o 0

build/mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 4 --vcd "$work/run.vcd" --vcd-sm 1 --from 500 --to 900 > /dev/null
shown run "$work/run.vcd" "$work/run.gtkw"
echo "waves: $passed passed, $failed failed"
[ "$failed" = 0 ]

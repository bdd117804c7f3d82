#!/usr/bin/env bash
# Opens waves in GTKWave without a screen and checks that no signal of their save files is missing from the dump:
# GTKWave drops such a signal without a word.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
cat > "$work/displayed.tcl" <<'TCL'
set f [open $::env(DISPLAYED) w]
foreach s [gtkwave::getDisplayedSignals] { puts $f $s }
close $f
gtkwave::/File/Quit
TCL

shown() { # shown NAME DUMP SAVE
  DISPLAYED="$work/displayed" timeout 60 xvfb-run -a gtkwave -S "$work/displayed.tcl" "$2" "$3" > "$work/log" 2>&1
  grep -E '^[a-z_]+\.' "$3" | sort > "$work/wanted"
  if [ -s "$work/wanted" ] && sort "$work/displayed" | diff "$work/wanted" - > "$work/diff"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: in the save file but not in the dump (or the other way round):"
    head -5 "$work/diff"
  fi
}

for stem in $(basename -s .gtkw waves/*.gtkw); do
  [ "$stem" = run ] && continue
  build/mrpb cosim "$stem" --cycles 2000 --vcd "$work/$stem.vcd" > /dev/null 2>&1
  shown "$stem" "$work/$stem.vcd" "waves/$stem.gtkw"
done
build/mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 4 --vcd "$work/run.vcd" --vcd-sm 1 --from 500 --to 900 > /dev/null
shown run "$work/run.vcd" "$work/run.gtkw"
echo "waves: $passed passed, $failed failed"
[ "$failed" = 0 ]

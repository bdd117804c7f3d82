#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb estimate MODULE --place` and `--fpga ice40` with the real tools on a small module, and with
# tools that are missing, fail, do nothing or take too long. `make estimate-place-check` runs it;
# `make test` does not, as it needs packages of its own (configs/packages-place.txt, -fpga).
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=${MRPB:-$PWD/build/mrpb}
. tests/case.sh
cache=build/estimate/cache
small="$mrpb estimate drain_selector --set QUEUES=4 --set DEPTH=4"
kept() { ls -d $cache/drain_selector.placed.* $cache/drain_selector.ice40.* 2> /dev/null; }

# ---- the report ----
case_ "placed" 0 'area mm2 \| 0\.0[0-9]+ \| 0\.0[0-9]+ \| utilisation [5-9][0-9] %' $small --place
cp "$work/out" "$work/first"
case_ "wire" 0 'wire a sink, um \| 0 \| [0-9]+\.[0-9] \| [0-9]+ nets' cat "$work/first"
# The wires make a path longer, and no more than double it; without them it is the period that the
# logic estimate reports.
case_ "periods" 0 '^ok$' awk -F'[| ]+' '/between registers, / {logic = $4} /^\| period ns, between/ {a = $6; b = $7}
  END {print (a > 0 && b > a && b < 2 * a && logic == a) ? "ok" : (logic " " a " " b)}' "$work/first"
case_ "said of the clock" 0 'its net has 14 sinks, [0-9]+ um and no tree' cat "$work/first"
case_ "the same from the cache" 0 'utilisation' env PATH="$PATH" $small --place
true_ "to the letter" cmp "$work/first" "$work/out"
folder=$(grep '^/.*placed' "$work/first")
for file in placed.v drain_selector.spef drain_selector_route.def result.json sta.tcl; do
  true_ "$file is kept" test -s "$folder/$file"
done
# Every net of the netlist but those without a sink is in the SPEF file, and OpenSTA annotates it.
cp "$folder"/*.v "$folder"/*.spef "$folder"/sta.tcl "$work"
cp -L "$folder/cells.lib" "$work"
case_ "repeated by hand" 0 'place: done' sh -c "cd $work && sta -no_splash -exit sta.tcl"
sed -i 's/^\*RES$/&\n9999 nowhere_1:Y nowhere_1:A 1/' "$work/drain_selector.spef"
case_ "another SPEF file is noticed by OpenSTA" 0 '\.spef, line ' sh -c "cd $work && sta -no_splash -exit sta.tcl"
case_ "memories are outside" 0 'macros are outside: their [0-9]+ pins' $mrpb estimate fifo_bank --set QUEUES=2 --set DEPTH=2 \
  --set DATA_W=4 --place
case_ "in an iCE40" 0 '^\| [0-9]+ \| 14 \| [0-9]+ \| 0 \| [0-9]+ \| yes \| [0-9]+\.[0-9] \|' $small --fpga ice40
ice=$(grep '^/.*ice40' "$work/out")
true_ "its netlist is kept" test -s "$ice/alone.il"
case_ "too large for one" 0 '^\| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]{5} \| no \| - \|' \
  $mrpb estimate mshr --set ENTRIES=32 --set MERGES=8 --fpga ice40

# ---- input ----
strict=1
case_ "another FPGA" 2 '--fpga ecp5: legal: ice40' $small --fpga ecp5
case_ "a configuration" 2 '--place, --fpga: legal: with a module' $mrpb estimate -c configs/base-s.conf --place
case_ "no logic" 2 '--no-logic: legal: without --place' $small --place --no-logic
case_ "no time" 2 '--place-seconds 0: legal: 1 to 86400' $small --place --place-seconds 0
sed 's/typical/other/' /usr/share/qflow/tech/osu018/osu018_stdcells.lib > "$work/other.lib"
unmapped="$mrpb estimate drain_selector --set QUEUES=5 --set DEPTH=3"
ls $cache > "$work/cache"
case_ "another library" 2 "--place: legal: with Debian's OSU018" $unmapped --place --liberty "$work/other.lib"
ls $cache > "$work/cache2"
true_ "refused before any work" cmp "$work/cache" "$work/cache2"
case_ "nothing to place" 2 'queue_selector: no cells' $mrpb estimate queue_selector --set QUEUES=64 --place

# ---- tools ----
mkdir "$work/bin" "$work/only"
tool() { # tool NAME BODY: a fake tool, found before the real one
  rm -f "$work/bin"/*
  printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
  chmod +x "$work/bin/$1"
  rm -rf "$ice" # nextpnr is known by its version alone; the other tools by their files
}
with="env PATH=$work/bin:$PATH"
for name in yosys yosys-abc berkeley-abc sta sh qrouter tclsh; do
  ! path=$(command -v $name) || ln -s "$path" "$work/only/$name"
done
kept > "$work/before"
case_ "no graywolf" 2 'graywolf: not found; install the package graywolf \(configs/packages-place\.txt\)' env PATH="$work/only" $small --place
case_ "no nextpnr" 2 'nextpnr-ice40: not found; install the package nextpnr-ice40 \(configs/packages-fpga\.txt\)' \
  env PATH="$work/only" $small --fpga ice40
tool graywolf 'exit 3'
case_ "graywolf fails" 2 'graywolf: ended with exit code 3 and no message' $with $small --place
tool graywolf 'kill -SEGV $$'
case_ "graywolf crashes" 2 'graywolf: ended with signal 11' $with $small --place
tool graywolf 'exit 0'
case_ "graywolf places nothing" 2 'graywolf: ended without an error and without drain_selector\.pin' $with $small --place
tool graywolf 'sleep 60'
case_ "graywolf takes too long" 2 'graywolf: no exit within the 2 s of --place-seconds' $with $small --place --place-seconds 2
tool qrouter 'case $* in *-nog*) exec 2>&1; /usr/bin/qrouter "$@" | sed "s/^Final: .*/Final: Failed net routes: 3/" ;; *) exec /usr/bin/qrouter "$@" ;; esac'
case_ "nets that are not routed" 2 'qrouter: not all nets are routed: Final: Failed net routes: 3' $with $small --place
tool qrouter 'case $* in *-nog*) /usr/bin/qrouter "$@"; sed -i "/BUFX2_1.A/d" drain_selector_route.rc ;; *) exec /usr/bin/qrouter "$@" ;; esac'
case_ "a net whose wire is lost" 2 'wires: n[0-9]+ is not in it' $with $small --place
tool nextpnr-ice40 'case $* in --version) exec /usr/bin/nextpnr-ice40 --version ;; esac; echo "ERROR: no such device"; exit 1'
case_ "nextpnr fails" 2 'nextpnr-ice40: no such device' $with $small --fpga ice40
tool nextpnr-ice40 'case $* in --version) exec /usr/bin/nextpnr-ice40 --version ;; esac'
case_ "nextpnr says nothing" 2 'nextpnr-ice40: it does not say how many cells it uses' $with $small --fpga ice40
tool nextpnr-ice40 'echo hello'
case_ "a nextpnr without a version" 2 'does not say a version' $with $small --fpga ice40
grep -vF "${ice##*/}" "$work/before" > "$work/left"
kept > "$work/after"
true_ "no failure is kept" cmp "$work/left" "$work/after"

# Ctrl-C ends graywolf and what it has started, and leaves nothing.
tool graywolf "echo \$\$ > $work/pid; exec sleep 60"
env PATH="$work/bin:$PATH" $small --place > "$work/out" 2> "$work/err" &
run=$!
for _ in $(seq 300); do [ -s "$work/pid" ] && break; sleep 0.2; done
kill -TERM $run
wait $run
status=$?
true_ "interrupted: exit status $status" test "$status" = 130 -o "$status" = 143
sleep 2
true_ "graywolf has ended" sh -c "! kill -0 $(cat "$work/pid") 2> /dev/null"
kept > "$work/after"
true_ "nothing is left" cmp "$work/left" "$work/after"

echo "place: $passed passed, $failed failed"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mrpb conform --path: correct caches conform, planted bugs are found, wrong input gives one line.
#   tests/conform/path.sh          a few of the bugs of tests/conform/path/bugs.txt
#   tests/conform/path.sh --all    all of them
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
here=tests/conform/path
some="tiny-mask tiny-flush-keeps tiny-held"
[ "${1:-}" != --all ] || some=$(awk '!/^#/ { print $1 }' $here/bugs.txt)

check() { # check WHAT COMMAND...
  if "${@:2}"; then passed=$((passed + 1)); else
    echo "path: $1"
    sed 's/^/  | /' "$work/said" | tail -n 5
    failed=$((failed + 1))
  fi
}
said() { # said RC PATTERN ARGS...: exit code and a line of the output
  timeout 300 "$mrpb" conform --path "${@:3}" > "$work/said" 2>&1
  [ $? = "$1" ] && grep -q -- "$2" "$work/said"
}
design() { # design RC PATTERN NAME ARGS...: of $work/NAME.sv
  echo "$work/$3.sv" > "$work/$3.f"
  said "$1" "$2" -f "$work/$3.f" --map "$work/tiny_cache.map" --lint off --cases "$work/cases" "${@:4}"
}
refused() { # refused PATTERN ARGS...: exit 2, one line
  said 2 "$@" && [ "$(wc -l < "$work/said")" = 1 ]
}
mapped() { # mapped PATTERN SED: the map, changed, is refused
  sed "$2" $here/tiny_cache.map > "$work/tiny_cache.map"
  design 2 "$1" tiny && [ "$(wc -l < "$work/said")" = 1 ]
}
cp $here/tiny_cache.map "$work"
cp $here/tiny_cache.sv "$work/tiny.sv"

check "the tiny cache" design 0 '^conforms for 200000 cycles.*not visible through the map: lane doubled axi' tiny --cycles 200000
check "what was offered" grep -q '^  requests .* loads, [1-9][0-9]* of a word whose store was not in memory; [1-9][0-9]* stores, [1-9]' "$work/said"
check "what was not offered" grep -q '^  not offered requests around the cache: nothing takes req_bypass_i ([1-9]' "$work/said"
check "flushes" grep -q '^  others .*[1-9][0-9]* flushes, [1-9][0-9]* lines written by another device, [1-9]' "$work/said"
check "another size" design 0 '^conforms.*LINE=32 .*ADDR_W=16' tiny --cycles 20000 --set LINE=32 --set ADDR_W=16

# Planted bugs: one of the named clauses, at most 20 transactions, and again by --replay.
bug() { # bug NAME
  local name want script most=20 left clause kept
  read -r name want script < <(grep "^$1 " $here/bugs.txt)
  [ "$name" != tiny-count ] || most=999999
  sed "$script" $here/tiny_cache.sv > "$work/$name.sv"
  cmp -s $here/tiny_cache.sv "$work/$name.sv" && return 1
  design 1 '^VIOLATED' "$name" $([ $most = 20 ] || echo --no-shrink) || return 1
  clause=$(sed -n 's/^VIOLATED .*(\(.*\)), cycle.*/\1/p' "$work/said")
  left=$(sed -n 's/^  shrunk to   \([0-9]*\) transactions.*/\1/p' "$work/said")
  kept=$(sed -n 's/^  kept  *//p' "$work/said")
  case ",$want," in *",$clause,"*) ;; *) return 1 ;; esac
  grep -q '^  simulated   by Verilator .* -O3 and -O0 in' "$work/said" || return 1
  [ "${left:-0}" -le $most ] && design 1 "clause .*($clause)" "$name" --replay "$kept"
}
for name in $some; do check "the bug $name" bug "$name"; done

# The kept case of the last one: on the correct cache, as a wave, in Icarus.
kept=$(ls "$work"/cases/*.case | tail -n 1)
check "the case on the correct cache" design 0 '^conforms' tiny --replay "$kept" --vcd "$work/t.vcd"
check "its wave" test -s "$work/t.vcd" -a -s "$work/t.gtkw"
check "its bench" design 0 '^conforms' tiny --replay "$kept" --bench "$work/bench.sv"
icarus() { iverilog -g2012 -o "$work/bench" "$work/bench.sv" > "$work/said" 2>&1 && vvp -n "$work/bench" > "$work/said" 2>&1 && grep -q '^same in [1-9]' "$work/said"; }
check "Icarus sees the case as Verilator does" icarus
sed 's/^set LANES 1/set LANES 2/' "$kept" > "$work/lanes.case"
check "a case of other lanes" design 2 'value 2 of the line\|has .* bits' tiny --replay "$work/lanes.case"

# A cache in C++, and the two reports that are rebuilt in it.
object() { # object RC PATTERN NAME ARGS...
  said "$1" "$2" --so "$work/$3.so" --cases "$work/cases" --set LINE=32 "${@:4}"
}
compile() { # compile NAME [OPTION]
  g++ -std=c++14 -Wall -Wextra -Werror -O1 -shared -fPIC ${2:-} -I tb/verify/path docs/examples/path/cache.cpp -o "$work/$1.so" > "$work/said" 2>&1
}
check "the example compiles" compile cache
check "its stale line" compile stale -DSTALE_LINE
check "its lost write" compile lost -DLOST_WRITE
for sizes in "LANES=1" "LANES=4 WORD=8" "LANES=4 JOINT=0 THREADS=4 ADDR_W=20"; do
  check "the example with $sizes" object 0 '^conforms for 300000 cycles' cache --cycles 300000 $(printf -- ' --set %s' $sizes)
done
few() { [ "$(sed -n 's/^  shrunk to   \([0-9]*\) transactions.*/\1/p' "$work/said")" -le 20 ]; }
check "a read that overtakes a write-back" object 1 'clause 7 (written)' stale
check "in few transactions" few
check "requests of a line out of order" object 1 'clause 6 (lost)' lost
check "in few transactions" few
kept=$(sed -n 's/^  kept  *//p' "$work/said")
check "the case again" object 1 'clause 6 (lost)' lost --replay "$kept" --vcd "$work/l.vcd"
check "its wave" test -s "$work/l.vcd"

# Wrong input.
check "the clauses" said 0 '^15 checks' --clauses
check "the ports" said 0 '^. `ar_burst_o` . out . 2 . AXI: 1 ascending' --ports
check "no such object" refused 'none.so' --so "$work/none.so"
echo 'int x;' | gcc -xc -shared -fPIC - -o "$work/x.so"
check "no cache in it" refused 'legal: mrpb_path()' --so "$work/x.so"
check "a size that it does not have" refused 'does not have this size' --so "$work/cache.so" --set ID_W=1
check "a line that is no power of two" refused 'LINE = 24; legal: a power of two' --so "$work/cache.so" --set LINE=24
check "more threads than tags" refused 'THREADS = 64' --so "$work/cache.so" --set THREADS=64
check "an object and a map" refused -- '--so: legal' --so "$work/cache.so" --map $here/tiny_cache.map
check "an object without --path" test "$("$mrpb" conform --so x 2>&1)" = "mrpb conform: --so: legal: with --path, and without --map, -f and Verilog files"
check "a proof" refused -- '--prove: legal' --prove --map $here/tiny_cache.map
check "a bench of an object" refused -- '--bench: legal' --so "$work/cache.so" --bench "$work/b.sv"
check "no map" refused 'no map'
check "no such clause" refused 'no such clause' --so "$work/cache.so" --off refusal
check "hold of something else" mapped 'legal: hold request' '$ahold read'
check "two memories" mapped 'two memories; legal: mem_valid_o or ar_valid_o' "s/^none ar_valid_o/out ar_valid_o = 1'b0\nnone/"
check "no memory" mapped 'no memory; legal: mem_valid_o or ar_valid_o' '$anone mem_valid_o'
check "no answers" mapped 'no rsp_tag_o, which the contract needs' '$anone rsp_tag_o'
echo "path: $passed passed, $failed failed"
[ "$failed" = 0 ]

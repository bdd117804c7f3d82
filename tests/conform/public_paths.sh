#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The maps and wrappers of public caches (docs/conform/public_paths.md). Their sources are not here:
# a module with the wrapper's ports stands for each cache, so what is checked is that the map reads,
# names ports that exist, and connects all of the contract; and that nothing is longer than allowed.
set -u
mrpb=${MRPB:-build/mrpb}
maps=docs/conform/maps/path
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $name"; fi
}
short() { [ "$(wc -l < "$1")" -le 80 ]; }

# Without the body of the module: parameters and ports as they are, all outputs 0.
# shellcheck disable=SC2016 # a macro of Verilog is no command of the shell's
hollow() { # hollow WRAPPER
  awk '/^`include|^ *import/ { next }
    /^module/ { on = 1 }
    on { print }
    on && /^\);/ { exit }' "$1" | sed 's/`[A-Z_]*SETIDXBITS/2/; s/`CONF_[A-Z_]*/4/g'
  grep -o 'output logic[^/]*' "$1" | sed 's/output logic *\(\[[^]]*\]\)\? *//; s/, */\n/g' |
    sed -n 's/^\([a-z][a-z_]*\)[, ]*$/  assign \1 = 0;/p' | sort -u
  echo endmodule
}
# The map is bound to the module before the tools complain about what is unused in it.
reads() { # reads MAP WRAPPER
  hollow "$2" > "$work/hollow.sv"
  "$mrpb" conform --path --map "$1" "$work/hollow.sv" --lint error --cycles 10 > "$work/said" 2>&1
  if [ $? -ne 2 ] || ! grep -q 'hollow.sv:.*warnings are errors' "$work/said"; then
    tail -2 "$work/said"
    return 1
  fi
}
for map in "$maps"/*.map; do
  wrapper=$maps/$(sed -n 's/^top //p' "$map").sv
  check "$map is short" short "$map"
  check "$wrapper is short" short "$wrapper"
  check "$map fits $wrapper" reads "$map" "$wrapper"
done
sed 's/^out ar_burst_o/out ar_brust_o/' "$maps/hpdcache.map" > "$work/wrong.map"
fails() { ! reads "$@" > /dev/null; }
check "a wrong name in a map" fails "$work/wrong.map" "$maps/hpdcache_path.sv"
sed 's/flush_done_o/flush_end_o/' "$maps/hpdcache_path.sv" > "$work/wrong.sv"
check "a wrong name in a wrapper" fails "$maps/hpdcache.map" "$work/wrong.sv"
echo "public paths: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

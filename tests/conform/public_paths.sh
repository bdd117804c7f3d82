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
  [ "$map" != "$maps/l1_top.map" ] || continue # our own, which runs: l1_top.sh
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

# Ventus' GPU with l1_top (docs/conform/ventus.md): the adapter fits l1_top as it is, with the sizes
# of Ventus' define.v; and the script says what is missing.
ventus=tests/conform/ventus
while read -r name value; do echo "\`define $name $value"; done > "$work/define.v" << 'END'
XLEN 32
BYTESOFWORD 4
WIDBITS 3
BABITS 29
A_SOURCE 10
DCACHE_NLANES 4
DCACHE_NSETS 32
DCACHE_NWAYS 2
DCACHE_SETIDXBITS 5
DCACHE_TAGBITS 24
DCACHE_BLOCKWORDS 2
DCACHE_BLOCKOFFSETBITS 1
TLAOP_GET 3'd4
TLAOP_PUTPART 3'd1
TLAOP_FLUSH 3'd5
TLAPARAM_INV 3'd1
END
fits() { # fits ADAPTER
  verilator --lint-only -Wall -Wno-DECLFILENAME -Wno-VARHIDDEN -Wno-UNUSED -Wno-PINCONNECTEMPTY \
    -Wno-BLKSEQ -Wno-SYNCASYNCNET -fno-const-bit-op-tree "+incdir+$work" -y rtl "$1" \
    --top-module l1_dcache > "$work/said" 2>&1 || { head -3 "$work/said" && return 1; }
}
check "Ventus' adapter fits l1_top" fits $ventus/l1_adapter.v
sed 's/flush_done_o/flush_end_o/' $ventus/l1_adapter.v > "$work/wrong.v"
unfit() { ! fits "$@" > /dev/null && grep -q "Pin not found: 'flush_end_o'" "$work/said"; }
check "a wrong name in Ventus' adapter" unfit "$work/wrong.v"
missing() {
  tests/conform/ventus.sh "$work" > "$work/said" 2>&1
  [ $? -eq 2 ] && [ "$(wc -l < "$work/said")" -eq 1 ] && grep -q ' lacks ' "$work/said"
}
check "Ventus' sources are missing" missing
echo "public paths: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the modules of docs/estimate/place.md and records them in tests/estimate/placed.json, from
# which `make docs` writes the page's tables. What was measured before is found in the cache.
#   tests/estimate/placed.sh [--place-seconds N]
# A module that cannot be measured ends it: nothing is then recorded.
set -u
cd "$(dirname "$0")/../.."
record=tests/estimate/placed.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "placed: $1" >&2; exit 2; }
# entry OPTIONS MODULE SIZE...: measures one module and prints its object
entry() {
  local options=$1 module=$2 size sizes='' sets='' folder
  shift 2
  for size in "$@"; do sets="$sets --set $size" sizes="$sizes${sizes:+ }$size"; done
  # shellcheck disable=SC2086
  ${MRPB:-build/mrpb} estimate "$module" $sets $options > "$work/out" 2> "$work/err" || fail "$module: $(cat "$work/err")"
  printf '    {\n      "module": "%s",\n      "sizes": "%s",\n' "$module" "$sizes"
  printf '      "rtl_hash": "%s",\n' "$(sed -n 's/^Made from Verilog with hash \(.*\)\.$/\1/p' "$work/out")"
  printf '      "cells_um2": %s' "$(awk -F'|' -v m=" $module " '$2 == m {print $3 + 0; exit}' "$work/out")"
  for folder in $(grep '^/.*\.\(placed\|ice40\)\.' "$work/out"); do
    case $folder in *.placed.*) printf ',\n      "placed": ' ;; *) printf ',\n      "ice40": ' ;; esac
    sed '2,$s/^/      /' "$folder/result.json"
  done | sed '/^$/d' | awk '{printf "%s%s", n++ ? "\n" : "", $0}'
  printf '\n    }'
}

nextpnr=$(nextpnr-ice40 --version 2>&1 | sed -n 's/.*(Version \(.*\))/\1/p')
{
  printf '{\n  "made_with": {\n'
  printf '    "yosys": "%s",\n    "nextpnr": "%s",\n' "$(yosys -V | cut -d' ' -f2)" "$nextpnr"
  printf '    "graywolf": "%s",\n' "$(dpkg-query -W -f='${Version}' graywolf)"
  printf '    "qrouter": "%s",\n' "$(dpkg-query -W -f='${Version}' qrouter)"
  printf '    "qflow": "%s"\n  },\n  "modules": [\n' "$(dpkg-query -W -f='${Version}' qflow)"
  n=0
  while read -r options sizes; do
    case $options in both) options="--place --fpga ice40" ;; *) options="--fpga ice40" ;; esac
    [ $((n++)) = 0 ] || printf ',\n'
    # shellcheck disable=SC2086
    entry "$options ${*:-}" $sizes
  done < tests/estimate/placed.txt
  printf '\n  ]\n}\n'
} > "$work/new.json" || exit 2
python3 -m json.tool "$work/new.json" > "$work/checked.json" || fail "what was written is no JSON"
cp "$work/new.json" "$record"
echo "$record: $(grep -c '"module":' "$record") modules recorded"

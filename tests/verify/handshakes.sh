#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Handshakes: the tables in docs/modules/README.md name every output of every module once; ports,
# pages, properties and planted errors say what the tables say. Needs no build.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

section() { sed -n '/^## Handshakes$/,/^## Common rules$/p' docs/modules/README.md; }

# rows: "MODULE OUTPUT WORD" for each output in the tables, WORD being holds, fall, change or none
rows() {
  section | awk -F ' *\\| *' '
    /^\| module / { waits = $4 ~ /taken/; next }
    /^\| [a-z0-9_]+ \|/ {
      word = "none"
      if (waits) { count = split($4, said, " "); word = said[1] == "holds" ? "holds" : said[2] }
      count = split(waits ? $3 : $3 " " $4 " " $5, output, " ")
      for (i = 1; i <= count; i++) { gsub("`", "", output[i]); print $2, output[i], word } }'
}

# properties: "MODULE PROPERTY" for each property that a table names or that an output which holds has
properties() {
  rows | awk '$3 == "holds" { print $1, "holds_" $2 }'
  section | awk -F ' *\\| *' '
    /^\| module / { waits = $4 ~ /taken/; next }
    waits && /^\| [a-z0-9_]+ \|/ { count = split($5, label, " "); for (i = 1; i <= count; i++) { gsub("`", "", label[i]); print $2, label[i] } }'
}

ports() { # ports MODULE: "DIRECTION NAME TEXT", one port per line
  tr '\n' ' ' < "cmodel/ports/$1.ports.h" | sed -E 's/ (IN|OUT|INW|OUTW|REG|REGS|REGW|PARAM)\(/\n\1 /g' |
    sed -nE 's/^(IN|OUT)W? ([a-z0-9_]+),[^"]*"(.*)"\) *$/\1 \2 \3/p' | sed 's/" *"//g'
}

assertion() { # assertion MODULE LABEL: its text
  tr '\n' ' ' < "rtl/formal/$1_props.vh" | grep -oE " $2: assert [^;]*;"
}

judge() { # one line for each fault of the sources in this folder
  local module output word text label faults
  for page in docs/modules/*.md; do
    module=$(basename -s .md "$page")
    [ -e "rtl/formal/${module}_props.vh" ] || continue # README, sram
    ports "$module" > "$work/ports"
    diff <(rows | awk -v m="$module" '$1 == m { print $2 }' | sort) <(awk '$1 == "OUT" { print $2 }' "$work/ports" | sort) |
      sed -nE "s/^< (.*)/$module: \1 is in the tables too often, or is no output/p; s/^> (.*)/$module: \1 is in no table/p"
    while read -r label; do
      rows | grep -q "^$module $label holds\$" || echo "$module: holds_$label is proved, and no table says so"
    done < <(sed -nE 's/^ *holds_([a-z0-9_]+): assert.*/\1/p' "rtl/formal/${module}_props.vh")
    while read -r output word; do
      sed '/^## Parameters, ports, registers$/,$d' "$page" | grep -q "\`$output\`" || echo "$module: its page does not explain $output"
      awk -v o="$output" '$2 == o' "$work/ports" | grep -qE "may $word " || echo "$module: $output does not say at its port that it may $word"
    done < <(rows | awk -v m="$module" '$1 == m && ($3 == "fall" || $3 == "change") { print $2, $3 }')
    while read -r output; do
      text=$(assertion "$module" "holds_$output") || { echo "$module: $output has no property holds_$output"; continue; }
      [[ ${text#*assert} == *"$output"* ]] || echo "$module: holds_$output does not speak of $output"
    done < <(rows | awk -v m="$module" '$1 == m && $3 == "holds" { print $2 }')
    # An offer at an input: x_valid_i, where x_ready_o says that it is taken.
    while read -r output; do
      ! grep -q "^OUT ${output%_valid_i}_ready_o " "$work/ports" || grep -q "^IN $output .*need not hold until ${output%_valid_i}_ready_o" "$work/ports" ||
        echo "$module: $output does not say at its port that it need not hold"
    done < <(sed -nE 's/^IN ([a-z0-9_]+_valid_i) .*/\1/p' "$work/ports")
    faults=$(grep -E '\bassume \(' "rtl/formal/${module}_props.vh" | grep -vc 'assume (!srst_ni)' || true)
    [ "$faults" = "$([ "$module" = prt ] && echo 2 || echo 0)" ] || echo "$module: $faults assumptions about inputs"
  done
  while read -r module label; do
    assertion "$module" "$label" > /dev/null || echo "$module: no property $label"
    grep -E '^fails ' tests/verify/bugs/holds.txt | grep -qw -- "$label" || echo "$module: no error is planted for $label"
  done < <(properties)
}

judge > "$work/found"
cat "$work/found"
[ -s "$work/found" ] && failed=$((failed + 1)) || passed=$((passed + 1))
[ "$(rows | wc -l)" -ge 50 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "handshakes: the tables have $(rows | wc -l) outputs only"; }

# Tests the check itself: each fault, planted in a copy, is noticed.
notices() { # notices FAULT FILE SED_COMMAND
  local copy=$work/copy
  rm -rf "$copy"
  mkdir -p "$copy/docs" "$copy/cmodel" "$copy/rtl" "$copy/tests/verify/bugs"
  cp -r docs/modules "$copy/docs"
  cp -r cmodel/ports "$copy/cmodel"
  cp -r rtl/formal "$copy/rtl"
  cp tests/verify/bugs/holds.txt "$copy/tests/verify/bugs"
  sed -i "$3" "$copy/$2"
  if ! cmp -s "$2" "$copy/$2" && (cd "$copy" && judge) | grep -qxF -- "$1"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "handshakes: not noticed: $1"
  fi
}
tables=docs/modules/README.md
notices "mshr: out_last_o is in no table" $tables '/^| mshr | `out_last_o`/d'
notices "mshr: count_o is in the tables too often, or is no output" $tables 's/^| mshr | `req_ready_o`/& `count_o`/'
notices "prt: release_o has no property holds_release_o" $tables 's/^| prt | `alloc_ready_o`/& `release_o`/'
notices "mshr: out_data_o has no property holds_out_data_o" rtl/formal/mshr_props.vh 's/holds_out_data_o: assert/held: assert/'
notices "mshr: holds_out_data_o does not speak of out_data_o" rtl/formal/mshr_props.vh 's/\(holds_out_data_o: assert\).*/\1 (1);/'
notices "mshr: holds_count_o is proved, and no table says so" rtl/formal/mshr_props.vh 's/^ *holds_out_data_o/  holds_count_o: assert (1);\n&/'
notices "mrpb: byp_valid_o does not say at its port that it may fall" cmodel/ports/mrpb.ports.h 's/may fall/falls/'
notices "mshr: its page does not explain out_last_o" docs/modules/mshr.md 's/`out_last_o`//; s/`out_last_o = /`last = /; s/`out_last_o` falls/it falls/; s/`out_last_o`//g'
notices "mrpb: in_valid_i does not say at its port that it need not hold" cmodel/ports/mrpb.ports.h 's/need not hold/should not hold/'
notices "mrpb: 1 assumptions about inputs" rtl/formal/mrpb_props.vh 's/^reg f_live.*/always @* assume (in_valid_i);\n&/'
notices "mrpb: no property byp_valid_o_lasts_one_cycle" rtl/formal/mrpb_props.vh 's/byp_valid_o_lasts_one_cycle/byp_valid_o_lasts/'
notices "fifo_bank: no error is planted for holds_deq_data_o" tests/verify/bugs/holds.txt '/^fails holds_deq_data_o$/d'
echo "handshakes: $passed passed, $failed failed"
[ "$failed" = 0 ]

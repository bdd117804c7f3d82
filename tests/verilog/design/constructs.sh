#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which tool reads which construct of SystemVerilog (constructs.txt), with the options that the
# project gives it. Fails if the table in docs/verify/door.md differs.
#   tests/verilog/design/constructs.sh [--write]
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=docs/verify/door.md

# Yosys keeps a history where it has a HOME.
verdict() { if "$@" > "$work/log" 2>&1; then echo reads; else echo '**no**'; fi; }
row() { # row NAME: the row of the file $work/x.sv
  printf '| %s | %s | %s | %s |\n' "$1" \
    "$(verdict verilator --lint-only -Wno-fatal -fno-const-bit-op-tree --no-timing --top-module top "$work/x.sv")" \
    "$(verdict env -u HOME yosys -q -p "read_verilog -sv -nosynthesis -defer $work/x.sv; hierarchy -check -top top; proc; flatten; memory_map; opt_expr; check -assert")" \
    "$(verdict iverilog -g2012 -o "$work/x.vvp" -s top "$work/x.sv")"
}
rows() {
  local name='' line
  while IFS= read -r line; do
    case $line in
      '#'*) ;;
      '== '*)
        [ -z "$name" ] || row "$name"
        name=${line#== }
        : > "$work/x.sv"
        ;;
      *) printf '%s\n' "$line" >> "$work/x.sv" ;;
    esac
  done < tests/verilog/design/constructs.txt
  row "$name"
}

. tests/recorded.sh
what="the table of $page"
recorded_ "$what" "Verilator 5.006" verilator --version && recorded_ "$what" "Yosys 0.23" yosys -V && recorded_ "$what" "version 11.0" iverilog -V || exit 0
rows > "$work/rows"
sed '/^| construct | /,$d' "$page" > "$work/page"
{ echo '| construct | Verilator 5.006 | Yosys 0.23 | Icarus 11 |'; echo '| --- | --- | --- | --- |'; cat "$work/rows"; } >> "$work/page"
[ "${1:-}" = --write ] && cp "$work/page" "$page"
diff "$page" "$work/page" || { echo "constructs: $page is stale; tests/verilog/design/constructs.sh --write mends it"; exit 1; }
echo "constructs: $(wc -l < "$work/rows") of SystemVerilog, as $page says"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bugs in tables from elsewhere (bugs.txt): each must be found, reported in the designer's names,
# and shrunk; nine of ten to at most 20 transactions. Two of them index beyond an array: there the
# simulators differ, which gives exit 5. One of four is tried, in make test-long each.
set -u
cd "$(dirname "$0")/../../.."
. tests/tier.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0 x=0 found=0 named=0 small=0 longest=0

report() { # report TABLE SED_COMMAND WHAT
  local table=tests/verilog/design/$1 status shrunk name
  sed "$2" "$table.sv" > "$work/$1.sv"
  cmp -s "$table.sv" "$work/$1.sv" && { echo "FAILED: $2 does nothing to $1"; return; }
  printf '%s\n' "$work/$1.sv" > "$work/list.f"
  timeout 120 build/mrpb cosim mshr --set ENTRIES=3 --set MERGES=3 --cycles 200000 -f "$work/list.f" --map "$table.map" > "$work/said" 2>&1
  status=$?
  name=$(sed -n 's/^  yours  *//p' "$work/said" | head -1)
  shrunk=$(sed -nE 's/^  shrunk to   ([0-9]+) transactions.*/\1/p' "$work/said")
  if [ "$status" = 5 ] && grep -q 'plain_table.map: output .* by Verilator .* by Icarus .* a design without x' "$work/said"; then
    x=$((x + 1))
    name='(an x: Verilator and Icarus differ)'
  fi
  [ "$status" = 1 ] && found=$((found + 1))
  [ "$status" = 1 ] && [ -n "$name" ] && named=$((named + 1))
  [ "${shrunk:-1000}" -le 20 ] && small=$((small + 1))
  [ "$status" = 1 ] && [ "${shrunk:-1000}" -gt "$longest" ] && longest=${shrunk:-1000}
  printf '%-12s %-56s exit %d  %4s transactions  %s\n' "$1" "$3" "$status" "${shrunk:--}" "${name:--}"
}

while IFS=@ read -r table command what; do
  case $table in '' | '#'*) continue ;; esac
  sampled 4 || continue
  tried=$((tried + 1))
  report "$table" "$command" "$what"
done < tests/verilog/design/bugs.txt
echo "foreign bugs: $found of $tried found, $x by simulators that differ over an x, $named in the designer's names, $small shrunk to at most 20 transactions, longest $longest"
[ "$tried" -gt 0 ] && [ $((found + x)) = "$tried" ] && [ "$x" -le 2 ] && [ "$named" = "$found" ] && [ $((10 * small)) -ge $((9 * found)) ]

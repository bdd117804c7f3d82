#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every case that was ever shrunk from a mismatch (tests/cosim/regress/*.vec), through the C model, Verilator and Icarus:
# rtl/ must show no difference.
set -eu
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work

one() { # one VEC: its replay; what it said if it failed
  local name log
  name=$(basename "$1" .vec)
  log=$work/$name
  if build/mrpb cosim --replay "$1" --with c,verilator,icarus > "$log" 2>&1; then
    mv "$log" "$log.passed"
  else
    echo "FAILED: $1"
    cat "$log"
  fi
}
export -f one

printf '%s\0' tests/cosim/regress/*.vec | xargs -0 -P "$jobs" -n 1 bash -c 'one "$1"' one
all=$(printf '%s\n' tests/cosim/regress/*.vec | wc -l) passed=$(find "$work" -name '*.passed' | wc -l)
echo "regress: $passed passed, $((all - passed)) failed; three witnesses each"
[ "$passed" = "$all" ]

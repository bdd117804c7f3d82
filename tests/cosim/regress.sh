#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Replays every case that was ever shrunk from a mismatch (tests/cosim/regress/*.vec) on the C
# model, Verilator and Icarus: rtl/ must show no difference. One of four consecutive cases is
# replayed, with TEST_LONG=1 each.
set -eu
cd "$(dirname "$0")/../.."
. tests/tier.sh
jobs=${1:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work

one() { # one VEC: replays it, and prints the output if it failed
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

cases=()
for case in tests/cosim/regress/*.vec; do
  ! sampled 4 || cases+=("$case")
done
printf '%s\0' "${cases[@]}" | xargs -0 -P "$jobs" -n 1 bash -c 'one "$1"' one
passed=$(find "$work" -name '*.passed' | wc -l)
echo "regress: $passed passed, $((${#cases[@]} - passed)) failed; three witnesses each"
[ "$passed" = "${#cases[@]}" ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb run --as-driver`: every program and every launch file has the same values as in the order of
# its text, on cores that check their data, too.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=build/mrpb

# said NAME EXIT PATTERN COMMAND...: that exit code, and a line of its output matches
said() {
  local name=$1 code=$2 pattern=$3 status
  shift 3
  "$@" > "$work/log" 2>&1
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$work/log"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(tail -n 2 "$work/log" | head -c 400)"
  fi
}

for k in $($mrpb help kernels | sed -n 's/^\([a-z0-9][a-z0-9-]*\) .*/\1/p'); do
  size="--size 64"
  case $k in micro-*) continue ;; bt) size="--size 256" ;; esac
  said "$k" 0 'the memory is what the host computes$' $mrpb run --functional --as-driver --kernel "$k" $size
done
[ "$passed" -ge 28 ] || { failed=$((failed + 1)) && echo "FAILED: only $passed programs"; }
for file in docs/examples/ptx/*.launch tests/silicon/launches/*.launch; do
  grep -q '^compare' "$file" || continue
  case $file in */costs.launch) continue ;; esac
  said "$file" 0 '[1-9][0-9]* comparisons? held$' $mrpb run --functional --as-driver --launch "$file"
done

said "how many" 0 '^mrpb run: note: loads that are moved forward: [1-9]' $mrpb run --functional --as-driver --kernel lud --size 64
for config in base-s h200; do
  said "$config" 0 '^  cycles ' $mrpb run -c "configs/$config.conf" --check --as-driver --kernel lud --size 64
done
cycles() { $mrpb run -c configs/h200.conf --kernel lud --size 64 --steps 1 "$@" 2> /dev/null | sed -n 's/^  cycles *//p'; }
[ "$(cycles --as-driver)" -lt "$(cycles)" ] && passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "FAILED: it is not quicker"; }
said "a trace" 2 '^mrpb run: --as-driver: legal: with a program, --ptx or --launch$' $mrpb run -c configs/base-s.conf --trace "$work/t" --as-driver
echo "as the driver compiles: $passed passed, $failed failed"
[ "$failed" = 0 ]

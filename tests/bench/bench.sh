#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make bench`: speed and accuracy of this tree, medians of several runs. Nothing here passes or fails; the
# targets stand beside the figures.
set -eu
cd "$(dirname "$0")/../.."
out=build/bench
mkdir -p "$out"
rounds=${ROUNDS:-5} # of the whole programs; three times as many of the short ones

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
seconds() { # seconds COMMAND...: CPU seconds of one run
  local times
  times=$( { TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>> "$out/err"; } 2>&1 )
  awk '{print $1 + $2}' <<< "$times"
}

echo "== lockstep: M cycles a CPU second, every output and register compared (target 3.0) =="
for line in "mshr --set ENTRIES=32 --set MERGES=8" "fifo_bank --set QUEUES=48 --set DEPTH=8" \
            "mrpb" "prt --set ENTRIES=44" "drain_selector --set POLICY=0" "drain_selector --set POLICY=4"; do
  # shellcheck disable=SC2086
  build/mrpb cosim $line --cycles 1000 > /dev/null # builds it
  for _ in $(seq $((3 * rounds))); do seconds build/mrpb cosim $line --cycles 3000000 --seed 1; done | median |
    awk -v n="$line" '{printf "  %-44s %5.2f\n", n, 3 / $1}'
done

echo "== kernel against SystemC (targets: event-driven 3x, static 8x) =="
"$out/sim" "$out/systemc" $((3 * rounds))

echo "== whole GPU: M cycles a CPU second, atax cut to 128, one core (target 0.3) =="
for config in base-s base-s-mrpb base-l base-l-mrpb; do
  for _ in $(seq "$rounds"); do
    seconds build/mrpb run -c "configs/$config.conf" --kernel atax --cut 128 --json "$out/$config.json"
  done | median > "$out/seconds"
  awk -v s="$(cat "$out/seconds")" -v n="$config" \
    '/"cycles":/ && !done {gsub(/[^0-9]/, ""); printf "  %-44s %5.2f   (%.2f s)\n", n, $0 / s / 1e6, s; done = 1}' "$out/$config.json"
done
/usr/bin/env bash -c 'command -v /usr/bin/time' > /dev/null &&
  /usr/bin/time -f '  peak memory                                  %M KB' \
    build/mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 128 > /dev/null

echo "== GPU of the micro-benchmarks: M warp instructions and M cycles a CPU second, one core =="
"$out/device" "$rounds" configs/m2070.conf configs/gtx560ti.conf configs/h200.conf
for gpu in m2070 k20 gtx560ti gtx780 gtx280 h200; do
  for _ in 1 2 3; do seconds build/mrpb micro all -c "configs/$gpu.conf" -o "$out/micro"; done | median |
    awk -v n="micro all, $gpu" '{printf "  %-44s %5.2f s\n", n, $1}'
done

echo "== the report's page =="
tests/studies/report.sh --bench

echo "== cycles against the reference: docs/accuracy.md, every row measured anew =="
tests/gpu/accuracy.sh --all

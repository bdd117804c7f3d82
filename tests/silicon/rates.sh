#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Needs a machine with a GPU; with the CUDA toolkit and Nsight Compute it also measures launches:
# makes the records that docs/micro/rates.md is about. OUT gets KIND-rates.rec.xz, KIND-rates.txt
# and KIND-launch.csv.
#   tests/silicon/rates.sh OUT [FOLDER OF PROGRAMS, default build]
set -eu
cd "$(dirname "$0")/../.."
out=$1 mrpb=${2:-build}/mrpb
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
timeout 200 "$mrpb" micro rates --gpu --repeats 5 --save "$work/record" -o "$work/plots" > "$work/rates.txt" 2>&1 || tail -n 3 "$work/rates.txt"
kind=gpu
if [ -s "$work/record" ]; then
  kind=$(sed -n 's/^name //p' "$work/record")
  xz -9e -c "$work/record" > "$out/$kind-rates.rec.xz"
fi
cp "$work/rates.txt" "$out/$kind-rates.txt"
if command -v nvcc > /dev/null && command -v ncu > /dev/null; then
  nvcc -O2 -std=c++14 -arch=native -o "$work/launch" tests/silicon/launch.cu
  for cache in all none; do
    echo "cache control: $cache"
    timeout 90 env -u LD_LIBRARY_PATH ncu --clock-control none --cache-control $cache --csv --page raw --print-units base \
      --metrics sm__cycles_elapsed.max,sm__cycles_active.max,sm__cycles_active.min,gpc__cycles_elapsed.max,gpu__time_duration.sum \
      "$work/launch" | grep -v '^==' || true
  done > "$out/$kind-launch.csv"
fi
ls -l "$out"
